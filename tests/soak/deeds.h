/*
 * deeds.h - what a thread of the soak does: each deed once by the library, and once in its book
 */
#ifndef SOAK_DEEDS_H
#define SOAK_DEEDS_H

#include "soak.h"

/* Does one by its dice; inside of that there may be more. Meets the others where the round is
 * over, in the midst of whatever it is doing. */
void deed_next(struct soak_worker *worker);
/* What happens inside of a deed: time passes, and there may be further ones. */
void deed_inside(struct soak_worker *worker);
/* From 0 to before `sides`. */
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
