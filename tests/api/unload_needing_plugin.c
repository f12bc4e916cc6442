/* A plug-in that needs a library which contains the static library. */
#include "unload_plugin.h"

plugin_work work_of_plugin; /* of that library */

plugin_work *const work_of_needed_library = work_of_plugin;
