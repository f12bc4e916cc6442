/*
 * resident.h - the resident memory of this process
 *
 * It is not for use with a sanitizer, which keeps freed memory and a shadow of each stack: tests
 * that use it are not built there.
 */
#ifndef RESIDENT_H
#define RESIDENT_H

#include "test.h"

#include <stdint.h>
#include <stdio.h>

/* Does not count pages of files, which come into memory when code first runs. It counts page by
 * page, since /proc/self/statm is up to 64 pages per thread behind. */
static inline long resident_bytes(void)
{
    char line[256];
    long kibibytes = -1;
    FILE *pages = fopen("/proc/self/smaps_rollup", "r");
    assert_non_null(pages);
    while (kibibytes < 0 && fgets(line, sizeof line, pages))
        if (sscanf(line, "Anonymous: %ld kB", &kibibytes) != 1)
            kibibytes = -1;
    fclose(pages);
    assert_in_range(kibibytes, 1, INT32_MAX);
    return kibibytes * 1024;
}

#endif /* RESIDENT_H */
