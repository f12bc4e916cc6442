/* The end of a process of a job (eprof/job.h) without memory. */
#include "rerun.h"
#include "scratch.h"

#include <eprof/job.h>

/* ---- the program ---- */

struct copy {
    void *cells;
    size_t bytes;
};

static int copy_image(void *to, const void *cells, size_t bytes)
{
    struct copy *copy = to;
    copy->bytes = bytes;
    copy->cells = malloc(bytes);
    if (copy->cells)
        memcpy(copy->cells, cells, bytes);
    return copy->cells ? 0 : -1;
}

/* Ends its part of the job while no memory is left, or with memory. */
static int job(bool is_failed, bool has_memory, uint32_t rank)
{
    struct copy merged = {.cells = NULL};
    struct rlimit before, none;
    {
        EPROF_SCOPE("work");
    }
    if (eprof_job_begin(rank) < 0 || eprof_job_image(copy_image, &merged) != 0 ||
        getrlimit(RLIMIT_AS, &before) != 0)
        return EXIT_FAILURE;
    none = before;
    if (!has_memory)
        none.rlim_cur = 1;
    if (setrlimit(RLIMIT_AS, &none) != 0)
        return EXIT_FAILURE;
    if (is_failed)
        eprof_job_fail();
    else
        eprof_job_end(merged.cells, merged.bytes);
    if (setrlimit(RLIMIT_AS, &before) != 0)
        return EXIT_FAILURE;
    free(merged.cells);
    return 0;
}

/* ---- the tests ---- */

static struct rerun run;

TEST(profile_is_written_without_memory_for_the_reports)
{
    RERUN(&run, "mpi=job,csv=figures", "end");
    assert_string_equal(run.err, "eprof: MPI: no memory for the reports\n");
    assert_int_equal(scratch_files(), 1);
    assert_return_code(access("job", R_OK), errno);
}

TEST(reports_are_written_without_memory_for_the_profile)
{
    RERUN(&run, "mpi=job,csv=figures", "fail");
    assert_string_equal(run.err, "eprof: MPI: no memory for the profile of this process\n");
    assert_int_equal(scratch_files(), 1);
    assert_non_null(strstr(scratch_read("figures.3"), "\nscope,work,work,"));
}

TEST(files_of_a_process_without_a_job_have_its_rank_and_no_process_id)
{
    char name[40];
    RERUN(&run, "mpi=job,csv=figures,json=of.%p", "fail-with-memory");
    assert_string_equal(run.err, "");
    assert_int_equal(scratch_files(), 3);
    assert_return_code(access("job.3", R_OK), errno);
    assert_return_code(access("figures.3", R_OK), errno);
    snprintf(name, sizeof name, "of.%ld.3", (long)run.process_id);
    assert_return_code(access(name, R_OK), errno);
}

TEST(files_of_a_process_without_a_job_and_a_rank_have_its_process_id)
{
    char name[40];
    RERUN(&run, "mpi=job,csv=figures", "fail-with-memory-without-rank");
    assert_string_equal(run.err, "");
    assert_int_equal(scratch_files(), 2);
    snprintf(name, sizeof name, "job.%ld", (long)run.process_id);
    assert_return_code(access(name, R_OK), errno);
    snprintf(name, sizeof name, "figures.%ld", (long)run.process_id);
    assert_return_code(access(name, R_OK), errno);
}

int main(int count, char **arguments)
{
    if (count > 1)
        return job(strncmp(arguments[1], "fail", 4) == 0, strstr(arguments[1], "-with-memory"),
                   strstr(arguments[1], "-without-rank") ? EPROF_JOB_NO_RANK : 3);
    return tests_run("job_refused", scratch_enter, scratch_leave);
}
