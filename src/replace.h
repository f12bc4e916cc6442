/*
 * replace.h - write a file beside the old one, then rename
 *
 * The old file is there, whole, until the new one is; after a full disk the old
 * one is still there. What is not a regular file (/dev/full, a pipe, a
 * terminal) is written directly.
 */
#ifndef EP_REPLACE_H
#define EP_REPLACE_H

#include <stdio.h>

struct ep_replace {
    FILE *stream;    /* write here */
    char *path;      /* the file to be; of a symbolic link to a file, that file */
    char *temporary; /* NULL: `path` itself is written */
};

/*
 * The new file has the permissions of the old one; where there is none, those
 * that the umask leaves. Returns 0, or -1 and errno: EACCES also where the old
 * file must not be written, since renaming over it would not ask.
 */
int ep_replace_open(struct ep_replace *file, const char *path);
/*
 * Closes and renames if `keep`, else removes what was written (what is written
 * directly cannot be). Returns 0, or -1 and errno; then the old file is there.
 */
int ep_replace_close(struct ep_replace *file, int keep);

#endif /* EP_REPLACE_H */
