/*
 * cli/run_files.h - the profile files of `eprof run`: their names, and which files a run has made
 *
 * A run may make files of its own process and of the processes that it forked. A file is identified
 * by the process and the time stored in it. So files of earlier runs, and files that other programs
 * keep writing, are not counted as files of this run.
 */
#ifndef EP_CLI_RUN_FILES_H
#define EP_CLI_RUN_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The value of EPROF= for the program: the items `before` (may be NULL), then image=`image` and
 * source=`source` (may be NULL), escaped by the grammar of EPROF. To be freed; NULL with ENOMEM.
 */
char *ep_run_files_items(const char *before, const char *image, const char *source);

/*
 * Patterns of names: %n is the number of the run, %p the process id, %% a percent sign. The library
 * expands %p and %%. The caller frees the returned texts; NULL and ENOMEM, unless documented
 * otherwise.
 */

/* The default: PROGRAM.eprof in the current directory. */
char *ep_run_files_pattern_of_program(const char *program);
/* Whether the pattern has %n or %p; `letter` is n or p. */
bool ep_run_files_pattern_has(const char *pattern, char letter);
/* The pattern with `.%n` before its ending .eprof, or at its end. */
char *ep_run_files_pattern_for_several(const char *pattern);

/* The pattern for one run: with the number of the run, and absolute, since the program may change
 * its directory before its first use of the library. Also fails with the errno of getcwd(). */
char *ep_run_files_pattern_of_run(const char *pattern, uint64_t run);

/* The path for one process from the pattern of a run; `is_forked` if the process was forked by the
 * program and the pattern has no %p. */
char *ep_run_files_pattern_path(const char *pattern, uint64_t process_id, bool is_forked);
/* The pattern for glob(3), which finds the files of all processes, and possibly others. */
char *ep_run_files_pattern_glob(const char *pattern, bool is_forked);

struct ep_made_files {
    char **paths; /* of all runs so far */
    size_t count, room;
    struct ep_made_file *before; /* the files that existed when the run began */
    size_t before_count, before_room;
    bool has_run; /* else files are noted, not added */
};

/* Before a run: notes the files that match its pattern. Returns 0, or -1 and ENOMEM. */
int ep_run_files_made_note(struct ep_made_files *files, const char *pattern);
/* After the run: adds the new files. Returns 0, or -1 and ENOMEM. */
int ep_run_files_made_find(struct ep_made_files *files, const char *pattern);

void ep_run_files_made_free(struct ep_made_files *files);

#endif /* EP_CLI_RUN_FILES_H */
