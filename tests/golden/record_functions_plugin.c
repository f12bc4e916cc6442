/* record_functions_plugin.c - the library that record_functions.c loads, and then removes */
#include <stdint.h>

static void is_static(void (*pass)(uint64_t))
{
    pass(40);
}

void plugin_run(void (*pass)(uint64_t));

void plugin_run(void (*pass)(uint64_t))
{
    pass(300);
    is_static(pass);
}
