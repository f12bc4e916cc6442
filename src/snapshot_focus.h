/*
 * snapshot_focus.h - one scope of a snapshot, and what is below it, as the whole
 */
#ifndef EP_SNAPSHOT_FOCUS_H
#define EP_SNAPSHOT_FOCUS_H

#include "snapshot.h"

/*
 * Leaves all out but the scopes of this path, or of this name at any place, and what is below
 * them: each is a root then, but one inside another belongs to that. Paths stay what they were.
 * Tops are added up anew. 0; -1 with ENOENT, where there is none and nothing was left out, or
 * ENOMEM.
 */
int ep_focus_on(struct eprof_snapshot *snapshot, const char *path);

#endif /* EP_SNAPSHOT_FOCUS_H */
