/*
 * memory_file.h - gives bytes as a file that has a path but is not on a disk
 */
#ifndef MEMORY_FILE_H
#define MEMORY_FILE_H

#include <stddef.h>

/* The path of the only such file, which gets these bytes as its content. */
const char *memory_file_of(const void *data, size_t size);

#endif /* MEMORY_FILE_H */
