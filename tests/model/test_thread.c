/* Any lives of threads, with any names, give the rows of a simple model. */
#include "random.h"
#include "rows.h"
#include "work.h"

enum { LIVES = 400, STEPS = 12, NAMES = 4 };

static const char *const names[NAMES] = {NULL, "red", "green", "blue"};

/* The expected values of a row: all calls of the instance, and their time. */
struct sum {
    uint64_t calls, total_ns;
};

/* Threads live one after another, so each name has at most one row of ended threads. */
static struct sum ended[NAMES];

/* The living thread. */
static bool is_known; /* it has recorded something, or has a name */
static int name;
static struct sum own;

/* The living thread continues the row of that name. */
static void model_take(int taken)
{
    own.calls += ended[taken].calls;
    own.total_ns += ended[taken].total_ns;
    ended[taken] = (struct sum){0, 0};
    name = taken;
    is_known = true;
}

static void model_end(void)
{
    if (is_known)
        ended[name] = own;
    own = (struct sum){0, 0};
    is_known = false;
}

/* ---------------------------- actions of a thread, in the library and in the model -- */

static void do_record(void *unused)
{
    uint64_t ns = random_next() % 1000;
    (void)unused;
    if (!is_known)
        model_take(0);
    eprof_start(instance);
    hand_ticks += ns;
    eprof_stop(instance);
    own.calls++;
    own.total_ns += ns;
}

static void do_name(void *unused)
{
    int taken = (int)(random_next() % NAMES);
    (void)unused;
    eprof_thread_enter(names[taken]);
    if (!is_known || taken != name)
        model_take(taken);
}

static void do_exit(void *unused)
{
    (void)unused;
    eprof_thread_exit();
    model_end();
}

static void do_reset(void *unused)
{
    (void)unused;
    eprof_reset();
    memset(ended, 0, sizeof ended);
    own = (struct sum){0, 0};
}

static thread_act any_step(void)
{
    uint64_t roll = random_next() % 100;
    return roll < 60 ? do_record : roll < 90 ? do_name : roll < 99 ? do_exit : do_reset;
}

/* ------------------------------------------------------------ comparison -- */

static bool is_row_of(const struct eprof_row *row, int of)
{
    return names[of] ? strcmp(row->thread, names[of]) == 0
                     : strncmp(row->thread, "thread ", strlen("thread ")) == 0;
}

/* The row of the living thread and that of ended ones can have the same name only if the living one
 * gave up the name and another took it, which does not occur here. */
static void assert_as_the_model(int life)
{
    eprof_snapshot *snapshot = eprof_snapshot_take_threads();
    for (int of = 0; of < NAMES; of++) {
        struct sum expected = ended[of], seen = {0, 0};
        size_t rows = 0;
        if (is_known && of == name) {
            expected.calls += own.calls;
            expected.total_ns += own.total_ns;
        }
        for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
            struct eprof_row row = {.size = sizeof row};
            assert_return_code(eprof_snapshot_row(snapshot, i, &row), errno);
            if (!is_row_of(&row, of))
                continue;
            seen.calls += row.calls;
            seen.total_ns += row.total_ns;
            rows++;
        }
        if (rows != (expected.calls > 0) || seen.calls != expected.calls ||
            seen.total_ns != expected.total_ns)
            fail_msg("life %d, %s: %zu rows, %llu calls, %llu ns instead of %llu calls, %llu ns",
                     life, names[of] ? names[of] : "without a name", rows,
                     (unsigned long long)seen.calls, (unsigned long long)seen.total_ns,
                     (unsigned long long)expected.calls, (unsigned long long)expected.total_ns);
    }
    eprof_snapshot_free(snapshot);
}

TEST(rows_of_random_lives_are_those_of_the_model)
{
    for (int life = 0; life < LIVES; life++) {
        struct worker worker;
        worker_begin(&worker);
        for (int step = 0; step < STEPS; step++)
            worker_do(&worker, any_step(), NULL);
        assert_as_the_model(life);
        worker_end(&worker);
        model_end();
        assert_as_the_model(life);
    }
}

TEST_EACH(begin_test, NULL)
