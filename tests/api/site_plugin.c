#include "site_shared.h"

void plugin_main(uint64_t ticks);

void plugin_main(uint64_t ticks)
{
    EPROF_FUNC;
    pass(ticks);
    EPROF_BLOCK("in the plug-in") pass(ticks);
}
