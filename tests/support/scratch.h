/*
 * scratch.h - an empty directory for each test, which becomes the current directory
 */
#ifndef SCRATCH_H
#define SCRATCH_H

#include "test.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int scratch_enter(void **state);

/* Removes files and empty directories. */
int scratch_leave(void **state);

size_t scratch_files(void);

/* The content of a file; it is valid until the next call. */
const char *scratch_read(const char *path);

void scratch_write(const char *path, const char *text);

#endif /* SCRATCH_H */
