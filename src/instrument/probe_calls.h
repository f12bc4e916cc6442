/*
 * instrument/probe_calls.h - the calls by which probe_cost.c measures what a probe costs: real
 * calls of the library, around some work, into a record that belongs to no thread
 */
#ifndef EP_INSTRUMENT_PROBE_CALLS_H
#define EP_INSTRUMENT_PROBE_CALLS_H

#include "record/instance_cells.h"
#include "record/thread.h"

enum { EP_PROBE_PAIRS = 32 /* a round, one after the other or nested */ };

/* EP_PROBE_PAIRS calls, each around some work or none. Multiplies the number on, and returns it. */
typedef uint64_t ep_probe_round(uint64_t number);

/* The rounds of one kind of call, each beside a round of the same code without probes. */
struct ep_probe_calls {
    ep_probe_round *timed; /* around ep_probe_calls_only_work() */
    /* without work, inside each other as in recursion: they cost less than one after the other, and
     * a recursive function does little in each call */
    ep_probe_round *nested, *without_nested;
    ep_probe_round *untimed, *without_untimed; /* only counted; without work */
    ep_probe_round *sampled; /* timed ones around work, among untimed ones without any */
};

extern const struct ep_probe_calls ep_probe_calls_of_scopes, ep_probe_calls_of_functions;

uint64_t ep_probe_calls_of_instances(uint64_t number); /* a round of pairs, around work */
uint64_t ep_probe_calls_only_work(uint64_t number);
uint64_t ep_probe_calls_no_work(uint64_t number);

/* Of all `sampled` rounds since both were set to 0: the time of the timed calls, and the number of
 * untimed ones. */
struct ep_probe_calls_sampled {
    uint64_t timed_ticks, untimed;
};

extern struct ep_probe_calls_sampled ep_probe_calls_sampled;

/* Makes the record ready. The rounds record into it while it is ep_thread_self. NULL: no memory.
 * The caller holds the process lock. */
struct ep_thread *ep_probe_calls_begin(void);

/* Clears the node, and makes values be recorded in it, as below the innermost scope. false: without
 * edges they are not measured. After the rounds the node is to be cleared. */
bool ep_probe_calls_begin_values(void);
uint64_t ep_probe_calls_of_values(uint64_t number);   /* a round, between work */
uint64_t ep_probe_calls_only_values(uint64_t number); /* without work */

/* Makes the function known that the rounds of functions call. false: no memory. It is called before
 * each measurement, since patterns may have changed: it is no function of the program. */
bool ep_probe_calls_add_function(void);

/* The pair of instances, and the node of scopes and functions, cleared. Each call of the node is
 * timed, in the way of the budget if there is one. The node lends its edges to eprof_hot, so the
 * caller saves that. */
const struct ep_instance_cells *ep_probe_calls_pair(void);
const struct ep_node_cell *ep_probe_calls_node(void);

#endif /* EP_INSTRUMENT_PROBE_CALLS_H */
