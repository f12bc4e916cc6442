#include "site_shared.h"

/* Name, label and line are those of the other twin. */
static void twin(uint64_t ticks)
{
    EPROF_FUNC;
    EPROF_BLOCK("twin block") pass(ticks);
}

void twin_one(uint64_t ticks)
{
    twin(ticks);
}

void twin_one_calls_inline(uint64_t ticks)
{
    shared_inline(ticks);
}
