/*
 * gate.h - what a comparison ends with, for who asks nothing but that
 */
#ifndef EP_CLI_GATE_H
#define EP_CLI_GATE_H

#include "diff_options.h"
#include "status.h"

/*
 * EP_STATUS_FOUND where --fail-above found a region; EP_STATUS_USAGE where verdicts were asked for,
 * by that option or by several files of a side, and there can be none: there are too few files, the
 * sides were measured by different clocks, or no region is to be judged. Each is said in a line on
 * stderr.
 */
enum ep_status ep_gate_decide(const struct ep_diff_command_options *options,
                              const struct ep_diff *diff);

#endif /* EP_CLI_GATE_H */
