#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "snapshot/figures.h"
#include "snapshot/making.h"
#include "snapshot/series.h"

/* ---- rows and their strings ---- */

const struct eprof_row ep_rows_empty = {
    .size = sizeof ep_rows_empty,
    .thread = "*",
    .file = "",
    .id = -1,
    .cpu_ns = EPROF_UNKNOWN,
    .wait_ns = EPROF_UNKNOWN,
    .unit = "",
    .per_second = EPROF_UNKNOWN,
    .processes = EPROF_UNKNOWN,
    .process_min_ns = EPROF_UNKNOWN,
    .process_mean_ns = EPROF_UNKNOWN,
    .process_max_ns = EPROF_UNKNOWN,
    .process_stddev_ns = EPROF_UNKNOWN,
    .process_slowest = EPROF_UNKNOWN,
    .imbalance_millionths = EPROF_UNKNOWN,
};

void ep_rows_without_processes(struct eprof_row *row)
{
    for (size_t i = 0; i < EP_PROCESS_FIELDS; i++)
        memcpy((char *)row + ep_columns_of_processes[i].offset, &(uint64_t){EPROF_UNKNOWN},
               sizeof(uint64_t));
}

struct eprof_row *ep_rows_add_unset(struct eprof_snapshot *snapshot, size_t count)
{
    if (snapshot->row_room - snapshot->row_count < count) {
        size_t least = snapshot->row_count + count, twice = snapshot->row_room * 2;
        size_t room = least < 64 ? 64 : least > twice ? least : twice;
        struct eprof_row *grown =
            room <= SIZE_MAX / sizeof *grown ? realloc(snapshot->rows, room * sizeof *grown) : NULL;
        if (!grown) {
            errno = ENOMEM;
            return NULL;
        }
        snapshot->rows = grown;
        snapshot->row_room = room;
    }
    snapshot->row_count += count;
    return &snapshot->rows[snapshot->row_count - count];
}

struct eprof_row *ep_rows_add(struct eprof_snapshot *snapshot)
{
    struct eprof_row *row = ep_rows_add_unset(snapshot, 1);
    if (row)
        *row = ep_rows_empty;
    return row;
}

const char *ep_rows_text(struct eprof_snapshot *snapshot, const char *text, size_t bytes)
{
    return ep_memory_text(&snapshot->strings, text, bytes);
}

const char *ep_rows_image_text(struct eprof_snapshot *snapshot, ep_ref text, uint32_t bytes)
{
    return text ? ep_rows_text(snapshot, ep_image_string(snapshot->image, text), bytes) : "";
}

/* They begin at the parenthesis that belongs to the last one. */
size_t ep_rows_bytes_without_parameters(const struct eprof_row *row)
{
    const char *name = row->name, *end = strrchr(name, ')');
    int depth = 0;
    for (const char *at = end; at && at >= name && strcmp(row->kind, "function") == 0; at--) {
        depth += *at == ')';
        depth -= *at == '(';
        if (depth == 0 && at > name)
            return (size_t)(at - name);
    }
    return strlen(name);
}

bool ep_rows_is_called(const struct eprof_row *row, const char *name)
{
    size_t bytes = strlen(row->name);
    const char *slash = strrchr(row->file, '/'), *file = slash ? slash + 1 : row->file;
    char line[24];
    if (strncmp(row->name, name, bytes) != 0)
        return strlen(name) == ep_rows_bytes_without_parameters(row) &&
               strncmp(row->name, name, strlen(name)) == 0;
    name += bytes;
    if (!*name || !*file || strncmp(name, " (", 2) != 0)
        return !*name;
    name += strlen(" (");
    bytes = strlen(file);
    snprintf(line, sizeof line, ":%u)", row->line);
    return strncmp(name, file, bytes) == 0 && strcmp(name + bytes, line) == 0;
}

/* The bytes of an arena are not aligned. */
bool ep_rows_take_ladder(struct eprof_snapshot *snapshot, const struct ep_figures *figures,
                         const struct ep_histogram *histogram,
                         const struct ep_correction *correction, struct eprof_row *row,
                         struct ep_ladder **ladder)
{
    *ladder = NULL;
    if (!snapshot->options.ladders || snapshot->options.summaries)
        return true;
    size_t align = _Alignof(struct ep_ladder);
    char *taken = ep_memory_take(&snapshot->strings, sizeof **ladder + align - 1);
    if (!taken)
        return false;
    *ladder = (struct ep_ladder *)(taken + (align - (uintptr_t)taken % align) % align);
    **ladder =
        ep_ladder_of(figures, histogram, correction, ep_series_summand(row, EP_SERIES_TIMED));
    return true;
}

void ep_rows_number_name(char name[24], uint32_t number)
{
    if (number)
        snprintf(name, 24, "thread %u", (unsigned)number);
    else
        snprintf(name, 24, "main");
}

const char *ep_rows_thread_name(struct eprof_snapshot *snapshot,
                                const struct ep_thread_cell *thread)
{
    if (thread->name)
        return ep_rows_image_text(snapshot, thread->name, thread->name_bytes);
    char name[24];
    ep_rows_number_name(name, thread->number);
    return ep_rows_text(snapshot, name, strlen(name));
}

/* ---- paths ---- */

static bool is_escaped(char c)
{
    return c == ';' || c == '\\';
}

static size_t escaped_bytes(const char *name)
{
    size_t bytes = 0;
    for (const char *c = name; *c; c++)
        bytes += is_escaped(*c) ? 2 : 1;
    return bytes;
}

/* Writes `name` so that it ends before `end`; returns its beginning. */
static char *write_before(char *end, const char *name)
{
    for (const char *c = name + strlen(name); c > name;) {
        *--end = *--c;
        if (is_escaped(*c))
            *--end = '\\';
    }
    return end;
}

const char *ep_rows_path_of_name(struct eprof_snapshot *snapshot, const char *name)
{
    if (!strpbrk(name, ";\\"))
        return name;
    size_t bytes = escaped_bytes(name);
    char *path = ep_memory_take(&snapshot->strings, bytes + 1);
    if (path) {
        path[bytes] = '\0';
        write_before(path + bytes, name);
    }
    return path;
}

/* Paths are written backwards, from the row to its root, or to a row whose path is known. */

static size_t path_bytes(const struct eprof_snapshot *snapshot, size_t row)
{
    size_t bytes = 0;
    for (; row != SIZE_MAX && !snapshot->rows[row].path;
         row = ep_rows_position(snapshot, row)->parent)
        bytes += escaped_bytes(snapshot->rows[row].name) + 1;
    return row == SIZE_MAX ? bytes - 1 : bytes + strlen(snapshot->rows[row].path);
}

static void write_path(const struct eprof_snapshot *snapshot, size_t row, char *end)
{
    for (;; *--end = ';') {
        end = write_before(end, snapshot->rows[row].name);
        row = ep_rows_position(snapshot, row)->parent;
        if (row == SIZE_MAX)
            return;
        const char *known = snapshot->rows[row].path;
        if (known) {
            *--end = ';';
            /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): more text follows */
            memcpy(end - strlen(known), known, strlen(known));
            return;
        }
    }
}

char *ep_rows_path_copy(const struct eprof_snapshot *snapshot, size_t row)
{
    if (snapshot->rows[row].path)
        return strdup(snapshot->rows[row].path);
    size_t bytes = path_bytes(snapshot, row);
    /* NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): a row adds a byte at least */
    char *path = malloc(bytes + 1);
    if (path) {
        path[bytes] = '\0';
        write_path(snapshot, row, path + bytes);
    }
    return path;
}

const char *ep_rows_path(struct eprof_snapshot *snapshot, size_t row)
{
    if (!snapshot->rows[row].path) {
        char *path = ep_rows_path_copy(snapshot, row);
        snapshot->rows[row].path = path ? ep_rows_text(snapshot, path, strlen(path)) : NULL;
        free(path);
    }
    return snapshot->rows[row].path;
}

/* ---- trees and their tops ---- */

/* Each tree has a copy of its thread's name: the pointer distinguishes threads of equal names. */
bool ep_rows_part_next(const struct eprof_snapshot *snapshot, struct ep_part *part)
{
    size_t row = part->end, top = part->top_end;
    if (row >= snapshot->diagnostic_first)
        return false;
    const char *thread = snapshot->rows[row].thread;
    part->first = row;
    part->top_first = top;
    while (row < snapshot->diagnostic_first && snapshot->rows[row].thread == thread)
        row = ep_rows_position(snapshot, row)->end;
    while (top < snapshot->top_count && snapshot->tops[top].thread == thread)
        top++;
    part->end = row;
    part->top_end = top;
    part->number++;
    return true;
}

static struct ep_whole add_up(const struct eprof_snapshot *snapshot, const struct ep_part *part)
{
    struct ep_whole whole = {.thread = snapshot->rows[part->first].thread,
                             .positions = part->end - part->first,
                             .sites = part->top_end - part->top_first};
    for (size_t row = part->first; row < part->end; row = ep_rows_position(snapshot, row)->end)
        whole.total_ns = ep_saturating_add(whole.total_ns, snapshot->rows[row].total_ns);
    for (size_t top = part->top_first; top < part->top_end; top++) {
        whole.self_ns = ep_saturating_add(whole.self_ns, snapshot->tops[top].self_ns);
        whole.functions += strcmp(snapshot->tops[top].kind, "function") == 0;
    }
    return whole;
}

struct ep_whole ep_rows_part_whole(const struct eprof_snapshot *snapshot,
                                   const struct ep_part *part)
{
    const struct ep_whole *whole = snapshot->wholes;
    while (whole && whole->thread && whole->thread != snapshot->rows[part->first].thread)
        whole++;
    return whole ? *whole : add_up(snapshot, part);
}

int ep_rows_part_note_wholes(struct eprof_snapshot *snapshot)
{
    struct ep_part part = {.end = snapshot->scope_first};
    while (ep_rows_part_next(snapshot, &part))
        ;
    struct ep_whole *wholes = calloc(part.number + 1, sizeof *wholes);
    if (!wholes) {
        errno = ENOMEM;
        return -1;
    }
    part = (struct ep_part){.end = snapshot->scope_first};
    while (ep_rows_part_next(snapshot, &part))
        wholes[part.number - 1] = add_up(snapshot, &part);
    snapshot->wholes = wholes;
    return 0;
}

/* ---- removing and sorting rows ---- */

static size_t count_kept(const uint32_t *moved, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        kept += moved[i] != EP_MAP_NONE;
    return kept;
}

/* Moves element i of an array to moved[i] - base; EP_MAP_NONE: it is removed. */
static int move(void *things, size_t bytes, const uint32_t *moved, size_t count, size_t base)
{
    size_t kept = count_kept(moved, count);
    char *copy = malloc(kept * bytes + 1);
    if (!copy) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t i = 0; i < count; i++)
        if (moved[i] != EP_MAP_NONE)
            memcpy(copy + (moved[i] - base) * bytes, (char *)things + i * bytes, bytes);
    if (kept)
        memcpy(things, copy, kept * bytes);
    free(copy);
    return 0;
}

/* A scope whose parent is removed becomes a root. Parents come before their children. */
static void renumber(struct ep_tree_position *positions, size_t count, size_t first,
                     const uint32_t *moved)
{
    for (size_t i = 0; i < count; i++) {
        struct ep_tree_position *position = &positions[i];
        uint32_t parent = position->parent == SIZE_MAX ? EP_MAP_NONE : moved[position->parent];
        position->parent = parent == EP_MAP_NONE ? SIZE_MAX : parent;
        position->depth = parent == EP_MAP_NONE ? 0 : positions[parent - first].depth + 1;
        position->end = first + i + 1;
    }
    for (size_t i = count; i-- > 0;) {
        size_t parent = positions[i].parent;
        if (parent != SIZE_MAX && positions[parent - first].end < positions[i].end)
            positions[parent - first].end = positions[i].end;
    }
}

int ep_rows_move(struct eprof_snapshot *snapshot, const uint32_t *moved)
{
    size_t rows = snapshot->diagnostic_first, first = snapshot->scope_first;
    size_t diagnostics = snapshot->row_count - rows;
    size_t instances = count_kept(moved, first);
    size_t scopes = count_kept(&moved[first], rows - first), kept = instances + scopes;
    if (move(snapshot->rows, sizeof *snapshot->rows, moved, rows, 0) != 0 ||
        move(snapshot->positions, sizeof *snapshot->positions, &moved[first], rows - first,
             instances) ||
        (snapshot->instance_slots &&
         move(snapshot->instance_slots, sizeof *snapshot->instance_slots, moved, first, 0)))
        return -1;
    renumber(snapshot->positions, scopes, instances, moved);
    for (size_t i = 0; i < snapshot->value_count; i++) {
        size_t *around = &snapshot->value_marks[i].around;
        *around = *around == SIZE_MAX || moved[*around] == EP_MAP_NONE ? SIZE_MAX : moved[*around];
    }
    if (diagnostics)
        memmove(&snapshot->rows[kept], &snapshot->rows[rows], diagnostics * sizeof *snapshot->rows);
    snapshot->scope_first = instances;
    snapshot->diagnostic_first = kept;
    snapshot->row_count = kept + diagnostics;
    return 0;
}

int ep_rows_keep(struct eprof_snapshot *snapshot, const bool *is_kept)
{
    uint32_t *moved = malloc((snapshot->diagnostic_first + 1) * sizeof *moved), kept = 0;
    if (!moved) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t row = 0; row < snapshot->diagnostic_first; row++)
        moved[row] = is_kept[row] ? kept++ : EP_MAP_NONE;
    int result = ep_rows_move(snapshot, moved);
    free(moved);
    return result;
}

int ep_rows_move_tops(struct eprof_snapshot *snapshot, const uint32_t *moved)
{
    size_t count = snapshot->top_count;
    snapshot->top_count = count_kept(moved, count);
    if (move(snapshot->tops, sizeof *snapshot->tops, moved, count, 0) != 0)
        return -1;
    return move(snapshot->top_marks, sizeof *snapshot->top_marks, moved, count, 0);
}
