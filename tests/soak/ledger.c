#include "ledger.h"

#include <stdio.h>
#include <string.h>

enum { ROOT = 0 };

const char *const ledger_labels[LEDGER_LABELS] = {"one", "two", "by hand", "slow"};

void ledger_begin(struct ledger_book *book, const char *thread, int number)
{
    memset(book, 0, sizeof *book);
    snprintf(book->thread, sizeof book->thread, "%s", thread);
    book->number = number;
    book->node_count = 1;
}

static void count(struct ledger_figures *figures, uint64_t ticks, bool is_nested)
{
    figures->calls++;
    if (is_nested)
        return;
    if (!figures->timed || ticks < figures->min_ticks)
        figures->min_ticks = ticks;
    if (ticks > figures->max_ticks)
        figures->max_ticks = ticks;
    figures->timed++;
    figures->total_ticks += ticks;
}

/* ---- scopes: a recursive scope folds into the open node ---- */

static int child_of(struct ledger_book *book, int parent, int label)
{
    for (int i = 1; i < book->node_count; i++)
        if (book->nodes[i].parent == parent && book->nodes[i].label == label)
            return i;
    book->nodes[book->node_count].parent = parent;
    book->nodes[book->node_count].label = label;
    return book->node_count++;
}

void ledger_enter(struct ledger_book *book, int label, uint64_t now_ticks)
{
    struct ledger_scope scope = {
        .label = label, .level = book->level, .node = ROOT, .start_ticks = now_ticks};
    for (int i = 0; i < book->depth; i++) {
        if (book->scopes[i].label != label)
            continue;
        scope.node = book->scopes[i].node;
        scope.is_nested |= !book->scopes[i].is_void;
    }
    int parent = book->depth ? book->scopes[book->depth - 1].node : ROOT;
    if (scope.node == ROOT)
        scope.node = child_of(book, parent, label);
    book->scopes[book->depth++] = scope;
}

uint64_t ledger_leave(struct ledger_book *book, uint64_t now_ticks)
{
    const struct ledger_scope *scope = &book->scopes[--book->depth];
    uint64_t ticks = now_ticks - scope->start_ticks;
    if (scope->is_void)
        return ticks;
    struct ledger_figures *figures = &book->accounts[scope->level].nodes[scope->node];
    count(figures, ticks, scope->is_nested);
    figures->self_ticks += ticks - scope->child_ticks;
    if (book->depth)
        book->scopes[book->depth - 1].child_ticks += ticks;
    return ticks;
}

/* ---- instances ---- */

void ledger_start(struct ledger_book *book, int instance, uint64_t now_ticks)
{
    struct ledger_pair pair = {.level = book->level, .start_ticks = now_ticks};
    for (int i = 0; i < book->open[instance]; i++)
        pair.is_nested |= !book->pairs[instance][i].is_void;
    book->pairs[instance][book->open[instance]++] = pair;
}

void ledger_stop(struct ledger_book *book, int instance, uint64_t now_ticks)
{
    const struct ledger_pair *pair = &book->pairs[instance][--book->open[instance]];
    if (!pair->is_void)
        count(&book->accounts[pair->level].instances[instance], now_ticks - pair->start_ticks,
              pair->is_nested);
}

void ledger_span(struct ledger_book *book, int instance, uint64_t ticks)
{
    count(&book->accounts[book->level].instances[instance], ticks, false);
}

void ledger_release(struct ledger_book *book, int instance)
{
    for (int level = 0; level < LEDGER_LEVELS; level++)
        book->accounts[level].instances[instance] = (struct ledger_figures){.calls = 0};
}

/* ---- holds ---- */

static void add(struct ledger_figures *into, const struct ledger_figures *figures)
{
    if (figures->timed && (!into->timed || figures->min_ticks < into->min_ticks))
        into->min_ticks = figures->min_ticks;
    if (figures->max_ticks > into->max_ticks)
        into->max_ticks = figures->max_ticks;
    into->calls += figures->calls;
    into->timed += figures->timed;
    into->total_ticks += figures->total_ticks;
    into->self_ticks += figures->self_ticks;
}

void ledger_hold(struct ledger_book *book)
{
    memset(&book->accounts[++book->level], 0, sizeof book->accounts[0]);
    book->child_before[book->level] = book->depth ? book->scopes[book->depth - 1].child_ticks : 0;
}

/* The time of dropped calls stays in the scope around them. */
void ledger_keep(struct ledger_book *book, bool keep)
{
    const struct ledger_account *held = &book->accounts[book->level];
    struct ledger_account *around = &book->accounts[--book->level];
    if (!keep && book->depth)
        book->scopes[book->depth - 1].child_ticks = book->child_before[book->level + 1];
    for (int i = 0; keep && i < book->node_count; i++)
        add(&around->nodes[i], &held->nodes[i]);
    for (int i = 0; keep && i < LEDGER_INSTANCES; i++)
        add(&around->instances[i], &held->instances[i]);
}

/* ---- the whole ---- */

static void forget(struct ledger_book *book)
{
    memset(book->accounts, 0, sizeof book->accounts);
    for (int i = 0; i < book->depth; i++)
        book->scopes[i].is_void = true;
    for (int instance = 0; instance < LEDGER_INSTANCES; instance++)
        for (int i = 0; i < book->open[instance]; i++)
            book->pairs[instance][i].is_void = true;
}

void ledger_reset(struct ledger *ledger)
{
    for (int i = 0; i < LEDGER_BOOKS; i++)
        forget(&ledger->books[i]);
}

/* An open hold belongs to the parent process; calls that other threads have open do not exist in
 * the child. */
void ledger_fork(struct ledger *ledger, struct ledger_book *own)
{
    ledger_reset(ledger);
    for (int i = 0; i < LEDGER_BOOKS; i++) {
        struct ledger_book *book = &ledger->books[i];
        book->level = 0;
        if (book == own)
            continue;
        book->depth = 0;
        memset(book->open, 0, sizeof book->open);
    }
}
