/*
 * wrapped.h - the function that reads a part of a file in place of ep_file_read_at() (--wrap)
 */
#ifndef WRAPPED_H
#define WRAPPED_H

#include <stdint.h>
#include <sys/types.h>

typedef ssize_t (*file_reader)(int file, uint64_t from, void *to, size_t bytes);

/* NULL: the real function is called. */
extern file_reader wrapped_reader;

ssize_t __real_ep_file_read_at(int file, uint64_t from, void *to, size_t bytes);

#endif /* WRAPPED_H */
