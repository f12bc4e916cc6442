/*
 * complain.h - a line on stderr: eprof: NAME: what is wrong; what helps
 */
#ifndef EP_CLI_COMPLAIN_H
#define EP_CLI_COMPLAIN_H

#include "compiler.h"

/* All of it is shown as names are on a terminal: in one line, whatever is in it. `name` NULL:
 * there is none. */
void ep_complain(const char *name, const char *format, ...) EP_PRINTF(2, 3);
/* ENOMEM; there is no remedy. Returns -1. */
int ep_complain_of_memory(void);

#endif /* EP_CLI_COMPLAIN_H */
