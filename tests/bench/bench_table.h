/*
 * bench_table.h - the figures as a table for people, or as CSV
 */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "bench_cases.h"

void bench_table_heading(bool is_csv);
void bench_table_case(const struct bench_case *one, const struct bench_result *result, bool is_csv);
void bench_table_figure(const struct bench_figure *figure, double value, bool is_csv);

/* Prints the names of all cases and figures, with a description. */
void bench_table_list(void);

#endif /* BENCH_TABLE_H */
