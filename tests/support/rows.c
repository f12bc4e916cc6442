#include "rows.h"

size_t find_rows(const eprof_snapshot *snapshot, const char *kind, const char *name,
                 const char *thread, struct eprof_row *row)
{
    size_t found = 0;
    memset(row, 0, sizeof *row);
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row here = {.size = sizeof here};
        if (eprof_snapshot_row(snapshot, i, &here) != 0 || (kind && strcmp(here.kind, kind) != 0) ||
            (name && strcmp(here.name, name) != 0) || (thread && strcmp(here.thread, thread) != 0))
            continue;
        *row = here;
        found++;
    }
    return found;
}

size_t take_rows(eprof_snapshot *(*take)(void), const char *kind, const char *name,
                 const char *thread, struct eprof_row *row)
{
    eprof_snapshot *snapshot = take();
    size_t found = find_rows(snapshot, kind, name, thread, row);
    eprof_snapshot_free(snapshot);
    row->kind = row->name = row->path = row->thread = row->file = NULL;
    return found;
}

struct eprof_row instance_row(const char *name)
{
    struct eprof_row row;
    size_t rows = take_rows(eprof_snapshot_take, "instance", name, "*", &row);
    if (rows != 1)
        fail_msg("the instance %s has %zu rows", name, rows);
    return row;
}

struct eprof_row thread_row(const char *name, const char *thread)
{
    struct eprof_row row;
    size_t rows = take_rows(eprof_snapshot_take_threads, "instance", name, thread, &row);
    if (rows != 1)
        fail_msg("the instance %s has %zu rows for the thread %s", name, rows, thread);
    return row;
}

size_t count_rows(const char *kind)
{
    struct eprof_row row;
    return take_rows(eprof_snapshot_take, kind, NULL, NULL, &row);
}

size_t count_thread_rows(const char *name, const char *thread)
{
    struct eprof_row row;
    return take_rows(eprof_snapshot_take_threads, "instance", name, thread, &row);
}

uint64_t diagnostic_count(const char *name)
{
    struct eprof_row row;
    take_rows(eprof_snapshot_take, "diagnostic", name, NULL, &row);
    return row.calls;
}

bool has_counts_only(void)
{
    const char *value = getenv("TREE_TEXT");
    return value && strcmp(value, "counts") == 0;
}

bool counts_open_calls(void)
{
    const char *value = getenv("EPROF");
    return value && strstr(value, "budget=1/");
}

void assert_figures(struct eprof_row row, uint64_t calls, uint64_t total_ns)
{
    assert_int_equal(row.calls, calls);
    assert_ns(row.timed, calls);
    assert_ns(row.total_ns, total_ns);
    assert_int_equal(row.errors, 0);
    assert_int_equal(row.open, 0);
}
