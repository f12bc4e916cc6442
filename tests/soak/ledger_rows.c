#include "ledger.h"

#include <stdio.h>
#include <string.h>

static struct row row_of(const struct ledger_figures *figures)
{
    return (struct row){.calls = figures->calls,
                        .timed = figures->timed,
                        .total_ns = figures->total_ticks, /* one tick is one ns */
                        .self_ns = figures->self_ticks,
                        .min_ns = figures->min_ticks,
                        .max_ns = figures->max_ticks};
}

/* ---- instances ---- */

static void add_instances(const struct ledger_book *book, const char *thread, struct rows *rows)
{
    for (int instance = 0; instance < LEDGER_INSTANCES; instance++) {
        char label[24];
        struct row row = row_of(&book->accounts[0].instances[instance]);
        row.self_ns = row.total_ns;
        for (int i = 0; i < book->open[instance]; i++) {
            const struct ledger_pair *pair = &book->pairs[instance][i];
            row.open += !pair->is_void && pair->level == 0;
        }
        if (instance == LEDGER_TEMPORARY)
            snprintf(label, sizeof label, "temporary %d", book->number);
        else
            snprintf(label, sizeof label, "shared %d", instance);
        if (row.calls || row.open)
            rows_add(rows, "instance", label, thread, &row);
    }
}

/* ---- the call tree of a thread ---- */

static void count_open(const struct ledger_book *book, struct row *nodes)
{
    for (int i = 0; i < book->depth; i++) {
        const struct ledger_scope *scope = &book->scopes[i];
        nodes[scope->node].open += !scope->is_void && scope->level == 0;
    }
}

/*
 * A node that has only nodes inside it is shown with their time. So is an open node, since the
 * ledger does not know the current time on a clock that each thread has for itself. Children are
 * handled before their parents.
 */
static void hand_up(const struct ledger_book *book, struct row *nodes, bool *is_shown)
{
    uint64_t below_ns[LEDGER_NODES] = {0};
    for (int i = book->node_count - 1; i > 0; i--) {
        struct row *node = &nodes[i];
        is_shown[i] |= node->calls || node->open;
        if (!is_shown[i])
            continue;
        uint64_t known_ns = node->self_ns + below_ns[i];
        if ((node->open || !node->calls) && known_ns > node->total_ns)
            node->total_ns = known_ns;
        is_shown[book->nodes[i].parent] = true;
        below_ns[book->nodes[i].parent] += node->total_ns;
    }
}

static void write_path(const struct ledger_book *book, int node, char *path, size_t bytes)
{
    int above[LEDGER_DEPTH], depth = 0;
    size_t length = 0;
    for (; node; node = book->nodes[node].parent)
        above[depth++] = book->nodes[node].label;
    path[0] = '\0';
    while (depth > 0 && length < bytes)
        length += (size_t)snprintf(path + length, bytes - length, "%s%s", length ? ";" : "",
                                   ledger_labels[above[--depth]]);
}

static void add_tree(const struct ledger_book *book, const char *thread, struct rows *rows)
{
    struct row nodes[LEDGER_NODES] = {{.key = ""}};
    bool is_shown[LEDGER_NODES] = {false};
    char path[64];
    for (int i = 0; i < book->node_count; i++)
        nodes[i] = row_of(&book->accounts[0].nodes[i]);
    count_open(book, nodes);
    hand_up(book, nodes, is_shown);
    for (int i = 1; i < book->node_count; i++) {
        if (!is_shown[i])
            continue;
        write_path(book, i, path, sizeof path);
        rows_add(rows, "scope", path, thread, &nodes[i]);
    }
}

void ledger_rows(const struct ledger *ledger, bool by_thread, struct rows *rows)
{
    rows_clear(rows);
    for (int i = 0; i < LEDGER_BOOKS; i++) {
        const struct ledger_book *book = &ledger->books[i];
        const char *thread = by_thread ? book->thread : "*";
        add_instances(book, thread, rows);
        add_tree(book, thread, rows);
    }
    rows_settle(rows);
}
