/*
 * item_model.h - a second implementation of the grammar of EPROF=, as documented in eprof(3)
 *
 * It was written without reading src/, so that both implementations have only the manual in common.
 */
#ifndef ITEM_MODEL_H
#define ITEM_MODEL_H

#include "item_acts.h"

/* The expected acts of the items; they are freed in the same way as acts. */
void item_model_of(struct item_acts *acts, const char *items);

/* The items for the acts, written in the normal form, without those that were refused. The caller
 * frees the text. */
char *item_model_write(const struct item_acts *acts);

#endif /* ITEM_MODEL_H */
