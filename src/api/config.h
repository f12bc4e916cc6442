/*
 * api/config.h - the items of EPROF= and eprof_setup()
 *
 * The grammar: item,item,... where `\,` is a comma, `\\` a backslash, `%p` the process id and `%%`
 * a percent sign. The items:
 *
 *     FORMAT[:OPTION]...        a report to stderr at exit
 *     FORMAT[:OPTION]...=PATH   a report to a file at exit; `-` is stdout
 *     image=PATH                a file that contains the image
 *     source=NAME               may name a source that the program adds later
 *     limit=BYTES               of the call trees; K, M, G
 *     auto=PATTERN              functions that are recorded; after `!`, that are not
 *     depth=N                   the depth of functions in the tree
 *     budget=PERCENT            of the time, for timing: a part of the calls; 1/N; or `off`
 *     mpi=PATH                  the profile file of a job of MPI
 *     mpi-calls=off             no calls of MPI are recorded
 *     symbolizer=PATH           the program that looks up the names of functions
 *     quiet                     nothing is printed at exit; files are written
 *     off                       nothing is recorded
 *
 * An item of the environment takes precedence over the program's. All functions are called with
 * the process lock held.
 */
#ifndef EP_API_CONFIG_H
#define EP_API_CONFIG_H

#include "clock/source.h"

/*
 * Carries the items out. For each item that it does not understand or cannot carry out, a line is
 * written to stderr. Returns 0, or -1 and EINVAL or ENOMEM.
 */
int ep_config_setup(const char *items);

/* The program has added a source, which may be the one that EPROF names. */
void ep_config_source_added(const char *name);

/* Selects a source, and measures the cost of probes with it before it is needed. */
void ep_config_use_source(const struct ep_source *source);

/* For ep_upward: reads EPROF= and registers the reports at exit. Once. */
void ep_config_first_use(void);
/* For ep_upward: says once that patterns can be matched against dynamic symbols only. */
void ep_config_filter_is_blind(void);

#endif /* EP_API_CONFIG_H */
