/*
 * snapshot_text.h - the complete content of a snapshot as text, one line for each item
 *
 * No report has all fields, but this text has: two snapshots with the same text are equal.
 */
#ifndef SNAPSHOT_TEXT_H
#define SNAPSHOT_TEXT_H

#include "snapshot/snapshot.h"

/* The caller frees the text. */
char *snapshot_text(struct eprof_snapshot *snapshot);

/* The texts of an image with each set of options, one after another; the caller frees them.
 * `is_net`: the image is a sum without the cost of the probes, which has no raw snapshot. */
char *snapshot_text_of_image(const struct ep_image *image, bool is_net);

/* Ends the program if the texts differ, and prints the first line that does. Frees both. */
void require_same_text(char *text, char *other, const char *what);

#endif /* SNAPSHOT_TEXT_H */
