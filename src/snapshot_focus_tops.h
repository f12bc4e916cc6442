/*
 * snapshot_focus_tops.h - the tops, added up from the rows that a focus has left
 *
 * Not from the image: of a site at several places, the percentiles are those of the place
 * where they are the largest. The others are what they would be.
 */
#ifndef EP_SNAPSHOT_FOCUS_TOPS_H
#define EP_SNAPSHOT_FOCUS_TOPS_H

#include "snapshot.h"

/* In place of those that there are, by self time. 0, or -1 and ENOMEM. */
int ep_focus_tops_add_up(struct eprof_snapshot *snapshot);

#endif /* EP_SNAPSHOT_FOCUS_TOPS_H */
