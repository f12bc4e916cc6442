/*
 * entries_plugin.c - a library that the program with entries opens and closes
 */
#include "entries_program.h"

int plugin_function(int n);

static volatile int constructed;

__attribute__((constructor)) static ENTERED void plugin_construct(void)
{
    constructed = 100;
}

static ENTERED int plugin_leaf(int n)
{
    return n + constructed;
}

ENTERED int plugin_function(int n)
{
    return plugin_leaf(n) + plugin_leaf(n);
}
