/*
 * replay.c - runs the inputs of a corpus, as a fuzzer does, but without a fuzzer
 *
 *     replay DIRECTORY
 *
 * A file named bad-... must be refused, and each other file must be found sound.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "fuzz_target.h"
#include "input_files.h"

/* Returns whether the result is the one that the name requires. */
static bool is_replayed(const struct input *input)
{
    unsigned long sound = fuzz_counts.sound;
    printf("%s: ", input->name); /* printed first, in case the program ends here */
    fflush(stdout);
    LLVMFuzzerTestOneInput(input->data, input->size);
    bool is_sound = fuzz_counts.sound > sound;
    bool is_expected = is_sound != (strncmp(input->name, "bad-", 4) == 0);
    printf("%s%s\n", is_sound ? "sound" : "refused", is_expected ? "" : ", which is wrong");
    return is_expected;
}

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s DIRECTORY\n", words[0]);
        return 2;
    }
    struct input *inputs;
    size_t files = input_files_read(words[1], &inputs);
    size_t wrong = 0;
    for (size_t i = 0; i < files; i++)
        wrong += !is_replayed(&inputs[i]);
    input_files_free(inputs, files);
    printf("%zu files, %zu of them wrong\n", files, wrong);
    return wrong != 0;
}
