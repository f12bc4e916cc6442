/*
 * labels.h - a few labels, and a snapshot in which each is used in each place where a label is
 * allowed
 */
#ifndef LABELS_H
#define LABELS_H

#include "../../support/made_snapshot.h"

enum { LABELS_MOST = 5 };

/* A label of the twin: no report contains this text otherwise. */
#define LABELS_TWIN "qz%zuq"

struct labels {
    char *text[LABELS_MOST];
    char *path[LABELS_MOST]; /* the number of an instance with this label */
    size_t count;
};

/* Splits the bytes at each NUL; there is at least one label. */
void labels_read(struct labels *labels, const uint8_t *data, size_t size);

/* The same number of harmless labels: equal where the others are equal, and empty where they are
 * empty. */
void labels_make_twin(struct labels *twin, const struct labels *labels);

/* The report on the twin must be equal to the report itself, except for the labels. Returns the
 * text with each label in its place, in the form of `shown`. The caller frees it. */
char *labels_fill_in(const struct labels *labels, const char *text, char *(*shown)(const char *));

/* Returns whether all labels are different. */
bool labels_are_distinct(const struct labels *labels);

void labels_free(struct labels *labels);

/* Each label is used for an instance, for a scope at the root and for one inside another, for a
 * file, for the command and, `by_threads`, for a thread. All figures are different. */
struct eprof_snapshot *labels_tree(struct made_tree *tree, const struct labels *labels,
                                   bool by_threads);

#endif /* LABELS_H */
