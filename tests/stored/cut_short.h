/*
 * cut_short.h - a program that records more than its image file has room for
 */
#ifndef CUT_SHORT_H
#define CUT_SHORT_H

#include "program.h"
#include "stored.h"

enum { PATHS = 8000 /* about half a KiB each */ };

static inline void assert_cut_short_is_said(const struct program *program, const char *why)
{
    char line[128];
    assert_memory_equal(program->err, "eprof: image /", 14);
    snprintf(line, sizeof line, "/%s does not grow any more: %s\n", program_path(program), why);
    const char *end = strstr(program->err, line);
    if (!end || strchr(end, '\n')[1])
        fail_msg("not one line that ends with \"%s\": \"%s\"", line, program->err);
}

struct seen {
    size_t rows;        /* scopes in the snapshot of the program at its end, */
    uint64_t calls;     /* and their calls; */
    uint64_t lost;      /* calls counted as lost or without a cell */
    uint64_t instances; /* calls of instances */
};

static inline void look(struct seen *seen)
{
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        bool is_scope = strcmp(row.kind, "scope") == 0;
        seen->rows += is_scope;
        seen->calls += is_scope ? row.calls : 0;
        seen->instances += strcmp(row.kind, "instance") == 0 ? row.calls : 0;
        if (strcmp(row.name, "lost") == 0 || strcmp(row.name, "out_of_cells") == 0)
            seen->lost += row.calls;
    }
    eprof_snapshot_free(snapshot);
}

static inline void enter_numbered(const char *name, int number)
{
    char label[32];
    snprintf(label, sizeof label, "%s %d", name, number);
    program_enter(label);
}

/* Records more scopes than fit; the first scope is recorded again at the end, when no more scopes
 * fit. */
static inline void record_many(void)
{
    hand_clock_use();
    int id = eprof_alloc("a");
    program_record(id);
    program_enter("first");
    for (int i = 0; i < PATHS; i++)
        enter_numbered("path", i);
    program_enter("first");
    program_record(id);
}

static inline void record_many_and_look(void *seen)
{
    record_many();
    look(seen);
}

/* The program has all calls; the file has the scopes from before the disk was full, with their
 * final figures. */
static inline void assert_cut_short(const char *path, uint64_t least_rows)
{
    struct stored stored;
    uint64_t rows = 0;
    stored_open(&stored, path);
    assert_int_equal(stored_identity(&stored)->cut_short, 1);
    assert_int_equal(stored_row(&stored, "scope", "first", "*").calls, 2);
    assert_int_equal(stored_row(&stored, "scope", "first", "*").total_ns, 20);
    for (size_t i = 0; i < stored.snapshot->row_count; i++) {
        struct eprof_row row = stored_row_at(&stored, i);
        if (strncmp(row.name, "path ", 5) != 0)
            continue;
        rows++;
        assert_int_equal(row.calls, 1);
        assert_int_equal(row.total_ns, 10);
    }
    if (rows < least_rows || rows >= PATHS)
        fail_msg("%" PRIu64 " of %d paths are in the file", rows, PATHS);
    assert_int_equal(stored_row(&stored, "diagnostic", "cut_short", "*").calls, 1);
    stored_close(&stored);
}

static inline void assert_whole_in_memory(const struct seen *seen)
{
    assert_int_equal(seen->rows, PATHS + 1);
    assert_int_equal(seen->calls, PATHS + 2);
    assert_int_equal(seen->instances, 2);
    assert_int_equal(seen->lost, 0);
}

#endif /* CUT_SHORT_H */
