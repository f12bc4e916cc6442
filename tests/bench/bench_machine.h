/*
 * bench_machine.h - a description of the machine on which the figures were measured
 */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdio.h>

/* Prints processor, counter and its rate, system, date, compiler and linkage, with `prefix` before
 * each line. Takes about 50 ms, to measure the rate. */
void bench_machine_print(FILE *out, const char *prefix);

#endif /* BENCH_MACHINE_H */
