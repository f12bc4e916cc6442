/*
 * trial_files.h - the files of trials: their places and their content
 *
 * The program ends if a folder cannot be read or a file cannot be written.
 */
#ifndef FAULTS_TRIAL_FILES_H
#define FAULTS_TRIAL_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct ledger;

/* The places of all files, as absolute paths. */
struct trial_places {
    const char *eprof, *host, *recorder, *instrument;
    char folder[64];       /* files that are made once; subjects run in its folder `run` */
    struct ledger *ledger; /* in that folder */
};

struct trial_text {
    char *bytes; /* followed by a NUL; the reader frees it */
    size_t count;
    bool is_there;
};

/* The path of `name` in the folder; it is valid for the next three calls. */
const char *trial_files_path(const struct trial_places *places, const char *name);

/* A missing file is not an error. */
struct trial_text trial_files_read(const char *path);
void trial_files_write(const char *path, const char *bytes, size_t count);
void trial_files_copy(const char *from, const char *to);

/* Calls `act` with the path and the name of each file of a folder. */
void trial_files_each(const char *folder, void (*act)(const char *, const char *, void *),
                      void *context);
/* Removes the files; folders remain. */
void trial_files_remove_each(const char *folder);

#endif /* FAULTS_TRIAL_FILES_H */
