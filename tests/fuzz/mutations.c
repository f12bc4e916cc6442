/*
 * mutations.c - a short run of the mutator without a fuzzer; it is the same each time
 *
 *     mutations DIRECTORY COUNT
 *
 * It continues several times from images that are still sound, and then begins with the next file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/random.h"
#include "fuzz_target.h"
#include "input_files.h"

enum { MOST_IN_A_ROW = 8 };

/* It replaces the function of the fuzzer: one byte is changed. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    if (size == 0 && max_size > 0)
        data[size++] = 0;
    if (size == 0)
        return 0;
    size_t place = (size_t)(random_next() % size);
    data[place] = (uint8_t)random_next();
    return size;
}

static void run(const struct input *inputs, size_t files, unsigned long count)
{
    static uint64_t data[FUZZ_LARGEST_BYTES / sizeof(uint64_t)]; /* aligned like an image */
    size_t size = 0, next = 0;
    int in_a_row = 0;
    for (unsigned long i = 0; i < count; i++) {
        if (in_a_row == 0) {
            const struct input *from = &inputs[next++ % files];
            size = from->size < sizeof data ? from->size : sizeof data;
            memcpy(data, from->data, size);
        }
        size = LLVMFuzzerCustomMutator((uint8_t *)data, size, sizeof data, (unsigned)i);
        unsigned long refused = fuzz_counts.refused;
        LLVMFuzzerTestOneInput((const uint8_t *)data, size);
        in_a_row = fuzz_counts.refused > refused ? 0 : (in_a_row + 1) % MOST_IN_A_ROW;
    }
}

int main(int count, char **words)
{
    if (count != 3) {
        fprintf(stderr, "usage: %s DIRECTORY COUNT\n", words[0]);
        return 2;
    }
    struct input *inputs;
    size_t files = input_files_read(words[1], &inputs);
    run(inputs, files, strtoul(words[2], NULL, 10));
    input_files_free(inputs, files);
    printf("%lu sound, %lu refused\n", fuzz_counts.sound, fuzz_counts.refused);
    /* Refused and sound inputs must each be at least a fifth of all, otherwise the mutator is
     * broken: without changes of single fields 15 in 100 are refused, and with them 29. */
    unsigned long all = fuzz_counts.sound + fuzz_counts.refused;
    return fuzz_counts.sound > all / 5 && fuzz_counts.refused > all / 5 ? 0 : 1;
}
