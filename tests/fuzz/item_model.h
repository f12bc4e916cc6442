/*
 * item_model.h - the grammar of EPROF= once more, as eprof(3) tells it
 *
 * Written without a look at src/: what both have to agree on is the manual.
 */
#ifndef ITEM_MODEL_H
#define ITEM_MODEL_H

#include "item_acts.h"

/* What the items must come to; to be freed as acts are. */
void item_model_of(struct item_acts *acts, const char *items);

/* The items that come to what was done, in the one way that there is to write them: not those
 * that were refused. To be freed. */
char *item_model_write(const struct item_acts *acts);

#endif /* ITEM_MODEL_H */
