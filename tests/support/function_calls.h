/*
 * function_calls.h - how often functions were called, whatever their names
 */
#ifndef FUNCTION_CALLS_H
#define FUNCTION_CALLS_H

#include "rows.h"

/* All calls of all functions; *rows is how many of them there are. */
uint64_t function_calls(size_t *rows);

#endif /* FUNCTION_CALLS_H */
