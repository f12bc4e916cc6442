/*
 * Any moves in any order give the tree of a model of the rules.
 *
 * The model consists of a tree and a stack. A scope whose site is already open on this thread folds
 * into the open node. The moves are nested as in a program: a scope of a macro is entered by the
 * call of a function, and left by its return.
 */
#include "batches.h"
#include "hand_clock.h"
#include "random.h"
#include "sanitizer.h"
#include "tree_text.h"

enum { RUNS = TAKES_VERY_LONG ? 40 : (TAKES_LONG ? 100 : 200) };
enum { MOVES = 400, SITES = 6, MANUAL_SITES = 4, NODES = 4096, DEPTH = 24 };

/* ---------------------------------------------------------------- the model -- */

struct node {
    int parent; /* -1: this is the root */
    int site;
    uint64_t calls, timed, total_ns, self_ns;
};

struct entry {
    int node, site;
    bool is_manual;
    bool is_void;   /* it began while recording was off */
    bool counts;    /* and it is not from before a reset */
    bool is_nested; /* inside a counting entry of its site */
    uint64_t start_ns, child_ns;
};

static struct node nodes[NODES];
static int node_count;
static struct entry stack[DEPTH + 1]; /* [0]: the root, which is no scope */
static int depth;
static bool is_off, is_thread_off;
static uint64_t unbalanced, forced_closes;

static const char *const site_names[SITES + MANUAL_SITES] = {"A", "B", "C", "D", "E",
                                                             "F", "a", "b", "c", "d"};

static void model_begin(void)
{
    nodes[0] = (struct node){.parent = -1, .site = -1};
    node_count = 1;
    stack[0] = (struct entry){.site = -1};
    depth = 0;
    unbalanced = forced_closes = 0;
}

static bool is_recording(void)
{
    return !is_off && !is_thread_off;
}

static int model_child(int parent, int site)
{
    for (int i = 0; i < node_count; i++)
        if (nodes[i].parent == parent && nodes[i].site == site)
            return i;
    assert_true(node_count < NODES);
    nodes[node_count] = (struct node){.parent = parent, .site = site};
    return node_count++;
}

/* The entry folds into the open node of its site, or else gets its own node. It is nested if such
 * an entry counts. */
static void model_enter(int site, bool is_manual)
{
    struct entry entry = {.site = site, .is_manual = is_manual, .counts = true};
    entry.node = -1;
    for (int i = 1; i <= depth; i++)
        if (!stack[i].is_void && stack[i].site == site) {
            entry.node = stack[i].node;
            entry.is_nested = entry.is_nested || stack[i].counts;
        }
    if (entry.node < 0)
        entry.node = model_child(stack[depth].node, site);
    entry.start_ns = hand_ticks;
    stack[++depth] = entry;
}

/* While recording is off, a scope of a macro leaves no entry; a scope by hand leaves one, because
 * its end will come. */
static void model_enter_void(void)
{
    stack[depth + 1] =
        (struct entry){.node = stack[depth].node, .site = -1, .is_manual = true, .is_void = true};
    depth++;
}

static void model_leave_top(void)
{
    struct entry *entry = &stack[depth--];
    struct node *node = &nodes[entry->node];
    if (!entry->counts) {
        stack[depth].child_ns += entry->child_ns;
        return;
    }
    uint64_t whole_ns = hand_ticks - entry->start_ns;
    node->calls++;
    node->timed += !entry->is_nested;
    node->total_ns += entry->is_nested ? 0 : whole_ns;
    node->self_ns += whole_ns - entry->child_ns;
    stack[depth].child_ns += whole_ns;
}

/* Leaves all entries down to `to`. Only `to` itself is left in the regular way; those above it are
 * forced closes. */
static void model_leave_to(int to)
{
    while (depth >= to) {
        forced_closes += depth > to && stack[depth].counts;
        model_leave_top();
    }
}

static void model_reset(void)
{
    for (int i = 0; i < node_count; i++)
        nodes[i].calls = nodes[i].timed = nodes[i].total_ns = nodes[i].self_ns = 0;
    for (int i = 1; i <= depth; i++)
        stack[i].counts = false;
    unbalanced = forced_closes = 0;
}

/* ------------------------------------------------- the result of the model -- */

struct shown {
    struct node with_open; /* including the time so far of open entries */
    uint64_t open, begun_outermost;
    bool is_shown;
};

static void add_open(struct shown *shown)
{
    for (int i = 1; i <= depth; i++) {
        struct shown *here = &shown[stack[i].node];
        if (!stack[i].counts)
            continue;
        uint64_t whole_ns = hand_ticks - stack[i].start_ns, inside_ns = stack[i].child_ns;
        for (int above = i + 1; above <= depth; above++)
            if (stack[above].counts) {
                inside_ns += hand_ticks - stack[above].start_ns;
                break;
            } else
                inside_ns += stack[above].child_ns;
        here->open++;
        here->begun_outermost += !stack[i].is_nested;
        here->with_open.total_ns += stack[i].is_nested ? 0 : whole_ns;
        here->with_open.self_ns += whole_ns - inside_ns;
    }
}

/* A node that exists only for nodes inside it has their time. Children have higher numbers than
 * parents. */
static void show_parents(struct shown *shown)
{
    for (int i = node_count - 1; i > 0; i--) {
        const struct node *node = &shown[i].with_open;
        shown[i].is_shown = shown[i].is_shown || node->calls || shown[i].open;
        struct shown *parent = &shown[node->parent];
        if (!shown[i].is_shown)
            continue;
        parent->is_shown = true;
        if (!parent->with_open.calls && !parent->open)
            parent->with_open.total_ns += node->total_ns;
    }
}

static void model_path(int node, char *path, size_t room)
{
    size_t end = 0;
    if (nodes[node].parent > 0) {
        model_path(nodes[node].parent, path, room);
        end = strlen(path);
        path[end++] = ';';
    }
    snprintf(path + end, room - end, "%s", site_names[nodes[node].site]);
}

static const char *model_text(void)
{
    static struct shown shown[NODES];
    static char *lines[NODES];
    size_t count = 0;
    for (int i = 0; i < node_count; i++)
        shown[i] = (struct shown){.with_open = nodes[i]};
    add_open(shown);
    show_parents(shown);
    for (int i = 1; i < node_count; i++) {
        char path[2 * NODES];
        if (!shown[i].is_shown)
            continue;
        model_path(i, path, sizeof path);
        const struct node *node = &shown[i].with_open;
        bool counts_open = counts_open_calls();
        uint64_t begun = counts_open ? shown[i].open : 0;
        uint64_t begun_outermost = counts_open ? shown[i].begun_outermost : 0;
        struct eprof_row row = {.path = path,
                                .calls = node->calls + begun,
                                .outermost = node->timed + begun_outermost,
                                .timed = node->timed,
                                .total_ns = node->total_ns,
                                .self_ns = node->self_ns,
                                .open = shown[i].open};
        lines[count++] = tree_line(&row);
    }
    return tree_join(lines, count);
}

/* --------------------------------- moves of the library and of the model -- */

static char history[MOVES + 1][40];
static int moves_done;

static void note(const char *move, const char *of)
{
    snprintf(history[moves_done], sizeof history[0], "%*s%s %s", depth, "", move, of);
}

static void assert_same(const char *library, const char *model)
{
    if (strcmp(library, model) == 0)
        return;
    for (int i = 0; i <= moves_done && i <= MOVES; i++)
        print_message("%s\n", history[i]);
    fail_msg("after move %d the library says\n%sand the model\n%s", moves_done, library, model);
}

static void assert_agreement(void)
{
    char diagnostics[128] = "";
    char *library = strdup(tree_text());
    assert_same(library, model_text());
    free(library);
    if (unbalanced)
        snprintf(diagnostics, sizeof diagnostics, "unbalanced %" PRIu64, unbalanced);
    if (forced_closes)
        snprintf(diagnostics + strlen(diagnostics), sizeof diagnostics - strlen(diagnostics),
                 "%sforced_closes %" PRIu64, unbalanced ? ", " : "", forced_closes);
    assert_same(diagnostic_text(), diagnostics);
}

static void walk(void);

/* One function for each site of a macro; it makes random moves inside. */
#define FUNCTION(name)                                                                             \
    static __attribute__((noinline)) void in_##name(void)                                          \
    {                                                                                              \
        EPROF_SCOPE(#name);                                                                        \
        walk();                                                                                    \
    }
FUNCTION(A)
FUNCTION(B)
FUNCTION(C)

static __attribute__((noinline)) void in_D(void)
{
    EPROF_BLOCK("D") walk();
}

static __attribute__((noinline)) void in_E(void)
{
    for (int i = 0; i < 2; i++) {
        EPROF_BLOCK("E")
        {
            walk();
            break;
        }
        break;
    }
}

static __attribute__((noinline)) void in_F(void)
{
    volatile char room[1000];
    EPROF_SCOPE("F");
    room[0] = room[999] = 0;
    walk();
}

static void do_scope(int site)
{
    static void (*const functions[SITES])(void) = {in_A, in_B, in_C, in_D, in_E, in_F};
    bool is_seen = is_recording();
    note("scope", site_names[site]);
    if (is_seen)
        model_enter(site, false);
    int entry = depth;
    functions[site]();
    if (is_seen)
        model_leave_to(entry);
}

static void do_enter(int site)
{
    note("enter", site_names[site]);
    if (is_recording())
        model_enter(site, true);
    else
        model_enter_void();
    eprof_enter(site_names[site]);
}

static void do_leave(void)
{
    note("leave", "");
    if (depth > 0 && stack[depth].is_manual)
        model_leave_top();
    else
        unbalanced++;
    eprof_leave();
}

static void do_switch(bool of_thread)
{
    bool *is = of_thread ? &is_thread_off : &is_off;
    note(of_thread ? "thread" : "process", *is ? "on" : "off");
    (of_thread ? eprof_thread_enable : eprof_enable)(*is);
    *is = !*is;
}

static void do_reset(void)
{
    note("reset", "");
    model_reset();
    eprof_reset();
}

/* Returns false if the current function must return. */
static bool move(void)
{
    uint64_t dice = random_next() % 100;
    hand_ticks += random_next() % 20;
    moves_done++;
    if (dice < 25 && depth < DEPTH)
        do_scope((int)(random_next() % SITES));
    else if (dice < 45 && depth < DEPTH)
        do_enter(SITES + (int)(random_next() % MANUAL_SITES));
    else if (dice < 70)
        do_leave();
    else if (dice < 73)
        do_switch(dice % 2);
    else if (dice == 73)
        do_reset();
    else if (dice < 80)
        note("look", ""), assert_agreement();
    else
        return note("return", ""), false;
    return true;
}

static void walk(void)
{
    while (moves_done < MOVES && move())
        ;
}

static void run(int number)
{
    (void)number;
    hand_clock_begin(NULL);
    model_begin();
    for (moves_done = 0; moves_done < MOVES;)
        walk();
    assert_agreement();
    is_off = is_thread_off = false;
    eprof_thread_enable(true);
    eprof_enable(true);
    while (depth > 0)
        do_leave();
    assert_agreement();
}

TEST(any_moves_in_any_order_agree_with_the_rules)
{
    batches_do(RUNS, NULL, run);
}
