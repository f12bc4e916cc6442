/*
 * probe_record.h - a thread's record that is no thread's: for pairs that are not the program's
 */
#ifndef EP_PROBE_RECORD_H
#define EP_PROBE_RECORD_H

#include "process.h"
#include "thread.h"

/* The one site that its scopes have. No line of the program, or the first scope of a signal handler
 * would be taken for one of them; above it there is no place. */
enum { EP_PROBE_SITE = EP_SITE_OTHER, EP_PROBE_SITES = EP_PROBE_SITE + 1 };

/*
 * With one pair of no instance (EP_HANDLE_PROBE) and one scope of no site: the real calls
 * record into it as they do everywhere else. Its mark "busy" keeps signal handlers out, a
 * control cell of its own keeps it from other threads' resets.
 */
struct ep_probe_record {
    struct ep_thread *thread;
    ep_ref cells; /* a block */
    struct ep_control_cell control;
    struct ep_place places[EP_PROBE_SITES];
};

/* false: no memory. The caller holds the process lock. */
bool ep_probe_record_begin(struct ep_probe_record *record);

/* The pair, and the node of the scope, without any call yet. */
const struct ep_pair_cell *ep_probe_record_pair(struct ep_probe_record *record);
const struct ep_node_cell *ep_probe_record_scope(struct ep_probe_record *record);

#endif /* EP_PROBE_RECORD_H */
