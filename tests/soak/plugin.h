/* plugin.h - the function of a plug-in that test_plugin.c calls */
#ifndef SOAK_PLUGIN_H
#define SOAK_PLUGIN_H

#include <stdint.h>

/* The test defines it: it moves the clock. */
void pass(uint64_t ticks);

/* Records 11 ns in scopes and in its own instance, which exists only during this call; then 5 ns in
 * the instance `id` of the program. */
typedef void plugin_work(int id);

#endif /* SOAK_PLUGIN_H */
