/*
 * memory_file.h - bytes as a file that has a path and is on no disk
 */
#ifndef MEMORY_FILE_H
#define MEMORY_FILE_H

#include <stddef.h>

/* The path of the one file that there is, with these bytes in it. */
const char *memory_file_of(const void *data, size_t size);

#endif /* MEMORY_FILE_H */
