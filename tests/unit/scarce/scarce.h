/*
 * scarce.h - memory that is refused: each request of an act, one after the other
 *
 * The linker puts these in the place of the C library's, and of what hands out a part of what it
 * has: an element of an array, a text, a cell (--wrap). These mostly have some left, and are asked
 * to refuse all the same. An act is done once with all that it asks for, and then without its first
 * request, without its second, and so on; and without all from each of them on. It comes to the
 * same result, or fails with ENOMEM; and in both cases gives back what it took.
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
    long requests; /* so far */
    long refused;  /* this one, from 0; -1: none */
    bool and_later;
    bool with_files;   /* calls for files are refused as well, with SCARCE_FILE_ERROR */
    bool is_sampled;   /* of parts that are asked for in one place not each counts */
    long held;         /* pieces that were handed out and not given back */
    long mapped_bytes; /* the same of pages */
} scarce;

/* Of what is sampled, the next request from a place is the first again. */
void scarce_forget_places(void);

/* Writes what it has come to. 0, or -1 and errno. */
typedef int (*scarce_act)(FILE *out);

void scarce_try(scarce_act act);

#endif /* SCARCE_H */
