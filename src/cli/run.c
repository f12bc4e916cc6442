#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/child.h"
#include "cli/commands.h"
#include "cli/deliver.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/run_files.h"
#include "cli/usage.h"
#include "image/file.h"

/* ---- the command line of `eprof run` ---- */

/* Only a regular file can be mapped by the program. */
static void read_file(void *to, const char *name, char *argument)
{
    if (strcmp(argument, "-") == 0)
        ep_usage_fail(NULL, "run: -o - is stdout, which no program can record into; a file of that "
                            "name is ./-");
    ep_usage_text(to, name, argument);
}

#define AT(field) offsetof(struct ep_run_options, field)

static const struct ep_option known_options[] = {
    {"output", 'o', "FILE",
     "the profile file, by default PROGRAM.eprof; in FILE %n is the number of the run, %p the "
     "process id, %% a percent sign",
     AT(file), read_file},
    {"repeat", 0, "N",
     "run it N times, each into a file of its own, and merge them; the first run that fails is "
     "the last",
     AT(repeat), ep_usage_number},
    {"quiet", 'q', NULL, "no tree at the end, and no lines but errors", AT(is_quiet),
     ep_usage_flag},
    {"auto", 0, NULL,
     "PROGRAM was compiled with -fpatchable-function-entry=5 or with hooks; it need not be linked "
     "with libeprof",
     AT(is_auto), ep_usage_flag},
    {"source", 0, "NAME",
     "the time source: auto, rdtsc, rdtsc_ordered, clock_gettime, gettimeofday, thread_cputime, or "
     "one that PROGRAM adds",
     AT(source), ep_usage_text},
    {0},
};

static const struct ep_command_line line = {
    .options = known_options,
    .args_doc = "[--] PROGRAM [ARGUMENT...]",
    .doc = "Runs PROGRAM, which is linked with libeprof, keeps its profile in a file, also when it "
           "is killed, and shows its call tree on stderr when it has ended. The status is the "
           "program's.",
    .missing = "run: no PROGRAM; say what is to be run",
    .is_in_order = true,
};

struct ep_run_options ep_run_options_read(int argc, char **argv)
{
    struct ep_run_options run = {.repeat = 1};
    run.program = ep_usage_parse(&line, argc, argv, &run).at;
    return run;
}

/* ---- the command ---- */

struct run {
    struct ep_run_options options;
    char *pattern; /* of all runs */
    char *preload; /* LD_PRELOAD; NULL: unchanged */
    uint64_t done; /* the number of runs so far */
    struct ep_made_files files;
    struct ep_child_end end; /* of the last one */
};

/* ---- the path of the profiles ---- */

/* A predictable name is no safe default in a folder where others can create files. */
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
    run->pattern = file ? strdup(file) : ep_run_files_pattern_of_program(run->options.program[0]);
    bool is_of_several = run->options.repeat > 1;
    if (run->pattern && is_of_several && !ep_run_files_pattern_has(run->pattern, 'n')) {
        char *several = ep_run_files_pattern_for_several(run->pattern);
        free(run->pattern);
        run->pattern = several;
    }
    return run->pattern ? EP_STATUS_DONE : ep_complain_of_memory();
}

static int choose_preload(struct run *run)
{
    if (!run->options.is_auto)
        return EP_STATUS_DONE;
    run->preload = ep_child_preload_with(getenv("LD_PRELOAD"));
    return run->preload ? EP_STATUS_DONE : EP_STATUS_FAILED;
}

/* Finds errors that the library would find only after the start of the program. */
static int try_path(const char *pattern)
{
    struct ep_image_file file;
    const char *why = NULL;
    char *path = ep_run_files_pattern_path(pattern, (uint64_t)getpid(), false);
    if (!path)
        return ep_complain_of_memory();
    ep_deliver_signals_hold();
    int result = ep_image_file_create(&file, path, &why);
    if (result == 0)
        ep_image_file_discard(&file);
    ep_deliver_signals_watch(NULL);
    if (result != 0)
        ep_complain(path, "%s; name another by -o FILE", why);
    free(path);
    return result == 0 ? EP_STATUS_DONE : EP_STATUS_FAILED;
}

/* ---- one run ---- */

static int start_failed(const char *program, int error)
{
    bool is_in_path = error == ENOENT && !strchr(program, '/');
    ep_complain(program, "%s",
                is_in_path ? "not found in PATH; one of this folder is ./NAME" : strerror(error));
    return error == ENOENT ? EP_STATUS_NOT_FOUND : EP_STATUS_NOT_EXECUTABLE;
}

static int run_with(struct run *run, const char *pattern, const char *items)
{
    struct ep_child_environment environment = {.items = items, .preload = run->preload};
    if (!items || ep_run_files_made_note(&run->files, pattern) != 0)
        return ep_complain_of_memory();
    if (ep_child_run(run->options.program, &environment, &run->end) != 0)
        return ep_complain_of_error(run->options.program[0], errno);
    if (run->end.error)
        return start_failed(run->options.program[0], run->end.error);
    run->done++;
    return ep_run_files_made_find(&run->files, pattern) == 0 ? run->end.status
                                                             : ep_complain_of_memory();
}

static int run_once(struct run *run)
{
    char *pattern = ep_run_files_pattern_of_run(run->pattern, run->done + 1);
    if (!pattern)
        return ep_complain_of_error(run->pattern, errno);
    int status = try_path(pattern);
    if (status == EP_STATUS_DONE) {
        char *items = ep_run_files_items(getenv("EPROF"), pattern, run->options.source);
        status = run_with(run, pattern, items);
        free(items);
    }
    free(pattern);
    return status;
}

static int run_all(struct run *run)
{
    int status = EP_STATUS_DONE;
    while (run->done < run->options.repeat && status == EP_STATUS_DONE && !run->end.signal &&
           !run->end.is_asked_to_end)
        status = run_once(run);
    return status;
}

/* ---- the end ---- */

static int show(const struct run *run)
{
    struct ep_load_files files = {.paths = run->files.paths, .count = run->files.count};
    struct eprof_snapshot *snapshot =
        ep_load_snapshot(&files, (struct ep_snapshot_options){.raw = false});
    if (!snapshot)
        return EP_STATUS_FAILED;
    snapshot->hint = EP_HINT_OPTIONS;
    /* an error on stderr cannot be reported anywhere */
    ep_report_write(ep_report_choice(snapshot), snapshot, stderr);
    ep_snapshot_free(snapshot);
    return EP_STATUS_DONE;
}

/* The path relative to the current directory, if the file is below it. */
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
    bool has_forked = count > run->done && !ep_run_files_pattern_has(run->pattern, 'p');
    if (count == 1)
        ep_complain(NULL, "profile in %s", relative(run->files.paths[0]));
    else if (has_forked)
        ep_complain(NULL, "%zu profiles in %s and, of forked processes, %s.%%p", count,
                    run->pattern, run->pattern);
    else
        ep_complain(NULL, "%zu profiles in %s", count, run->pattern);
}

static int conclude(const struct run *run, int status)
{
    const char *program = run->options.program[0];
    int shown = EP_STATUS_DONE;
    ep_deliver_signals_survive_size_limit();
    if (run->files.count > 0 && !run->options.is_quiet)
        shown = show(run);
    if (run->end.signal)
        ep_complain(NULL, "%s was killed by signal %d (%s)%s", program, run->end.signal,
                    strsignal(run->end.signal),
                    run->files.count > 0 ? ": the profile is up to then" : "");
    if (run->files.count == 0)
        ep_complain(program, "it left no profile; %s, unless a line above says why",
                    run->options.is_auto
                        ? "compile it with -fpatchable-function-entry=5 (x86-64) or "
                          "-finstrument-functions, and do not link it with -static"
                        : "link it with -leprof, and let it enter a region");
    else if (!run->options.is_quiet)
        name_files(run);
    return status == EP_STATUS_DONE ? shown : status;
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
    ep_run_files_made_free(&run.files);
    if (signal)
        ep_child_end_alike(signal);
    return status;
}
