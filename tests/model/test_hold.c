/*
 * Scopes of all kinds, pairs of instances, holds, resets and switches in any order give the results
 * of a model of the rules.
 */
#include "batches.h"
#include "figures.h"
#include "hold_model.h"
#include "random.h"
#include "sanitizer.h"

enum { RUNS = TAKES_VERY_LONG ? 50 : (TAKES_LONG ? 150 : 250) };

static int ids[INSTANCES];
static bool may_switch;

/* ------------------------------------------------------------ comparison -- */

static char history[CALLS * 32];
static size_t history_length;

static void note(const char *text, int number)
{
    if (history_length < sizeof history)
        history_length +=
            (size_t)snprintf(history + history_length, sizeof history - history_length,
                             "%llu: %s %d\n", (unsigned long long)hand_ticks, text, number);
}

/* Prints the whole text: the message of a failure would be cut. */
static void assert_same(const char *what, const char *library, const char *model)
{
    if (strcmp(library, model) == 0)
        return;
    puts(history);
    printf("%s is\n%s\nand not\n%s\n", what, library, model);
    fail();
}

static void assert_same_count(const char *what, uint64_t library, uint64_t model)
{
    if (library == model)
        return;
    puts(history);
    fail_msg("%s is %llu and not %llu", what, (unsigned long long)library,
             (unsigned long long)model);
}

static void assert_instance(const eprof_snapshot *snapshot, int instance)
{
    struct eprof_row row, model = model_instance(instance);
    find_rows(snapshot, "instance", (const char[]){(char)('0' + instance), '\0'}, "*", &row);
    assert_same_count("calls", row.calls, model.calls);
    assert_same_count("timed", row.timed, model.timed);
    assert_same_count("errors", row.errors, 0);
    assert_same_count("open", row.open, model.open);
    assert_same_count("total", row.total_ns, model.total_ns);
}

static void assert_diagnostic_is(const eprof_snapshot *snapshot, const char *name, uint64_t model)
{
    struct eprof_row row;
    find_rows(snapshot, "diagnostic", name, NULL, &row);
    assert_same_count(name, row.calls, model);
}

static void assert_agreement(void)
{
    if (hold_now != NONE)
        return;
    char *library = strdup(tree_text());
    assert_same("the tree", library, model_text());
    free(library);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (int i = 0; i < INSTANCES; i++)
        assert_instance(snapshot, i);
    assert_diagnostic_is(snapshot, "unbalanced", unbalanced);
    assert_diagnostic_is(snapshot, "unmatched_keeps", unmatched_keeps);
    assert_diagnostic_is(snapshot, "forced_closes", 0);
    assert_diagnostic_is(snapshot, "lost", 0);
    eprof_snapshot_free(snapshot);
}

/* --------------------------------- calls of the library and of the model -- */

static int calls_left;
static bool must_leave; /* return to the block that encloses this call */

static void do_anything(void);

static void enter_by_hand(int label)
{
    if (open_scopes == DEPTH)
        return;
    note("enter", label);
    model_enter(label)->is_manual = true;
    eprof_enter((const char[]){(char)('a' + label), '\0'});
}

static void leave_by_hand(void)
{
    note("leave", open_scopes);
    model_leave();
    eprof_leave();
}

/* The calls inside a scope; then the scope is left. */
static void go_on(void)
{
    int scope = top;
    while (calls_left > 0 && !must_leave) {
        do_anything();
        assert_agreement();
    }
    must_leave = false;
    while (top != scope)
        leave_by_hand();
    note("end of block", open_scopes);
    if (top != NONE)
        model_leave();
}

#define BLOCK(name)                                                                                \
    static void block_##name(void)                                                                 \
    {                                                                                              \
        EPROF_SCOPE(#name);                                                                        \
        go_on();                                                                                   \
    }
BLOCK(a)
BLOCK(b)
BLOCK(c)
BLOCK(d)

static void block_slow(void)
{
    EPROF_SLOW("e", SLOW_NS);
    go_on();
}

static void (*const blocks[])(void) = {block_a, block_b, block_c, block_d, block_slow};

static void enter_block(int label)
{
    if (open_scopes == DEPTH)
        return;
    note("block", label);
    if (label == SLOW && model_is_recording())
        model_hold(true);
    model_enter(label);
    blocks[label]();
}

static void leave(void)
{
    if (top == NONE && (is_off || is_thread_off))
        return; /* the rules do not say whether such a leave is counted */
    if (top != NONE && !pairs[top].is_manual) {
        must_leave = true;
    } else if (top != NONE) {
        leave_by_hand();
    } else {
        note("leave", 0);
        unbalanced++;
        eprof_leave();
    }
}

static void start(int instance)
{
    note("start", instance);
    model_open(&tops[instance], LABELS + instance)->node = ROOT;
    eprof_start(ids[instance]);
}

static void stop(int instance)
{
    note("stop", instance);
    if (tops[instance] == NONE)
        unbalanced++;
    else
        model_close(&tops[instance]);
    eprof_stop(ids[instance]);
}

static void hold(void)
{
    if (hold_depth >= HOLDS)
        return;
    note("hold", hold_depth + 1);
    model_hold(false);
    eprof_hold();
}

static void keep(bool is_kept)
{
    if (hold_now != NONE && holds[hold_now].is_of_slow)
        return;
    note(is_kept ? "keep" : "drop", hold_depth);
    if (hold_now == NONE)
        unmatched_keeps++;
    else
        model_keep(is_kept);
    eprof_keep(is_kept);
}

static void reset(void)
{
    note("reset", resets++);
    unbalanced = unmatched_keeps = 0;
    eprof_reset();
}

static void switch_recording(bool of_thread)
{
    if (of_thread)
        eprof_thread_enable(is_thread_off);
    else
        eprof_enable(is_off);
    is_thread_off ^= of_thread;
    is_off ^= !of_thread;
    note(of_thread ? "thread off" : "off", of_thread ? is_thread_off : is_off);
}

static void do_anything(void)
{
    uint64_t dice = random_next() % 100, label = random_next();
    calls_left--;
    hand_ticks += 1 + random_next() % 50;
    if (dice < 15)
        enter_by_hand((int)(BY_HAND + label % (LABELS - BY_HAND)));
    else if (dice < 30)
        enter_block((int)(label % (SLOW + 1)));
    else if (dice < 60)
        leave();
    else if (dice < 67)
        hold();
    else if (dice < 77)
        keep(dice % 2);
    else if (dice < 80)
        reset();
    else if (may_switch && dice < 88)
        switch_recording(dice % 2);
    else if (!may_switch && dice < 88)
        start(dice % INSTANCES);
    else if (!may_switch && dice < 96)
        stop(dice % INSTANCES);
}

/* Ends all calls, so that nothing is open for the next run. */
static void end_all(void)
{
    while (hold_now != NONE)
        keep(random_next() % 2);
    assert_agreement();
    for (int i = 0; i < INSTANCES; i++)
        while (tops[i] != NONE)
            stop(i);
    assert_agreement();
    if (is_off)
        switch_recording(false);
    if (is_thread_off)
        switch_recording(true);
    enter_by_hand(BY_HAND); /* if nothing is open, this is a root */
    assert_agreement();
    leave_by_hand();
}

/* A long pair, so that all other durations pass the fast check for possible durations. */
static void begin(void)
{
    hand_clock_begin(NULL);
    eprof_enter("long");
    hand_ticks += 1000000;
    eprof_leave();
}

static void run(int number)
{
    hand_clock_begin(NULL);
    model_begin();
    history_length = 0;
    may_switch = number % 3 == 2;
    for (int i = 0; i < INSTANCES; i++)
        ids[i] = eprof_alloc((const char[]){(char)('0' + i), '\0'});
    calls_left = number % (CALLS - 2 * DEPTH); /* the short runs come first */
    go_on();
    end_all();
}

TEST(any_calls_in_any_order_agree_with_the_rules)
{
    batches_do(RUNS, begin, run);
}
