/*
 * cli/gate.h - the exit status of a comparison
 */
#ifndef EP_CLI_GATE_H
#define EP_CLI_GATE_H

#include <stddef.h>

#include "cli/options.h"

/* Returns a path that leads to the same file as another of the paths; NULL: none. Paths that do not
 * exist are ignored. */
const char *ep_gate_twice_find(char *const *paths, size_t count);

/*
 * EP_STATUS_FOUND if a region is slower than --fail-above allows. EP_STATUS_USAGE if verdicts were
 * asked for, by that option or by several files of a side, and there can be none: there are too few
 * files, the sides were measured by different clocks, or there is no region to judge. A line on
 * stderr gives the reason.
 */
int ep_gate_decide(const struct ep_diff_command_options *options, const struct ep_diff *diff);

#endif /* EP_CLI_GATE_H */
