/*
 * deeds.h - the actions of a thread of the soak: each deed is done once with the library, and once
 * in the book of the thread
 */
#ifndef SOAK_DEEDS_H
#define SOAK_DEEDS_H

#include "soak.h"

/* Does one deed, chosen by the dice; it may contain further deeds. If the round is over, the thread
 * waits for the others first, in the middle of its current deeds. */
void deed_next(struct soak_worker *worker);
/* The actions inside a deed: time passes, and there may be further deeds. */
void deed_inside(struct soak_worker *worker);
/* A random number from 0 to `sides` - 1. */
uint64_t deed_dice(struct soak_worker *worker, uint64_t sides);

const char *deed_name(int kind);

/* deeds_scope.c */
void deed_scope(struct soak_worker *worker);
void deed_by_hand(struct soak_worker *worker);
void deed_slow(struct soak_worker *worker);
void deed_hold(struct soak_worker *worker);
/* deeds_instance.c */
void deed_pair(struct soak_worker *worker);
void deed_overlap(struct soak_worker *worker);
void deed_span(struct soak_worker *worker);
void deed_send(struct soak_worker *worker);
void deed_receive(struct soak_worker *worker);
void deed_temporary(struct soak_worker *worker);
/* deeds_look.c */
void deed_snapshot(struct soak_worker *worker);
void deed_report(struct soak_worker *worker);
void deed_save(struct soak_worker *worker);
/* deeds_control.c */
void deed_reset(struct soak_worker *worker);
void deed_change_source(struct soak_worker *worker);
/* deeds_thread.c */
void deed_short_thread(struct soak_worker *worker);
/* deeds_fork.c */
void deed_fork(struct soak_worker *worker);

#endif /* SOAK_DEEDS_H */
