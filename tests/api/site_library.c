#include "site_shared.h"

void library_scope(uint64_t ticks, void (*inside)(uint64_t ticks))
{
    EPROF_SCOPE("scope");
    pass(ticks);
    inside(ticks);
    shared_inline(ticks);
}
