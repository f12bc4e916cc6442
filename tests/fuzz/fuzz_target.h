/*
 * fuzz_target.h - what a fuzzer calls, and what it offers (libFuzzer's interface)
 *
 * https://llvm.org/docs/LibFuzzer.html; the programs that replay without libFuzzer call the same.
 */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Larger inputs are not made. The smallest image with an instance is 76 KiB, as slots come by
 * the thousand; this leaves as much again for threads and trees. */
enum { FUZZ_LARGEST_BYTES = 128 << 10 };

/* How many inputs were refused by the reader, and how many were read and reported. */
struct fuzz_counts {
    unsigned long refused, sound;
};
extern struct fuzz_counts fuzz_counts;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Random bytes, by the fuzzer itself. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

#endif /* FUZZ_TARGET_H */
