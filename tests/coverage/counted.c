/*
 * counted.c - linked into each program and library: it registers their counts with counts.c
 */
#include "counts.h"

/* They are functions of gcc, and hidden: each program and library has its own. */
extern void __gcov_dump(void);
extern void __gcov_reset(void);

static const struct counts own = {__gcov_dump, __gcov_reset};

__attribute__((constructor)) static void begin(void)
{
    counts_add(&own);
}

/* It runs late, but before gcc's own destructor, which has priority 100. */
__attribute__((destructor(101))) static void end(void)
{
    counts_end(&own);
}
