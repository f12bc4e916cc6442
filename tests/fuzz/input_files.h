/*
 * input_files.h - the inputs that lie in a directory, in the order of their names
 */
#ifndef INPUT_FILES_H
#define INPUT_FILES_H

#include <stddef.h>
#include <stdint.h>

struct input {
    char *name;
    uint8_t *data;
    size_t size;
};

/* How many. Ends the program where the directory or a file in it cannot be read, or no file is
 * there. */
size_t input_files_read(const char *directory, struct input **inputs);
void input_files_free(struct input *inputs, size_t count);

#endif /* INPUT_FILES_H */
