/*
 * record/process_lock.h - the mutex of everything that is not hot, and the change counter of the
 * image
 *
 * The counter is odd while the mutex is held, so that a reader of the image's file reads again.
 * Unlike ep_process_lock() in process_life.h, this locks only: it does not set the process up and
 * does not mark the thread busy.
 */
#ifndef EP_RECORD_PROCESS_LOCK_H
#define EP_RECORD_PROCESS_LOCK_H

#include "record/process.h"

/* For cold paths that have marked their thread busy themselves. The holder may lock it again. */
void ep_process_mutex_lock(void);
void ep_process_mutex_unlock(void);

#endif /* EP_RECORD_PROCESS_LOCK_H */
