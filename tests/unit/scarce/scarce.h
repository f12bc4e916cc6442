/*
 * scarce.h - refuses memory: each request of an act, one after the other
 *
 * The linker puts these functions in place of those of the C library, and of functions that hand
 * out a part of their memory: an element of an array, a text, a cell (--wrap). The latter mostly
 * have memory left, but must refuse all the same. An act runs once with all its requests granted.
 * Then it runs with the first request refused, with the second one refused, and so on; and also
 * with all requests from that one on refused. It gives the same result, or fails with ENOMEM; in
 * both cases it releases all memory that it took.
 */
#ifndef SCARCE_H
#define SCARCE_H

#include "support/test.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCARCE_FILE_ERROR EIO

extern struct scarce {
    long requests; /* the number so far */
    long refused;  /* the request to refuse, from 0; -1: none */
    bool and_later;
    bool with_files;   /* calls for files are refused too, with SCARCE_FILE_ERROR */
    bool is_sampled;   /* not each request for a part in the same place counts */
    long held;         /* pieces that were handed out and not released */
    long mapped_bytes; /* the same for pages */
} scarce;

/* If requests are sampled, the next request at each place counts as the first one again. */
void scarce_forget_places(void);

/* Writes the result. Returns 0, or -1 and errno. */
typedef int (*scarce_act)(FILE *out);

void scarce_try(scarce_act act);

#endif /* SCARCE_H */
