/*
 * input_files.h - the inputs in a directory, in the order of their names
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

/* Returns the number of inputs. Ends the program if the directory or a file in it cannot be read,
 * or if there is no file. */
size_t input_files_read(const char *directory, struct input **inputs);
void input_files_free(struct input *inputs, size_t count);

#endif /* INPUT_FILES_H */
