#include "labels.h"

#include "shown.h"

/* ---- labels ---- */

static void add(struct labels *labels, const char *text, size_t bytes)
{
    char *copy = calloc(bytes + 1, 1);
    assert_non_null(copy);
    memcpy(copy, text, bytes);
    labels->text[labels->count] = copy;
    labels->path[labels->count] = shown_path(labels->text[labels->count]);
    labels->count++;
}

void labels_read(struct labels *labels, const uint8_t *data, size_t size)
{
    const char *at = (const char *)data, *end = at + size;
    labels->count = 0;
    do {
        size_t bytes = at < end ? strnlen(at, (size_t)(end - at)) : 0;
        add(labels, bytes ? at : "", bytes);
        at += bytes + 1;
    } while (at < end && labels->count < LABELS_MOST);
}

void labels_make_twin(struct labels *twin, const struct labels *labels)
{
    twin->count = 0;
    for (size_t i = 0; i < labels->count; i++) {
        char text[16] = "";
        size_t first = 0;
        while (strcmp(labels->text[first], labels->text[i]) != 0)
            first++;
        if (*labels->text[i])
            snprintf(text, sizeof text, LABELS_TWIN, first);
        add(twin, text, strlen(text));
    }
}

/* Returns the begin of the next twin label and its number; NULL: there is none. */
static const char *next_twin(const char *text, size_t *number)
{
    for (; (text = strstr(text, "qz")) != NULL; text++)
        if (text[2] >= '0' && text[2] < '0' + LABELS_MOST && text[3] == 'q') {
            *number = (size_t)(text[2] - '0');
            return text;
        }
    return NULL;
}

char *labels_fill_in(const struct labels *labels, const char *text, char *(*shown)(const char *))
{
    char *filled;
    size_t bytes, number;
    FILE *out = open_memstream(&filled, &bytes);
    assert_non_null(out);
    for (const char *twin; (twin = next_twin(text, &number)) != NULL; text = twin + 4) {
        char *label = shown(labels->text[number]);
        fwrite(text, 1, (size_t)(twin - text), out);
        fputs(label, out);
        free(label);
    }
    fputs(text, out);
    fclose(out);
    return filled;
}

bool labels_are_distinct(const struct labels *labels)
{
    for (size_t i = 0; i < labels->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(labels->text[i], labels->text[k]) == 0)
                return false;
    return true;
}

void labels_free(struct labels *labels)
{
    for (size_t i = 0; i < labels->count; i++) {
        free(labels->text[i]);
        free(labels->path[i]);
    }
}

/* ---- a snapshot ---- */

static void add_instances(struct made_tree *tree, const struct labels *labels, bool by_threads)
{
    for (size_t i = 0; i < labels->count; i++) {
        struct eprof_row row = even_instance((int)i, labels->text[i], 1 + i, 1000 + i);
        row.path = labels->path[i];
        tree->thread = by_threads ? labels->text[i] : "*";
        made_instance(tree, row);
    }
}

static void add_scopes(struct made_tree *tree, const struct labels *labels, bool by_threads)
{
    for (size_t i = 0; i < labels->count; i++) {
        const char *next = labels->text[(i + 1) % labels->count];
        tree->thread = by_threads ? labels->text[i] : "*";
        struct eprof_row *row = made_scope(tree, 0, labels->text[i], 10 + i, 2000 + i);
        row->file = next;
        row->line = (unsigned)i + 1;
        row = made_scope(tree, 1, next, 20 + i, 3000 + i);
        row->file = labels->text[i];
        row->line = (unsigned)i + 100;
    }
}

struct eprof_snapshot *labels_tree(struct made_tree *tree, const struct labels *labels,
                                   bool by_threads)
{
    *tree = (struct made_tree){.rows = NULL};
    add_instances(tree, labels, by_threads);
    add_scopes(tree, labels, by_threads);
    struct eprof_snapshot *snapshot = made_snapshot(tree);
    snapshot->options.threads = by_threads;
    snapshot->command = labels->text[0];
    snapshot->source = labels->text[labels->count - 1];
    return snapshot;
}
