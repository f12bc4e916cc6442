/*
 * made_files.h - which profile files a run has made: its own, and those of the processes that
 * it forked
 *
 * A file is known by the process and the moment that it says it is of: so one of an earlier run
 * is not taken for one of this run, nor one that another program keeps on writing.
 */
#ifndef EP_CLI_MADE_FILES_H
#define EP_CLI_MADE_FILES_H

#include <stddef.h>

struct ep_made_files {
    char **paths; /* of all runs so far, one after the other */
    size_t count, room;
    struct ep_made_file *before; /* what was there when the run began */
    size_t before_count, before_room;
};

/* Before a run: `pattern` is that of the run (profile_pattern.h). 0, or -1 and ENOMEM. */
int ep_made_files_note(struct ep_made_files *files, const char *pattern);
/* After it: adds what is new. 0, or -1 and ENOMEM. */
int ep_made_files_find(struct ep_made_files *files, const char *pattern);

void ep_made_files_free(struct ep_made_files *files);

#endif /* EP_CLI_MADE_FILES_H */
