/*
 * A signal handler with a scope, at one instruction of an enter or a leave in each run
 *
 * In test_scope_interrupt.c the handler comes at each instruction; here it comes once, after the
 * first instruction in the first run and so on, so that all figures can be checked. The clock is
 * moved by hand. On x86-64, by the processor's trap flag.
 *
 * scope_handler every - after each instruction of the cold paths too, not only after some
 */
#include "hand_clock.h"
#include "random.h"
#include "trap_flag.h"
#include "tree_text.h"

#include <pthread.h>
#include <signal.h>

static uint64_t steps;  /* instructions so far */
static uint64_t due_at; /* the handler records after this one */
static void (*in_handler)(void);

static void step(ucontext_t *interrupted)
{
    if (++steps != due_at)
        return;
    in_handler();
    trap_flag_stop(interrupted); /* this was the instruction */
}

static int begin(void **state)
{
    hand_clock_begin(state);
    return trap_flag_call(step);
}

/* ------------------------------------------------------ what is interrupted -- */

enum part { NOTHING, ENTER, LEAVE };

static inline __attribute__((always_inline)) void trap_if(bool is_trapped)
{
    if (is_trapped)
        trap_flag_set();
}

static __attribute__((noinline)) void recurse(int depth, uint64_t ticks, enum part trapped)
{
    trap_if(trapped == ENTER);
    EPROF_SCOPE("s");
    if (trapped == ENTER)
        trap_flag_clear();
    hand_ticks += ticks;
    if (depth)
        recurse(depth - 1, ticks / 10, NOTHING);
    trap_if(trapped == LEAVE);
}

static const char *by_hand = "s";

static void recurse_by_hand(int depth, uint64_t ticks, enum part trapped)
{
    trap_if(trapped == ENTER);
    eprof_enter(by_hand);
    if (trapped == ENTER)
        trap_flag_clear();
    hand_ticks += ticks;
    if (depth)
        recurse_by_hand(depth - 1, ticks / 10, NOTHING);
    trap_if(trapped == LEAVE);
    eprof_leave();
}

enum { TICKS = 11, HANDLER_TICKS = 1000 }; /* of two nested calls; of a handler */

static void call(enum part trapped)
{
    EPROF_SCOPE("p");
    recurse(1, 10, trapped);
    trap_flag_clear();
}

static void call_by_hand(enum part trapped)
{
    EPROF_SCOPE("p");
    recurse_by_hand(1, 10, trapped);
    trap_flag_clear();
}

static void recurse_in_handler(void)
{
    recurse(0, HANDLER_TICKS, NOTHING);
}

static void recurse_by_hand_in_handler(void)
{
    recurse_by_hand(0, HANDLER_TICKS, NOTHING);
}

/* ----------------------------------------------------------------- figures -- */

static struct eprof_row row_of(const char *path)
{
    struct eprof_row found = {.size = 0};
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (tree_has(&row) && strcmp(row.path, path) == 0)
            found = row; /* the strings in it are not used */
    }
    eprof_snapshot_free(snapshot);
    return found;
}

static void fail_here(const char *what)
{
    fail_msg("behind instruction %" PRIu64 ": %s\n%s%s", due_at, what, tree_text(),
             diagnostic_text());
}

/* Checks the tree of `calls` calls, with or without interruption: each recursion is in the one row,
 * and each tick is in the self time of one row. */
static void check_folded(uint64_t calls)
{
    struct eprof_row p = row_of("p"), s = row_of("p;s");
    uint64_t ticks = calls * TICKS + HANDLER_TICKS, lost = diagnostic_count("lost");
    if (strstr(tree_text(), "s;s"))
        fail_here("what is open does not fold");
    if (p.calls != calls || p.total_ns != ticks)
        fail_here("what is around is not exact");
    if (lost > 1 || s.calls + lost != 2 * calls + 1 || s.timed < calls)
        fail_here("calls are missing");
    if (s.total_ns != s.self_ns || p.self_ns + s.self_ns != ticks)
        fail_here("time is counted twice, or not at all");
    if (strcmp(diagnostic_text(), lost ? "lost 1" : "") != 0)
        fail_here("diagnostic");
}

static bool is_every; /* each instruction of the cold paths, which takes minutes */

/* The next instruction to test: one of `stride` on average, at random. */
static uint64_t next_due(uint64_t stride)
{
    return due_at + (is_every ? 1 : 1 + random_next() % (2 * stride - 1));
}

/* The call is cold, after a reset, or hot; the handler comes after each instruction in turn. */
static void interrupt_each(uint64_t stride, void (*act)(enum part), enum part trapped, bool is_hot)
{
    for (due_at = 1;; due_at = next_due(stride)) {
        eprof_reset();
        if (is_hot)
            act(NOTHING);
        steps = 0;
        act(trapped);
        if (steps < due_at)
            break;
        check_folded(is_hot ? 2 : 1);
    }
    assert_true(due_at > 50);
}

static void begin_to_fold(void (*act)(enum part), void (*by)(void))
{
    hand_ticks += UINT64_C(1) << 20; /* the process has run this long, so no time is impossible */
    in_handler = by;
    act(NOTHING);
}

/* ------------------------------------------------------------------- tests -- */

TEST(handler_in_the_scope_that_it_interrupts_folds_into_it)
{
    begin_to_fold(call, recurse_in_handler);
    interrupt_each(1, call, ENTER, true);
    interrupt_each(1, call, LEAVE, true);
    interrupt_each(20, call, ENTER, false);
    interrupt_each(1, call, LEAVE, false);
}

TEST(handler_by_hand_in_the_scope_that_it_interrupts_folds_into_it)
{
    begin_to_fold(call_by_hand, recurse_by_hand_in_handler);
    interrupt_each(6, call_by_hand, ENTER, true);
    interrupt_each(6, call_by_hand, LEAVE, true);
}

static void enter_elsewhere_in_handler(void)
{
    EPROF_SCOPE("e");
    recurse(0, HANDLER_TICKS, NOTHING);
}

/* First both paths are created without a handler. The enter is hot: the site was last entered
 * here. */
static void call_after_elsewhere(enum part trapped)
{
    EPROF_SCOPE("p");
    if (trapped == NOTHING)
        enter_elsewhere_in_handler();
    recurse(1, 10, trapped);
    trap_flag_clear();
}

/* The enter has to find its path: the site was last entered elsewhere. */
static void call_before_elsewhere(enum part trapped)
{
    EPROF_SCOPE("p");
    recurse(1, 10, trapped);
    trap_flag_clear();
    if (trapped == NOTHING)
        enter_elsewhere_in_handler();
}

/* The last call shows which node the site remembers after the interrupted one. */
static void interrupt_by_elsewhere(void (*act)(enum part))
{
    in_handler = enter_elsewhere_in_handler;
    for (due_at = 1;; due_at++) {
        eprof_reset();
        act(NOTHING);
        steps = 0;
        act(ENTER);
        if (steps < due_at)
            break;
        act(LEAVE); /* `steps` is beyond `due_at`: no handler */
        uint64_t here = row_of("p;s").calls, elsewhere = row_of("p;e;s").calls;
        if (here < 6 || elsewhere < 1 || here + elsewhere + diagnostic_count("lost") != 8)
            fail_here("a call is at another path");
    }
    assert_true(due_at > 50);
}

/* The site remembers the node where it was last entered. The handler replaces that between two
 * instructions of the enter, which must not take the handler's node for its own. */
TEST(handler_that_enters_the_scope_elsewhere_leaves_the_path_of_the_enter)
{
    interrupt_by_elsewhere(call_after_elsewhere);
    interrupt_by_elsewhere(call_before_elsewhere);
}

/* It is longer than any time before, so the clock would have to be read again. */
static __attribute__((noinline)) void take_longer_than_ever(void)
{
    EPROF_SCOPE("h");
    hand_ticks += steps ? UINT64_C(1) << 24 : 1;
}

/* The label of the calls that are trapped is new, so that their enter is cold. */
static void call_beside_a_handler(enum part trapped)
{
    char label[32];
    EPROF_SCOPE("p");
    take_longer_than_ever(); /* its path is known, so that its enter is hot */
    if (trapped != NOTHING) {
        snprintf(label, sizeof label, "new %" PRIu64, due_at);
        by_hand = label;
    }
    recurse_by_hand(1, 10, trapped);
    trap_flag_clear();
    by_hand = "s";
}

static void check_left(uint64_t rounds)
{
    char path[48], inside[64];
    snprintf(path, sizeof path, "p;new %" PRIu64, due_at);
    snprintf(inside, sizeof inside, "%s;h", path);
    uint64_t handlers = row_of("p;h").calls + row_of(inside).calls, lost = diagnostic_count("lost");
    if (row_of("p").calls != rounds || row_of("p;s").calls != 2 * (rounds - 1) ||
        row_of(path).calls != 2)
        fail_here("what was interrupted is not exact");
    if (lost > 1 || handlers + lost != rounds + 1 || strstr(tree_text(), "open"))
        fail_here("the handler's call is neither there nor lost");
    if (strcmp(diagnostic_text(), lost ? "lost 1" : "") != 0)
        fail_here("diagnostic");
}

/* If the library's own work is interrupted, a leave cannot be recorded in it, and the scope that it
 * leaves open would affect all later calls. */
TEST(handler_whose_leave_cannot_be_recorded_is_lost_and_leaves_nothing_open)
{
    uint64_t lost = 0;
    in_handler = take_longer_than_ever;
    hand_ticks += 1000;
    for (due_at = 1;; due_at = next_due(7)) {
        assert_int_equal(eprof_source_use("auto"), 0); /* and no time is known any more */
        assert_int_equal(eprof_source_use("hand"), 0);
        steps = 0;
        call_beside_a_handler(NOTHING);
        call_beside_a_handler(ENTER);
        if (steps < due_at)
            break;
        steps = 0;
        call_beside_a_handler(NOTHING);
        check_left(3);
        lost += diagnostic_count("lost");
    }
    print_message("%" PRIu64 " lost\n", lost);
    assert_true(lost > 10);
}

/* -------------------------------------- calls of functions, by their hooks -- */

enum { DEPTH = 6, STACK_BYTES = 1 << 18 };

static char functions[DEPTH], interrupted_function, later_function; /* their addresses alone */
static _Atomic uint64_t entered; /* a handler may run in the middle of the increment */

static void hook_enter(char *function, void *frame)
{
    eprof_function_enter(function, function, frame, function);
    entered++;
}

static void hook_leave(char *function, void *frame)
{
    eprof_function_leave(function, function, frame, function);
}

/* Each is inside the one before; they are left by a jump, so the next enter has to close them. */
static __attribute__((noinline)) void dive(jmp_buf *out)
{
    char *frame = __builtin_dwarf_cfa();
    for (int depth = 0; depth < DEPTH; depth++)
        hook_enter(&functions[depth], frame - depth * 16);
    longjmp(*out, 1);
}

static __attribute__((noinline)) void visit(enum part trapped)
{
    char *frame = __builtin_dwarf_cfa();
    jmp_buf out;
    hook_enter(&interrupted_function, frame);
    if (trapped != NOTHING) {
        if (!setjmp(out))
            dive(&out);
        trap_if(trapped == ENTER);
        hook_enter(&later_function, frame - sizeof(jmp_buf));
        trap_flag_clear();
        hook_leave(&later_function, frame - sizeof(jmp_buf));
    }
    hook_leave(&interrupted_function, frame);
}

static void visit_in_handler(void)
{
    visit(NOTHING);
}

/* The handler's stack is above this thread's own stack, so all open scopes could be the
 * handler's. */
static void *visit_on_a_thread(void *handlers_stack)
{
    stack_t stack = {.ss_sp = handlers_stack, .ss_size = STACK_BYTES};
    sigaltstack(&stack, NULL);
    entered = 0;
    visit(LEAVE); /* without a handler: there were diagnostics before */
    steps = 0;
    visit(ENTER);
    visit(NOTHING);
    return NULL;
}

static uint64_t calls_of_all(void)
{
    uint64_t calls = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (tree_has(&row))
            calls += row.calls;
    }
    eprof_snapshot_free(snapshot);
    return calls;
}

/* The handler's leave then finds a call of the program. */
TEST_BETWEEN(handler_whose_enter_is_lost_ends_no_call_of_the_program, NULL, NULL)
{
    static char stacks[2 * STACK_BYTES] __attribute__((aligned(4096)));
    pthread_attr_t attributes;
    uint64_t lost = 0;
    begin(state);
    hand_ticks += UINT64_C(1) << 20;
    in_handler = visit_in_handler;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stacks, STACK_BYTES);
    for (due_at = 1;; due_at = next_due(20)) {
        pthread_t thread;
        eprof_reset();
        assert_int_equal(
            pthread_create(&thread, &attributes, visit_on_a_thread, stacks + STACK_BYTES), 0);
        pthread_join(thread, NULL);
        if (steps < due_at)
            break;
        uint64_t lost_now = diagnostic_count("lost");
        lost += lost_now;
        if (lost_now > 1 || calls_of_all() + lost_now != entered || strstr(tree_text(), "open"))
            fail_here("calls are missing, or open");
        if (diagnostic_count("unbalanced") || diagnostic_count("forced_closes") != 2 * DEPTH)
            fail_here("diagnostic");
    }
    pthread_attr_destroy(&attributes);
    print_message("%" PRIu64 " lost\n", lost);
    assert_true(lost > 10);
}

TEST_RUN()
{
    is_every = test_argument && strcmp(test_argument, "every") == 0;
    return tests_run("scope_handler", begin, NULL);
}
