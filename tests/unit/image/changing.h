/*
 * changing.h - an image made by hand that changes while it is copied, at the reading that the test
 * chooses
 */
#ifndef CHANGING_H
#define CHANGING_H

#include "support/fake_profile.h"

#include <stdlib.h>

#include "image/check.h"
#include "image/copy.h"

extern struct ep_image copy;

/* It is called before each reading, with the number of readings before this one. */
extern void (*before_reading)(unsigned number, ep_ref first, uint32_t count);
extern unsigned readings;

int read_fake(void *context, ep_ref first, uint32_t count, union ep_cell *cells);

extern struct ep_image_origin origin;

int changing_begin(void **state);
int changing_end(void **state);
uint32_t count(void);
uint32_t *changes(void);
void take(void);

/* From now on the number given to before_reading starts at 0 again. */
void reread(void (*hook)(unsigned, ep_ref, uint32_t));
void *in_copy(const void *cell);
const struct ep_node_cell *copied_node(const struct ep_node_cell *node);
bool is_reading(const void *cell, ep_ref first);

#endif /* CHANGING_H */
