#include "api/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/at_exit.h"
#include "api/path_pattern.h"
#include "api/profile.h"
#include "api/stderr_line.h"
#include "eprof/job.h"
#include "image/file.h"
#include "record/process_life.h"

static char *asked; /* the profile file, as a pattern; NULL: the default */
static pid_t owner; /* of the path */
static bool has_no_calls;

int ep_job_ask(const char *path, bool is_of_environment)
{
    char *pattern = ep_path_pattern_absolute(path, true);
    if (!pattern)
        return -1;
    free(asked);
    asked = pattern;
    owner = ep_path_pattern_owner(is_of_environment);
    return 0;
}

void ep_job_calls_off(void)
{
    has_no_calls = true;
}

/* ---- a process of the job ---- */

int eprof_job_begin(uint32_t rank)
{
    if (ep_process_lock() != 0)
        return -1;
    struct ep_processes_cell *cell =
        &ep_image_cell(&ep_process.image, EP_CELL_PROCESSES)->processes;
    ep_store(&cell->rank, rank == EPROF_JOB_NO_RANK ? 0 : (uint64_t)rank + 1);
    ep_at_exit_job_begin();
    int result = has_no_calls || ep_process.is_off ? 0 : EPROF_JOB_CALLS;
    ep_process_unlock();
    return result;
}

int eprof_job_image(int (*use)(void *context, const void *cells, size_t bytes), void *context)
{
    struct ep_image copy;
    if (ep_process.is_off)
        return errno = ECANCELED, -1;
    if (ep_profile_copy(&copy) != 0)
        return -1;
    int result =
        use(context, copy.cells, (size_t)ep_image_root(&copy)->cells_used * sizeof *copy.cells);
    ep_image_destroy(&copy);
    return result;
}

/* ---- the whole job ---- */

/* PROGRAM.mpi.eprof, where the program started. NULL: no memory. */
static char *default_pattern(void)
{
    char *name, *pattern = NULL;
    if (asprintf(&name, "%s.mpi.eprof", program_invocation_short_name) < 0)
        return NULL;
    for (char *c = name; *c; c++)
        if (*c == '%')
            *c = '_';
    pattern = ep_path_pattern_absolute(name, true);
    free(name);
    return pattern;
}

/* of_rank: as in api/path_pattern.h. */
static void save(const struct ep_image *image, uint64_t of_rank)
{
    static char path[PATH_MAX];
    const char *why = "no memory";
    char *pattern = asked ? NULL : default_pattern();
    if (asked || pattern) {
        pid_t of = asked ? owner : getpid();
        if (ep_path_pattern_expand(asked ? asked : pattern, of, of_rank, path) != 0)
            why = strerror(errno);
        else if (ep_image_file_save(image, path, &why) == 0)
            why = NULL;
    }
    if (why)
        ep_stderr_line("mpi=", *path ? path : asked ? asked : "", "", why);
    free(pattern);
}

void eprof_job_end(const void *cells, size_t bytes)
{
    EP_KEEP_ERRNO;
    const struct ep_image given = {.cells = (union ep_cell *)(uintptr_t)cells,
                                   .committed = (uint32_t)(bytes / sizeof *given.cells)};
    struct ep_image merged;
    if (cells)
        save(&given, 0);
    if (!cells || ep_image_allocate(&merged, given.committed) != 0) {
        if (cells)
            ep_stderr_line("", "MPI", "", "no memory for the reports");
        ep_at_exit_job_end(NULL);
        return;
    }
    memcpy(merged.cells, cells, bytes); /* the reports add names to it */
    ep_at_exit_job_end(&merged);
    ep_image_destroy(&merged);
}

void eprof_job_fail(void)
{
    EP_KEEP_ERRNO;
    struct ep_image copy;
    if (ep_process.is_off)
        return;
    uint64_t of_rank =
        ep_load(&ep_image_cell(&ep_process.image, EP_CELL_PROCESSES)->processes.rank);
    if (of_rank == 0)
        of_rank = (uint64_t)getpid() + 1; /* the rank is not known */
    if (ep_profile_copy(&copy) == 0) {
        save(&copy, of_rank);
        ep_image_destroy(&copy);
    } else {
        ep_stderr_line("", "MPI", "", "no memory for the profile of this process");
    }
    ep_at_exit_job_fail(of_rank);
}

void eprof_job_complain(const char *why)
{
    EP_KEEP_ERRNO;
    ep_stderr_line("", "MPI", "", why);
}
