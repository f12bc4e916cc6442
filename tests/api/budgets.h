/*
 * budgets.h - budgets under which most calls of a scope are only counted, inline
 */
#ifndef BUDGETS_H
#define BUDGETS_H

#include "hand_clock.h"
#include "test.h"

#include <string.h>

/* The last is the default. */
static const char *const budgets[] = {"budget=1/64", "budget=1/4096", "budget=2"};
enum { BUDGETS = sizeof budgets / sizeof budgets[0] };

/* Begins anew under this budget. A percentage needs a clock of the library's own: one of the
 * program's own is read at each call. */
static inline void use_budget(const char *budget)
{
    setenv("TREE_TEXT", "counts", 1); /* tree_text.h */
    assert_return_code(eprof_setup(budget), errno);
    if (strcmp(budget, "budget=2") == 0)
        assert_return_code(eprof_source_use("auto"), errno);
    else
        hand_clock_use();
    eprof_init();
}

#endif /* BUDGETS_H */
