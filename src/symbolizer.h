/*
 * symbolizer.h - runs a program that is given a request on its standard input, and answers it on
 * its standard output
 *
 * As the sanitizers run theirs (LLVM, sanitizer_symbolizer_posix_libcdep.cpp), but that it is
 * asked once. The program that asks is not disturbed: no shell, no signal, no child that it would
 * have to wait for.
 */
#ifndef EP_SYMBOLIZER_H
#define EP_SYMBOLIZER_H

#include "fields.h"

struct ep_symbolizer {
    char *const *arguments; /* the first is the program's path, behind the last is NULL */
    uint64_t deadline_ns;   /* by CLOCK_MONOTONIC: when it is killed */
    size_t most_bytes;      /* of an answer: who writes more is killed */
};

/*
 * Adds what it answers to `answer`. It need not be whole: that is for its end to tell. 0; -1 and
 * errno: ETIMEDOUT, EFBIG, ENOMEM, or why the program could not be started.
 */
int ep_symbolizer_ask(const struct ep_symbolizer *symbolizer, const struct ep_fields *request,
                      struct ep_fields *answer);

#endif /* EP_SYMBOLIZER_H */
