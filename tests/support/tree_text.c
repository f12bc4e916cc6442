#include "tree_text.h"

static int tree_compare_lines(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

char *tree_line(const struct eprof_row *row)
{
    char more[64] = "", *line = NULL;
    size_t bytes = 0;
    if (row->open)
        bytes += (size_t)snprintf(more, sizeof more, " open %" PRIu64, row->open);
    if (row->errors)
        snprintf(more + bytes, sizeof more - bytes, " errors %" PRIu64, row->errors);
    if (has_counts_only()) {
        if (asprintf(&line, "%s %" PRIu64 "/%" PRIu64 "%s\n", row->path, row->calls,
                     row->outermost - row->errors, more) < 0)
            abort();
        return line;
    }
    if (asprintf(&line, "%s %" PRIu64 "/%" PRIu64 " %" PRIu64 " %" PRIu64 "%s\n", row->path,
                 row->calls, row->timed, row->total_ns, row->self_ns, more) < 0)
        abort();
    return line;
}

const char *tree_join(char **lines, size_t count)
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

bool tree_has(const struct eprof_row *row)
{
    return strcmp(row->kind, "scope") == 0 || strcmp(row->kind, "function") == 0;
}

const char *tree_text_of(eprof_snapshot *(*take)(void), const char *thread)
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

const char *tree_text(void)
{
    return tree_text_of(eprof_snapshot_take, "*");
}

/* Writes a line without the two times after its counts. A budget counts open calls too, of which
 * one is the outermost. */
static void write_counts(FILE *to, const char *line, size_t bytes)
{
    const char *slash = memrchr(line, '/', bytes), *path_end = slash;
    uint64_t open = 0;
    if (!slash) {
        fwrite(line, 1, bytes, to);
        return;
    }
    while (path_end > line && path_end[-1] != ' ')
        path_end--;
    uint64_t calls = strtoull(path_end, NULL, 10), outermost = strtoull(slash + 1, NULL, 10);
    const char *rest = slash + strcspn(slash, " \n");
    for (int times = 0; times < 2 && *rest == ' '; times++)
        rest += 1 + strcspn(rest + 1, " \n");
    if (counts_open_calls() && sscanf(rest, " open %" SCNu64, &open) == 1) {
        calls += open;
        outermost++;
    }
    fwrite(line, 1, (size_t)(path_end - line), to);
    fprintf(to, "%" PRIu64 "/%" PRIu64, calls, outermost);
    fwrite(rest, 1, (size_t)(line + bytes - rest), to);
}

const char *tree_expected(const char *text)
{
    static char *reduced;
    if (!has_counts_only())
        return text;
    free(reduced);
    size_t room;
    FILE *to = open_memstream(&reduced, &room);
    if (!to)
        abort();
    for (size_t bytes; *text; text += bytes) {
        bytes = strcspn(text, "\n");
        bytes += text[bytes] == '\n';
        write_counts(to, text, bytes);
    }
    fclose(to);
    return reduced;
}
