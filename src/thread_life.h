/*
 * thread_life.h - how a thread's record begins and ends, and whose it is next
 *
 * What a thread recorded stays when it ends, in place: its record and its cells
 * go to the next thread of the same name (or of none), which goes on in the same
 * row. So a hundred thousand threads in turn need no more than one. All of these
 * are called with the process lock held.
 */
#ifndef EP_THREAD_LIFE_H
#define EP_THREAD_LIFE_H

#include <stdint.h>

struct ep_thread;

/* A record for this thread under `name` (NULL: none), which becomes ep_self. NULL and ENOMEM. */
struct ep_thread *ep_thread_life_begin(const char *name, uint32_t name_bytes);
/* Ends this thread's record, if it has one. */
void ep_thread_life_end(void);
/* Names this thread, which has a record. 0, or -1 and ENOMEM. */
int ep_thread_life_rename(const char *name, uint32_t name_bytes);
/* In a forked child: of all records only the forking thread's still has a thread. */
void ep_thread_life_forget_all(void);

#endif /* EP_THREAD_LIFE_H */
