/*
 * base/helper.h - the helper process that looks up the names of functions
 *
 * The program `eprof` reads a request from its standard input and writes the answer to its standard
 * output, as the sanitizers' symbolizer does (LLVM, sanitizer_symbolizer_posix_libcdep.cpp), but it
 * is asked once. The calling program is not disturbed: no shell, no signal, no child to wait for.
 */
#ifndef EP_BASE_HELPER_H
#define EP_BASE_HELPER_H

#include "base/strings.h"

/* Whether the path is an executable file; a folder may have execute permission as well. */
bool ep_helper_is_program(const char *path);
/* Sets the path of the program (a copy), so that it is not searched. 0, or -1 and ENOMEM. */
int ep_helper_program_set(const char *path);
/* Frees the path that was set. No other thread may use it any more. */
void ep_helper_program_forget(void);

/* The path that was set; else `eprof` in the folder of this library, in a `bin` beside or above it,
 * or on PATH. To be freed. NULL: there is none, or no memory. */
char *ep_helper_program_find(void);

struct ep_symbolizer {
    char *const *arguments; /* the program's path first; NULL after the last */
    uint64_t deadline_ns;   /* by CLOCK_MONOTONIC: when it is killed */
    size_t most_bytes;      /* of an answer: it is killed if it writes more */
};

/* Appends the answer to `answer`; the caller checks whether it is whole. 0; -1 and errno:
 * ETIMEDOUT, EFBIG, ENOMEM, or why the program could not be started. */
int ep_helper_ask(const struct ep_symbolizer *symbolizer, const struct ep_fields *request,
                  struct ep_fields *answer);

#endif /* EP_BASE_HELPER_H */
