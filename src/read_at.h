/*
 * read_at.h - a part of a file, read whole, whatever interrupts that
 */
#ifndef EP_READ_AT_H
#define EP_READ_AT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Reads `bytes` bytes from `offset` on, fewer where the file ends. How many there were; -1 and
 * errno. */
ssize_t ep_read_at(int file, uint64_t offset, void *to, size_t bytes);

#endif /* EP_READ_AT_H */
