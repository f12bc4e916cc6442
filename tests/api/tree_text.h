/*
 * tree_text.h - the call tree of a snapshot as text, a line for each row of a scope or a function
 *
 *     a 2/1 30 10      path, calls/timed, total and self in ns
 *     a;b 0/0 20 20 open 1
 *
 * and behind that, what is not zero of open and errors. In the order of the bytes, so that a
 * test states a whole tree at once, and a failure shows all of it beside what was expected.
 */
#ifndef TREE_TEXT_H
#define TREE_TEXT_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "figures.h"

static inline int tree_compare_lines(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

/* The line of a row; to be freed. */
static inline char *tree_line(const struct eprof_row *row)
{
    char more[64] = "", *line = NULL;
    size_t bytes = 0;
    if (row->open)
        bytes += (size_t)snprintf(more, sizeof more, " open %" PRIu64, row->open);
    if (row->errors)
        snprintf(more + bytes, sizeof more - bytes, " errors %" PRIu64, row->errors);
    if (asprintf(&line, "%s %" PRIu64 "/%" PRIu64 " %" PRIu64 " %" PRIu64 "%s\n", row->path,
                 row->calls, row->timed, row->total_ns, row->self_ns, more) < 0)
        abort();
    return line;
}

/* Lines in their order, as one text; frees them. The text lives until the next call. */
static inline const char *tree_join(char **lines, size_t count)
{
    static char *text;
    size_t bytes = 1, end = 0;
    if (count)
        qsort(lines, count, sizeof *lines, tree_compare_lines);
    for (size_t i = 0; i < count; i++)
        bytes += strlen(lines[i]);
    char *larger = realloc(text, bytes);
    if (!larger)
        abort();
    text = larger;
    for (size_t i = 0; i < count; i++) {
        strcpy(text + end, lines[i]);
        end += strlen(lines[i]);
        free(lines[i]);
    }
    text[end] = '\0';
    return text;
}

static inline bool tree_has(const struct eprof_row *row)
{
    return strcmp(row->kind, "scope") == 0 || strcmp(row->kind, "function") == 0;
}

/* Of the scopes and functions of the thread of this name; "*": over all threads. The text lives
 * until the next call. */
static inline const char *tree_text_of(eprof_snapshot *(*take)(void), const char *thread)
{
    eprof_snapshot *snapshot = take();
    size_t count = 0;
    char **lines = calloc(eprof_snapshot_rows(snapshot) + 1, sizeof *lines);
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        if (eprof_snapshot_row(snapshot, i, &row) == 0 && tree_has(&row) &&
            strcmp(row.thread, thread) == 0)
            lines[count++] = tree_line(&row);
    }
    eprof_snapshot_free(snapshot);
    const char *text = tree_join(lines, count);
    free(lines);
    return text;
}

static inline const char *tree_text(void)
{
    return tree_text_of(eprof_snapshot_take, "*");
}

/* assert_tree("a 2/1 30 10\n" "a;b 1/1 20 20\n"), or "" */
#define assert_tree(text) assert_string_equal(tree_text(), text)

#endif /* TREE_TEXT_H */
