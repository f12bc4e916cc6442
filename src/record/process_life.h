/*
 * record/process_life.h - set-up at first use, fork, unloading, and the lock that includes both
 *
 * The lock, the mark "this process is set up" and the hot records of threads lie in memory that the
 * kernel zeroes in a forked child (MADV_WIPEONFORK). So after fork, clone and _Fork alike a child
 * begins with a free lock and without the mark, even if another thread of the parent held the lock.
 * The first thread to take the lock finds no mark and makes the copy of the image the child's own.
 * pthread_atfork only keeps the copy from being taken while a thread changes the image.
 *
 * The mutex alone is in process_lock.h, the data in process.h.
 */
#ifndef EP_RECORD_PROCESS_LIFE_H
#define EP_RECORD_PROCESS_LIFE_H

#include "record/process_lock.h"

struct ep_thread;

/* Takes the lock of everything that is not hot. Sets the process up at first use, and a forked
 * child as well. 0; -1 with ENOMEM: not locked. Until the unlock, a signal handler of this thread
 * that needs the lock finds the thread busy and counts its call as lost. */
int ep_process_lock(void);
void ep_process_unlock(void);

/* This thread's record, made or taken over if there is none. NULL: there is no memory, or this is a
 * signal handler that interrupted a cold path; counted. */
struct ep_thread *ep_process_self(void);

/* The library is being unloaded: frees all memory, closes the image's file and deletes the key of
 * threads' ends. Every later call is lost. No other thread is in a call. */
void ep_process_release(void);

#endif /* EP_RECORD_PROCESS_LIFE_H */
