/*
 * scope_row.h - the row of a scope by its path
 */
#ifndef SCOPE_ROW_H
#define SCOPE_ROW_H

#include "rows.h"

/* The figures of the only scope with this path, all zero if there is none. Asserts nothing. */
struct eprof_row scope_row(const char *path);

#endif /* SCOPE_ROW_H */
