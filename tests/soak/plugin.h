/* plugin.h - what test_plugin.c calls of a plug-in */
#ifndef SOAK_PLUGIN_H
#define SOAK_PLUGIN_H

#include <stdint.h>

/* The test's: moves the clock. */
void pass(uint64_t ticks);

/* 11 ns in scopes and an instance of its own, which is there for this call alone; then the `id` of
 * the program, for 5 ns. */
typedef void plugin_work(int id);

#endif /* SOAK_PLUGIN_H */
