/*
 * fuzz_target.h - the functions that a fuzzer calls, and those that it offers (the interface of
 * libFuzzer)
 *
 * https://llvm.org/docs/LibFuzzer.html; the programs that replay without libFuzzer call the same.
 */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* The fuzzer makes no larger inputs. The smallest image with an instance is 76 KiB, since slots are
 * made in thousands; this leaves the same amount for threads and trees. */
enum { FUZZ_LARGEST_BYTES = 128 << 10 };

/* The number of inputs that the reader refused, and the number that were read and reported. */
struct fuzz_counts {
    unsigned long refused, sound;
};
extern struct fuzz_counts fuzz_counts;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Random changes by the fuzzer itself. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

#endif /* FUZZ_TARGET_H */
