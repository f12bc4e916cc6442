/*
 * bench_machine.h - on what the figures were measured
 */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdio.h>

/* Processor, counter and its rate, system, date, compiler and linkage, each
 * line behind `prefix`. Takes some 50 ms, to measure the rate. */
void bench_machine_print(FILE *out, const char *prefix);

#endif /* BENCH_MACHINE_H */
