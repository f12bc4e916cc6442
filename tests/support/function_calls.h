/*
 * function_calls.h - the number of calls of functions with any name
 */
#ifndef FUNCTION_CALLS_H
#define FUNCTION_CALLS_H

#include "rows.h"

/* The number of all calls of all functions; *rows is set to the number of functions. */
uint64_t function_calls(size_t *rows);

#endif /* FUNCTION_CALLS_H */
