/*
 * counted.c - linked into every program and library: its counts are known to counts.c
 */
#include "counts.h"

/* gcc's, and hidden: every program and library has its own. */
extern void __gcov_dump(void);
extern void __gcov_reset(void);

static const struct counts own = {__gcov_dump, __gcov_reset};

__attribute__((constructor)) static void begin(void)
{
    counts_add(&own);
}

/* Late, but before gcc's own, which is 100. */
__attribute__((destructor(101))) static void end(void)
{
    counts_end(&own);
}
