/*
 * Processor time and waiting of calls that are all timed, for each region
 */
#include "child.h"
#include "hand_cpu.h"
#include "refused_call.h"

#include <time.h>

/* ---- before it is switched on ---- */

static int instance;

TEST_BETWEEN(cpu_is_unknown_unless_asked_for, hand_clock_begin, NULL)
{
    work("unasked", 10, 20);
    assert_unknown("unasked");
    assert_int_equal(cpu_readings, 0);
}

TEST_BETWEEN(cpu_is_unknown_of_rows_with_calls_from_before, hand_clock_begin, NULL)
{
    instance = eprof_alloc("instance");
    pair_of(instance, 10);
    eprof_enter("around");
    work("before", 10, 20);
    hand_cpu_switch_on();
    work("before", 10, 20);
    work("after", 10, 20);
    pair_of(instance, 10);
    assert_unknown("around"); /* open */
    eprof_leave();
    assert_unknown("around");
    assert_unknown("before");
    assert_unknown("instance");
    assert_cpu("after", 10, 20);
    eprof_reset();
    work("before", 1, 2);
    work_between(instance, 3, 4);
    assert_cpu("before", 1, 2);
    assert_cpu("instance", 3, 4);
}

/* ---- scopes ---- */

TEST_BETWEEN(cpu_and_waiting_add_up_to_the_total, hand_cpu_begin, NULL)
{
    work("scope", 10, 20);
    work("scope", 1, 3);
    assert_cpu("scope", 11, 23);
    assert_int_equal(row_of("scope").total_ns, 34);
    assert_int_equal(row_of("scope").estimated, 0);
}

TEST_BETWEEN(cpu_is_of_each_call_path, hand_cpu_begin, NULL)
{
    eprof_enter("outer");
    work("inner", 5, 1);
    compute(2);
    eprof_leave();
    work("alone", 0, 9);
    assert_cpu("outer", 7, 1);
    assert_cpu("inner", 5, 1);
    assert_cpu("alone", 0, 9);
}

TEST_BETWEEN(cpu_of_scopes_by_macros, hand_cpu_begin, NULL)
{
    for (int i = 0; i < 10; i++)
        work_by_macro(3, 4);
    assert_cpu("macro", 30, 40);
}

static void recurse(int depth)
{
    EPROF_SCOPE("recursive");
    compute(3);
    pass(1);
    if (depth > 0)
        recurse(depth - 1);
}

TEST_BETWEEN(cpu_of_recursion_counts_once, hand_cpu_begin, NULL)
{
    recurse(9);
    assert_cpu("recursive", 30, 10);
    assert_int_equal(row_of("recursive").calls, 10);
}

TEST_BETWEEN(cpu_is_read_twice_in_an_outermost_call, hand_cpu_begin, NULL)
{
    work_by_macro(1, 1);
    uint64_t before = cpu_readings;
    work_by_macro(1, 1);
    assert_int_equal(cpu_readings - before, 2);
    recurse(0);
    before = cpu_readings;
    recurse(9);
    assert_int_equal(cpu_readings - before, 2);
}

TEST_BETWEEN(cpu_is_not_more_than_the_total, hand_cpu_begin, NULL)
{
    eprof_enter("scope");
    cpu_ticks += 50; /* of a reading, say */
    pass(20);
    eprof_leave();
    assert_cpu("scope", 20, 0);
}

TEST_BETWEEN(cpu_of_an_open_scope_is_that_so_far, hand_cpu_begin, NULL)
{
    work("open", 10, 20);
    eprof_enter("open");
    compute(7);
    pass(2);
    assert_cpu("open", 17, 22);
    eprof_leave();
    assert_cpu("open", 17, 22);
}

static void assert_in_csv(const char *format, const char *figures)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    eprof_report(out, format);
    fclose(out);
    if (!strstr(text, figures))
        fail_msg("%s has not %s: %s", format, figures, text);
    free(text);
}

TEST_BETWEEN(cpu_is_in_ticks_if_asked_for, hand_cpu_begin, NULL)
{
    clock_take("two ticks a ns", hand_clock_now, 2000000000);
    hand_cpu_switch_on();
    eprof_enter("scope");
    pass(40);
    cpu_ticks += 5; /* ns */
    eprof_leave();
    assert_in_csv("csv", ",5,15,ns,,,,,,,\n");
    assert_in_csv("csv:ticks", ",10,30,ticks,,,,,,,\n");
}

/* ---- sums ---- */

static uint64_t random_below(uint64_t end)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % end;
}

/* No name is inside itself: the calls of an indirect recursion count in two children. */
static void grow(int depth)
{
    static const char *const names[][3] = {
        {"a", "b", "c"}, {"d", "e", "f"}, {"g", "h", "i"}, {"j", "k", "l"}};
    eprof_enter(names[depth][random_below(3)]);
    compute(random_below(50));
    for (uint64_t calls = depth ? random_below(4) : 0; calls > 0; calls--) {
        grow(depth - 1);
        pass(random_below(20));
    }
    eprof_leave();
}

/* The row whose path is that of `row` without its last name; NULL: it is a root. */
static struct eprof_row *parent_of(struct eprof_row *rows, size_t count,
                                   const struct eprof_row *row)
{
    const char *end = strrchr(row->path, ';');
    for (size_t i = 0; end && i < count; i++)
        if (strlen(rows[i].path) == (size_t)(end - row->path) &&
            strncmp(rows[i].path, row->path, (size_t)(end - row->path)) == 0)
            return &rows[i];
    return NULL;
}

/* Where each call is timed, the rest of a parent's processor time is its own. */
TEST_BETWEEN(cpu_of_parents_is_not_less_than_that_of_their_children, hand_cpu_begin, NULL)
{
    enum { MOST = 400 };
    static struct eprof_row rows[MOST];
    uint64_t inside_ns[MOST] = {0}, roots_ns = 0, own_ns = 0;
    cpu_ticks = 0;
    for (int i = 0; i < 40; i++)
        grow(3);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    size_t count = eprof_snapshot_rows(snapshot);
    assert_in_range(count, 20, MOST);
    for (size_t i = 0; i < count; i++) {
        rows[i].size = sizeof rows[i];
        assert_int_equal(eprof_snapshot_row(snapshot, i, &rows[i]), 0);
    }
    for (size_t i = 0; i < count; i++) {
        const struct eprof_row *parent = parent_of(rows, count, &rows[i]);
        *(parent ? &inside_ns[parent - rows] : &roots_ns) += rows[i].cpu_ns;
    }
    for (size_t i = 0; i < count; i++) {
        if (inside_ns[i] > rows[i].cpu_ns)
            fail_msg("%s: %" PRIu64 " ns, its children %" PRIu64, rows[i].path, rows[i].cpu_ns,
                     inside_ns[i]);
        own_ns += rows[i].cpu_ns - inside_ns[i];
    }
    eprof_snapshot_free(snapshot);
    assert_int_equal(own_ns, roots_ns);
    assert_int_equal(roots_ns, cpu_ticks);
}

/* ---- instances ---- */

TEST_BETWEEN(cpu_of_instances, hand_cpu_begin, NULL)
{
    int id = eprof_alloc("instance");
    work_between(id, 10, 20);
    work_between(id, 1, 3);
    assert_cpu("instance", 11, 23);
}

TEST_BETWEEN(cpu_of_nested_pairs_counts_once, hand_cpu_begin, NULL)
{
    int id = eprof_alloc("instance");
    eprof_start(id);
    work_between(id, 10, 20);
    compute(5);
    eprof_stop(id);
    assert_cpu("instance", 15, 20);
}

TEST_BETWEEN(cpu_of_an_instance_with_a_span_is_unknown, hand_cpu_begin, NULL)
{
    int id = eprof_alloc("instance");
    work_between(id, 10, 20);
    eprof_record(id, eprof_now() - 5, eprof_now());
    assert_int_equal(row_of("instance").total_ns, 35);
    assert_unknown("instance");
}

TEST_BETWEEN(cpu_of_an_instance_is_forgotten_when_its_slot_is_used_again, hand_cpu_begin, NULL)
{
    int id = eprof_alloc("first");
    work_between(id, 10, 20);
    eprof_release(id);
    id = eprof_alloc("second");
    work_between(id, 1, 2);
    assert_cpu("second", 1, 2);
}

/* ---- a system without the clock ---- */

enum { NOT_REFUSED = 1, REFUSED_BUT_SET, SAID_SO };

static void set_up_without_the_clock(void *seen)
{
    struct timespec now;
    *(int *)seen = NOT_REFUSED;
    if (refuse_call(SYS_clock_gettime, EINVAL) != 0 ||
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
        return;
    *(int *)seen = eprof_setup("cpu") == -1 && errno == EINVAL ? SAID_SO : REFUSED_BUT_SET;
}

TEST_BETWEEN(cpu_is_refused_without_its_clock, hand_cpu_begin, NULL)
{
    int seen = 0;
    child_do(fork, set_up_without_the_clock, &seen, sizeof seen);
    if (seen == NOT_REFUSED)
        skip();
    assert_int_equal(seen, SAID_SO);
}
