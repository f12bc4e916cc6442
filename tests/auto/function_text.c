#include "function_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines ---- */

/* The line of this path; it is added if there is none. */
static struct function_line *line_of(struct function_text *text, const char *path, size_t bytes)
{
    struct function_line *line = text->line;
    for (; line < text->line + text->count; line++)
        if (strlen(line->path) == bytes && strncmp(line->path, path, bytes) == 0)
            return line;
    if (text->count == FUNCTION_TEXT_ROWS || bytes >= FUNCTION_TEXT_PATH_BYTES)
        fail_msg("no room for the %zuth row: %s", text->count, path);
    text->count++;
    memset(line, 0, sizeof *line);
    memcpy(line->path, path, bytes);
    return line;
}

static int compare_lines(const void *one, const void *other)
{
    const struct function_line *x = one, *y = other;
    return strcmp(x->path, y->path);
}

/* ---- text ---- */

static const char *join(struct function_text *text)
{
    size_t end = 0;
    text->whole[0] = '\0';
    qsort(text->line, text->count, sizeof text->line[0], compare_lines);
    for (const struct function_line *line = text->line; line < text->line + text->count; line++) {
        end += (size_t)sprintf(text->whole + end, "%s %" PRIu64, line->path, line->calls);
        if (line->open)
            end += (size_t)sprintf(text->whole + end, " open %" PRIu64, line->open);
        end += (size_t)sprintf(text->whole + end, "\n");
    }
    return text->whole;
}

static uint64_t ended(const struct eprof_row *row)
{
    return row->calls - (function_text_counts_open ? row->open : 0);
}

static bool is_shown(const struct eprof_row *row)
{
    return strcmp(row->kind, "function") == 0 || strcmp(row->kind, "scope") == 0;
}

const char *function_text(void)
{
    static struct function_text text;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    text.count = 0;
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (!is_shown(&row))
            continue;
        struct function_line *line = line_of(&text, row.path, strlen(row.path));
        /* with entries, a timed call that a jump left is open until something is called there */
        line->calls += ended(&row) + (function_text_has_entries ? row.open : 0);
        line->open += function_text_has_entries ? 0 : row.open;
    }
    eprof_snapshot_free(snapshot);
    return join(&text);
}

const char *function_text_by_name(struct function_text *names, const char *tree)
{
    names->count = 0;
    for (const char *at = tree; *at; at = strchr(at, '\n') + 1) {
        const char *end = strchr(at, ' '), *name = end;
        char *behind;
        while (name > at && name[-1] != ';')
            name--;
        struct function_line *line = line_of(names, name, (size_t)(end - name));
        line->calls += strtoull(end, &behind, 10);
        if (*behind == ' ')
            line->open += strtoull(behind + strlen(" open"), NULL, 10);
    }
    return join(names);
}

/* ---- figures of a name ---- */

static struct eprof_row sum_of(const char *name)
{
    struct eprof_row sum = {.size = sizeof sum};
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (strcmp(row.name, name) != 0)
            continue;
        sum.calls += ended(&row);
        sum.open += row.open;
    }
    eprof_snapshot_free(snapshot);
    return sum;
}

uint64_t function_calls(const char *name)
{
    return sum_of(name).calls;
}

uint64_t function_open(const char *name)
{
    return sum_of(name).open;
}
