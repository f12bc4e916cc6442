/*
 * snapshot_text.h - all that a snapshot says, as text: a line for each thing
 *
 * No report has every field. This has: two snapshots with one text are equal.
 */
#ifndef SNAPSHOT_TEXT_H
#define SNAPSHOT_TEXT_H

#include "snapshot/snapshot.h"

/* To be freed. */
char *snapshot_text(struct eprof_snapshot *snapshot);

/* Those of an image with each set of options, one after the other. To be freed. `is_net`: it is a
 * sum without what the probes added, of which there is no raw snapshot. */
char *snapshot_text_of_image(const struct ep_image *image, bool is_net);

/* Ends the program where the texts differ, with the first line that does. Frees both. */
void require_same_text(char *text, char *other, const char *what);

#endif /* SNAPSHOT_TEXT_H */
