/*
 * record/thread_life.h - how a thread's record begins and ends, and which thread has it next
 *
 * The figures of a thread stay in place when the thread ends: its record and its cells go to the
 * next thread of the same name (or of none), which continues the same row. So a hundred thousand
 * threads in turn need no more memory than one. The contents of a record are in thread.h; the
 * moment at which a thread gets one is decided in process_life.h. All functions are called with the
 * process lock.
 */
#ifndef EP_RECORD_THREAD_LIFE_H
#define EP_RECORD_THREAD_LIFE_H

#include <stdint.h>

struct ep_thread;

/* A record for this thread under `name` (NULL: none), which becomes ep_thread_self. NULL and
 * ENOMEM. */
struct ep_thread *ep_thread_life_begin(const char *name, uint32_t name_bytes);
/* Ends this thread's record, if it has one. */
void ep_thread_life_end(void);
/* Names this thread, which has a record. 0, or -1 and ENOMEM. */
int ep_thread_life_rename(const char *name, uint32_t name_bytes);
/* In a forked child: no record has a thread; the one of the forking thread can be found again by
 * its pthread_self(). Calls that were in progress on other threads are ended. */
void ep_thread_life_forget_all(void);

/* Once in a process: `end` is called when a thread that has begun ends. 0, or -1 and ENOMEM. */
int ep_thread_life_watch_ends(void (*end)(void *unused));
/* The library is being unloaded. */
void ep_thread_life_unwatch_ends(void);

#endif /* EP_RECORD_THREAD_LIFE_H */
