/*
 * statistics_move.h - figures go from one cell to another, and a kill finds each in one of them
 *
 * What is kept of a hold, and what a thread takes over from an ended one of its name, is moved
 * field by field: added there, and zeroed here. What is in between stands in the thread's
 * struct ep_move_cell, so that who reads the image of a killed process can finish it
 * (image_mend.h).
 */
#ifndef EP_STATISTICS_MOVE_H
#define EP_STATISTICS_MOVE_H

#include "statistics.h"

/* Moves a counter of this thread's own cells. */
void ep_statistics_move_counter(uint64_t *to, uint64_t *from);

/* Moves all but min and max, which stay here too. ep_statistics_reserve() was called; where
 * there was no memory, that octave's counts are lost. The thread is busy. */
void ep_statistics_move(struct ep_statistics *to, struct ep_statistics *from);

#endif /* EP_STATISTICS_MOVE_H */
