/*
 * bench_reference.h - the instructions of start and stop on memory of the thread's own
 *
 * No library, and nothing that two threads share. What the library costs on two
 * threads and this does not is sharing; what this costs too is the machine's,
 * whose two processors may be one core's threads, or yield to other guests.
 */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include <stdint.h>

void bench_reference_pairs(uint64_t pairs);

#endif /* BENCH_REFERENCE_H */
