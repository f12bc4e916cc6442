/*
 * bench_instance.h - loops over instances, and the pair of raw reads beside them
 *
 * A loop's body is what a program would write around an empty region.
 */
#ifndef BENCH_INSTANCE_H
#define BENCH_INSTANCE_H

#include <stdint.h>

/* The counter read twice, and the difference added up. */
void bench_raw_pairs(uint64_t pairs);

/* The instance of all loops but the ones over many. */
extern int bench_id;

void bench_instance_pairs(uint64_t pairs);  /* the inline calls of the header */
void bench_pointer_pairs(uint64_t pairs);   /* the exported functions, as another language calls */
void bench_span_pairs(uint64_t pairs);      /* now, now, record */
void bench_recursive_pairs(uint64_t pairs); /* start, start, stop, stop: two pairs */
void bench_rotating_pairs(uint64_t pairs);  /* each pair the next instance's, in turn */

/* Makes the one instance, under the processor's counter. 0, or -1 and errno. */
int bench_instance_begin(void);

/* Makes `count` instances for bench_rotating_pairs(). 0, or -1 and errno. */
int bench_rotation_begin(unsigned count);

/* Gives all of them back. */
void bench_instance_end(void);

#endif /* BENCH_INSTANCE_H */
