#include "plugin.h"

#include <eprof.h>

plugin_work work_of_plugin;

static void inner(void)
{
    EPROF_FUNC;
    pass(1);
}

/* All names are in the plug-in, which is unloaded before they are reported. */
void work_of_plugin(int id)
{
    EPROF_FUNC;
    static char label[] = "of the plug-in";
    int own_id = eprof_alloc(label);
    eprof_start(own_id);
    EPROF_BLOCK("block of the plug-in") inner();
    eprof_enter("entered by the plug-in");
    pass(10);
    eprof_leave();
    eprof_stop(own_id);
    eprof_release(own_id);
    eprof_start(id);
    pass(5);
    eprof_stop(id);
}
