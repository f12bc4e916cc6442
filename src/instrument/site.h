/*
 * instrument/site.h - the call sites of a program, each with a number: file, line and label, or a
 * function
 *
 * Sites with equal contents are one site, wherever they lie: the copies of an inline function in
 * two files, a plug-in that was closed and opened again. A trie in the image finds them (Wellons:
 * Hash-trie, nullprogram.com, 2023); it only grows, so a look-up takes no lock. A site is not a
 * node: it has one node for each call path, in record/tree.h.
 */
#ifndef EP_INSTRUMENT_SITE_H
#define EP_INSTRUMENT_SITE_H

#include "eprof.h"
#include "record/thread.h"

/*
 * The number of a site, given at its first visit; texts are copied. label: NULL is "". file: NULL
 * if it has none. 0 and ENOMEM: no memory. Takes the mutex for a new site; the thread is busy.
 */
uint32_t ep_site_number(const char *file, uint32_t line, const char *label);

/* The same for a site that is no ordinary scope. */
uint32_t ep_site_of_kind(const struct eprof_site *site, enum ep_site_kind kind);
/* The same for EP_SITE_OVER: a frame has one such site, also if its budgets differ. */
uint32_t ep_site_of_excess(const struct eprof_site *frame, uint64_t budget_ns);

/* The same for a function: by its module and its address in the module's file. */
uint32_t ep_site_of_function(ep_ref module, uint64_t function);

/* The number of a site that has one already, without a lock; else 0. */
uint32_t ep_site_known(const char *file, uint32_t line, const char *label);

/* The number is the same in every thread. 0: none yet. */
EP_INLINE void ep_site_set_number(struct eprof_site *site, uint32_t number)
{
    if (number && number < EP_THREAD_SITES)
        __atomic_store_n(&site->offset, number * EPROF_EDGE_BYTES, __ATOMIC_RELAXED);
    __atomic_store_n(&site->number, number, __ATOMIC_RELAXED);
}

/* The site of eprof_site_for() with a number, made at the first call. NULL and ENOMEM. Lock. */
struct eprof_site *ep_site_named(uint32_t number);

/* How many bytes of a text are kept: at most EP_LABEL_BYTES, cut at a character boundary. */
uint32_t ep_site_kept_bytes(const char *text);

#endif /* EP_INSTRUMENT_SITE_H */
