/*
 * resident.h - the memory that this process has
 *
 * Not with a sanitizer, which keeps what was freed and a shadow of each stack:
 * tests that ask for it are not built there.
 */
#ifndef RESIDENT_H
#define RESIDENT_H

#include "test.h"

#include <stdint.h>
#include <stdio.h>

/* Without the pages of files, which code brings in when it first runs. Counted page
 * by page; /proc/self/statm lags behind by up to 64 pages a thread. */
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
