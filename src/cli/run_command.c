#include "run_command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "complain.h"
#include "image_file.h"
#include "items.h"
#include "load.h"
#include "made_files.h"
#include "preload.h"
#include "profile_pattern.h"
#include "report_choice.h"
#include "run_options.h"
#include "status.h"

struct run {
    struct ep_run_options options;
    char *pattern; /* of all runs */
    char *preload; /* LD_PRELOAD; NULL: it stays as it is */
    uint64_t done; /* so many runs there were */
    struct ep_made_files files;
    struct ep_child_end end; /* of the last one */
};

/* ---- where the profiles go ---- */

/* A name that anybody can foresee, in a folder where anybody can put something, is no good name
 * by default. */
static int refuse_shared_folder(void)
{
    struct stat here;
    if (stat(".", &here) != 0 || !(here.st_mode & S_IWOTH))
        return EP_STATUS_DONE;
    ep_complain(NULL, "others may write in the current folder; name the profile by -o FILE, or go "
                      "to a folder of your own");
    return EP_STATUS_USAGE;
}

static int choose_pattern(struct run *run)
{
    const char *file = run->options.file;
    if (!file && refuse_shared_folder() != EP_STATUS_DONE)
        return EP_STATUS_USAGE;
    run->pattern = file ? strdup(file) : ep_profile_pattern_of_program(run->options.program[0]);
    bool is_of_several = run->options.repeat > 1;
    if (run->pattern && is_of_several && !ep_profile_pattern_has(run->pattern, 'n')) {
        char *several = ep_profile_pattern_for_several(run->pattern);
        free(run->pattern);
        run->pattern = several;
    }
    if (run->pattern)
        return EP_STATUS_DONE;
    ep_complain_of_memory();
    return EP_STATUS_FAILED;
}

static int choose_preload(struct run *run)
{
    if (!run->options.is_auto)
        return EP_STATUS_DONE;
    run->preload = ep_preload_with(getenv("LD_PRELOAD"));
    return run->preload ? EP_STATUS_DONE : EP_STATUS_FAILED;
}

/* What the library would only find when the program already runs. */
static int try_place(const char *pattern)
{
    struct ep_image_file file;
    const char *why = NULL;
    char *path = ep_profile_pattern_path(pattern, (uint64_t)getpid(), false);
    if (!path) {
        ep_complain_of_memory();
        return -1;
    }
    int result = ep_image_file_create(&file, path, &why);
    if (result == 0)
        ep_image_file_discard(&file);
    else
        ep_complain(path, "%s; name another by -o FILE", why);
    free(path);
    return result;
}

/* ---- one run ---- */

static int start_failed(const char *program, int error)
{
    bool is_in_path = error == ENOENT && !strchr(program, '/');
    ep_complain(program, "%s",
                is_in_path ? "not found in PATH; one of this folder is ./NAME" : strerror(error));
    return error == ENOENT ? EP_STATUS_NOT_FOUND : EP_STATUS_NOT_EXECUTABLE;
}

static int run_into(struct run *run, const char *pattern)
{
    char *items = ep_items_with(getenv("EPROF"), pattern, run->options.source);
    if (!items || ep_made_files_note(&run->files, pattern) != 0) {
        free(items);
        ep_complain_of_memory();
        return EP_STATUS_FAILED;
    }
    struct ep_child_environment environment = {.items = items, .preload = run->preload};
    int result = ep_child_run(run->options.program, &environment, &run->end);
    free(items);
    if (result != 0) {
        ep_complain(run->options.program[0], "%s", strerror(errno));
        return EP_STATUS_FAILED;
    }
    if (run->end.error)
        return start_failed(run->options.program[0], run->end.error);
    run->done++;
    if (ep_made_files_find(&run->files, pattern) == 0)
        return run->end.status;
    ep_complain_of_memory();
    return EP_STATUS_FAILED;
}

static int run_once(struct run *run)
{
    char *pattern = ep_profile_pattern_of_run(run->pattern, run->done + 1);
    if (!pattern) {
        ep_complain(run->pattern, "%s", strerror(errno));
        return EP_STATUS_FAILED;
    }
    int status = try_place(pattern) == 0 ? run_into(run, pattern) : EP_STATUS_FAILED;
    free(pattern);
    return status;
}

static int run_all(struct run *run)
{
    int status = EP_STATUS_DONE;
    while (run->done < run->options.repeat && status == EP_STATUS_DONE && !run->end.signal &&
           !run->end.is_told_to_end)
        status = run_once(run);
    return status;
}

/* ---- what is said in the end ---- */

static int show(const struct run *run)
{
    struct ep_load_files files = {.paths = run->files.paths, .count = run->files.count};
    struct ep_load load;
    if (ep_load_files(&load, &files) != 0)
        return -1;
    struct eprof_snapshot *snapshot =
        ep_load_snapshot(&load, (struct ep_snapshot_options){.raw = false});
    if (!snapshot)
        ep_complain_of_memory();
    else /* of an error on stderr there is nobody to tell */
        ep_report_write(ep_report_choice(snapshot), snapshot, stderr);
    ep_snapshot_free(snapshot);
    ep_load_free(&load);
    return snapshot ? 0 : -1;
}

/* As the user would write it, here. */
static const char *relative(const char *path)
{
    char *here = getcwd(NULL, 0);
    size_t bytes = here ? strlen(here) : 0;
    bool is_here = here && strncmp(path, here, bytes) == 0 && path[bytes] == '/';
    free(here);
    return is_here ? path + bytes + 1 : path;
}

static void name_files(const struct run *run)
{
    size_t count = run->files.count;
    bool has_forked = count > run->done && !ep_profile_pattern_has(run->pattern, 'p');
    if (count == 1)
        ep_complain(NULL, "profile in %s", relative(run->files.paths[0]));
    else if (has_forked)
        ep_complain(NULL, "%zu profiles in %s and, of forked processes, %s.%%p", count,
                    run->pattern, run->pattern);
    else
        ep_complain(NULL, "%zu profiles in %s", count, run->pattern);
}

static void say_that_killed(const struct run *run)
{
    ep_complain(NULL, "%s was killed by signal %d (%s)%s", run->options.program[0], run->end.signal,
                strsignal(run->end.signal),
                run->files.count > 0 ? ": the profile is up to then" : "");
}

static void say_that_nothing_is_there(const struct run *run)
{
    ep_complain(run->options.program[0], "it left no profile; %s, unless a line above says why",
                run->options.is_auto
                    ? "compile it with -finstrument-functions, and do not link it with -static"
                    : "link it with -leprof, and let it enter a region");
}

static int conclude(const struct run *run, int status)
{
    bool has_shown = true;
    if (run->files.count > 0 && !run->options.is_quiet)
        has_shown = show(run) == 0;
    if (run->end.signal)
        say_that_killed(run);
    if (run->files.count == 0)
        say_that_nothing_is_there(run);
    else if (!run->options.is_quiet)
        name_files(run);
    return status == EP_STATUS_DONE && !has_shown ? EP_STATUS_FAILED : status;
}

int ep_run_command(int argc, char **argv)
{
    struct run run = {.options = ep_run_options_read(argc, argv)};
    int status = choose_pattern(&run);
    if (status == EP_STATUS_DONE)
        status = choose_preload(&run);
    if (status == EP_STATUS_DONE)
        status = run_all(&run);
    if (run.done > 0)
        status = conclude(&run, status);
    int signal = run.end.signal;
    free(run.pattern);
    free(run.preload);
    ep_made_files_free(&run.files);
    if (signal)
        ep_child_end_alike(signal);
    return status;
}
