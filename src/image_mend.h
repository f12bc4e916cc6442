/*
 * image_mend.h - what a kill interrupted is finished
 *
 * A thread that is killed while it keeps a hold, or takes over what an ended one of its name
 * recorded, leaves figures in two places. What it was doing stands in the image
 * (struct ep_move_cell), and is done here in a private copy, so that a hold is in it whole or
 * not at all.
 */
#ifndef EP_IMAGE_MEND_H
#define EP_IMAGE_MEND_H

#include "image.h"

/* Of a copy that was found sound, of an image whose process is gone. Nothing but figures
 * changes: it is as sound afterwards. 0; -1 and ENOMEM: then the copy is of no use. */
int ep_image_mend(struct ep_image *copy);

#endif /* EP_IMAGE_MEND_H */
