/*
 * trial_files.h - the files of trials: where they are, and what is in them
 *
 * A folder that cannot be read and a file that cannot be written end the program.
 */
#ifndef FAULTS_TRIAL_FILES_H
#define FAULTS_TRIAL_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct ledger;

/* Where all are, absolute. */
struct trial_places {
    const char *eprof, *host, *recorder, *instrument;
    char folder[64];       /* for what is made once; the subjects run in `run` in it */
    struct ledger *ledger; /* in it */
};

struct trial_text {
    char *bytes; /* a NUL behind them; of who reads it */
    size_t count;
    bool is_there;
};

/* The path of `name` in the folder; it lives until the next but three. */
const char *trial_files_path(const struct trial_places *places, const char *name);

/* A file that is not there is no error. */
struct trial_text trial_files_read(const char *path);
void trial_files_write(const char *path, const char *bytes, size_t count);
void trial_files_copy(const char *from, const char *to);

/* Calls `act` with the path and the name of each file of a folder. */
void trial_files_each(const char *folder, void (*act)(const char *, const char *, void *),
                      void *context);
/* Folders in it stay. */
void trial_files_remove_each(const char *folder);

#endif /* FAULTS_TRIAL_FILES_H */
