/*
 * labels.h - a few labels, and a snapshot in which each stands wherever a label may
 */
#ifndef LABELS_H
#define LABELS_H

#include "../../support/made_snapshot.h"

enum { LABELS_MOST = 5 };

/* A twin: no report says this of itself. */
#define LABELS_TWIN "qz%zuq"

struct labels {
    char *text[LABELS_MOST];
    char *path[LABELS_MOST]; /* of an instance that is called so */
    size_t count;
};

/* Parts the bytes at each NUL; there is one label at least. */
void labels_read(struct labels *labels, const uint8_t *data, size_t size);

/* As many that do no harm: equal where the others are, and empty where they are. */
void labels_make_twin(struct labels *twin, const struct labels *labels);

/* What a report of the twin says is, but for the labels, what the report itself says: the text with
 * each label in its place, as `shown` shows it. To be freed. */
char *labels_fill_in(const struct labels *labels, const char *text, char *(*shown)(const char *));

/* Whether no two are equal. */
bool labels_are_distinct(const struct labels *labels);

void labels_free(struct labels *labels);

/* Each is the label of an instance, of a scope at the root and of one inside another, a file, the
 * command and, `by_threads`, a thread. No figure is there twice. */
struct eprof_snapshot *labels_tree(struct made_tree *tree, const struct labels *labels,
                                   bool by_threads);

#endif /* LABELS_H */
