/*
 * view_model.h - the expected result of a view of a snapshot: the same rules, applied in a simple,
 * slow way
 *
 * The id of a row is its number in the snapshot before the view.
 */
#ifndef VIEW_MODEL_H
#define VIEW_MODEL_H

#include "support/made_snapshot.h"

#include <fnmatch.h>

#include "snapshot/view.h"

enum { MODEL_MOST = 128, MODEL_PATH_BYTES = 4096 };

/* The first fields describe the snapshot before the view. */
struct model {
    size_t scope_first, count, top_count;
    struct eprof_row rows[MODEL_MOST], tops[MODEL_MOST];
    struct ep_tree_position places[MODEL_MOST]; /* one for each row */
    char paths[MODEL_MOST][MODEL_PATH_BYTES];
    const struct ep_view *view;
    bool is_there[MODEL_MOST]; /* within thread and focus */
    bool is_root[MODEL_MOST];
    bool is_kept[MODEL_MOST];
    /* the expected result */
    size_t expected[MODEL_MOST]; /* ids of rows, in order */
    size_t expected_count, expected_instances;
    struct eprof_row expected_tops[MODEL_MOST];
    size_t expected_top_count;
    int error; /* 0: the view succeeds */
};

/* ---------------------------------------------------------------- before -- */

void model_append_name(char *path, const char *name);
void model_begin(struct model *model, struct eprof_snapshot *snapshot, const struct ep_view *view);

/* ------------------------------------------------------------------ order -- */

/* ---- kept rows ---- */

/* Fewer than `top` matching rows of its kind come before it. */
bool model_is_chosen(const struct model *model, size_t row);

/* ---- rows below the kept ones ---- */

/* ------------------------------------------------------------------- tops -- */

/* ------------------------------------------------------------------- all -- */

void model_view(struct model *model);

#endif /* VIEW_MODEL_H */
