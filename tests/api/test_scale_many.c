/* Very many instances: alive together, and one after another in the same slots. */
#include "calls.h"
#include "rows.h"
#include "sanitizer.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    ALIVE = 100000,
    REUSES = TAKES_LONG ? 100000 : 1000000,
    ALIVE_AT_LEAST = 1000000,
    USES_AT_LEAST = 1000
};

static int ids[ALIVE];

static int begin_test(void **state)
{
    (void)state;
    hand_clock_use();
    eprof_init();
    return 0;
}

static const char *label_of(int number)
{
    static char label[32];
    snprintf(label, sizeof label, "instance number %d", number);
    return label;
}

static int number_of(const char *label)
{
    int number = -1;
    sscanf(label, "instance number %d", &number);
    return number;
}

static void make_all(void)
{
    for (int i = 0; i < ALIVE; i++) {
        ids[i] = eprof_alloc(label_of(i));
        if (ids[i] < 0)
            fail_msg("instance %d: %s", i, strerror(errno));
    }
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void assert_none_twice(int *handles, size_t count)
{
    qsort(handles, count, sizeof *handles, compare);
    for (size_t i = 1; i < count; i++)
        if (handles[i] == handles[i - 1])
            fail_msg("the handle %d was given twice", handles[i]);
}

/* The i-th has calls[i] calls, NULL: one each, of i + 1 ns. */
static void assert_each_is_exact(const unsigned *calls)
{
    eprof_snapshot *snapshot = eprof_snapshot_take();
    size_t rows = eprof_snapshot_rows(snapshot), expected_rows = 0;
    for (int i = 0; i < ALIVE; i++)
        expected_rows += !calls || calls[i] > 0;
    assert_int_equal(rows, expected_rows);
    for (size_t at = 0; at < rows; at++) {
        struct eprof_row row = {.size = sizeof row};
        assert_return_code(eprof_snapshot_row(snapshot, at, &row), errno);
        assert_string_equal(row.kind, "instance");
        int i = number_of(row.name);
        assert_in_range(i, 0, ALIVE - 1);
        uint64_t expected = calls ? calls[i] : 1;
        if (row.calls != expected || row.total_ns != expected * ((uint64_t)i + 1))
            fail_msg("%s has %llu calls and %llu ns", row.name, (unsigned long long)row.calls,
                     (unsigned long long)row.total_ns);
    }
    eprof_snapshot_free(snapshot);
}

/* This is the first test, so the handles for the first use of slots are known: 0, 1, 2 ... */
TEST(slot_serves_a_thousand_uses_and_no_handle_comes_twice)
{
    int *handles = malloc(REUSES * sizeof *handles);
    int slots_used = 0;
    assert_non_null(handles);
    for (int i = 0; i < REUSES; i++) {
        handles[i] = eprof_alloc("one");
        if (handles[i] < 0)
            fail_msg("re-use %d: %s", i, strerror(errno));
        slots_used += handles[i] == slots_used;
        if (i + 1 < REUSES)
            assert_return_code(eprof_release(handles[i]), errno);
    }
    pair_of(handles[REUSES - 1], 5);
    assert_figures(instance_row("one"), 1, 5);
    assert_in_range(slots_used, 1, REUSES / USES_AT_LEAST);
    assert_none_twice(handles, REUSES);
    free(handles);
}

/* ---------------------------------------------------------- alive together -- */

TEST(hundred_thousand_alive_are_each_exact)
{
    make_all();
    for (int i = 0; i < ALIVE; i++)
        pair_of(ids[i], (uint64_t)i + 1);
    assert_each_is_exact(NULL);
}

TEST(label_among_a_hundred_thousand_is_found)
{
    make_all();
    for (int i = 0; i < ALIVE; i += 7) {
        eprof_free(label_of(i));
        errno = 0;
        if (eprof_release(ids[i]) != -1 || errno != EINVAL)
            fail_msg("%s was not freed", label_of(i));
    }
    for (int i = 0; i < ALIVE; i++)
        if (i % 7 && eprof_release(ids[i]) != 0)
            fail_msg("%s was freed too", label_of(i));
    assert_int_equal(count_rows(NULL), 0);
}

TEST(lowest_of_a_hundred_thousand_equal_labels_is_freed)
{
    enum { FREED = 1000 };
    for (int i = 0; i < ALIVE; i++)
        ids[i] = eprof_alloc("equal");
    for (int i = 0; i < ALIVE; i++)
        pair_of(ids[i], 1);
    eprof_snapshot *before = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(before), ALIVE);
    for (int i = 0; i < FREED; i++)
        eprof_free("equal");
    eprof_snapshot *after = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(after), ALIVE - FREED);
    for (size_t i = 0; i < ALIVE - FREED; i++) { /* rows are in the order of IDs */
        struct eprof_row was = {.size = sizeof was}, is = {.size = sizeof is};
        assert_return_code(eprof_snapshot_row(before, i + FREED, &was), errno);
        assert_return_code(eprof_snapshot_row(after, i, &is), errno);
        assert_int_equal(is.id, was.id);
    }
    eprof_snapshot_free(before);
    eprof_snapshot_free(after);
}

/* --------------------------------------------------------- one after another -- */

TEST(reuses_by_the_million_are_each_exact)
{
    static unsigned calls[ALIVE];
    int *handles = malloc((ALIVE + REUSES) * sizeof *handles);
    assert_non_null(handles);
    make_all();
    memcpy(handles, ids, sizeof ids);
    for (int i = 0; i < REUSES; i++) {
        int which = (int)((unsigned)i * 7919u % ALIVE); /* a prime, so each instance gets its
                                                         * turn */
        int freed = ids[which];
        assert_return_code(eprof_release(freed), errno);
        ids[which] = handles[ALIVE + i] = eprof_alloc(label_of(which));
        if (ids[which] < 0)
            fail_msg("re-use %d: %s", i, strerror(errno));
        calls[which] = (unsigned)i % 3;
        for (unsigned call = 0; call < calls[which]; call++)
            pair_of(ids[which], (uint64_t)which + 1);
        if (i % 1000 == 0) {
            errno = 0;
            assert_int_equal(eprof_release(freed), -1);
            assert_int_equal(errno, EINVAL);
        }
    }
    assert_each_is_exact(calls);
    assert_none_twice(handles, ALIVE + REUSES);
    free(handles);
}

/* ------------------------------------------------------------- to the limit -- */

TEST(million_alive_then_enospc_and_nothing_is_harmed)
{
    int count = 0, id, last = -1;
    int first = eprof_alloc("first");
    pair_of(first, 3);
    errno = 0;
    while ((id = eprof_alloc("many")) >= 0) {
        last = id;
        count++;
    }
    assert_int_equal(errno, ENOSPC);
    assert_in_range(count, ALIVE_AT_LEAST, INT32_MAX);
    errno = 0;
    assert_int_equal(eprof_alloc("one more"), -1);
    assert_int_equal(errno, ENOSPC);
    pair_of(last, 4);
    assert_figures(instance_row("first"), 1, 3);
    assert_figures(instance_row("many"), 1, 4);
    assert_return_code(eprof_release(last), errno);
    id = eprof_alloc("in its place");
    assert_in_range(id, 0, INT32_MAX);
    assert_int_not_equal(id, last);
    pair_of(id, 5);
    assert_figures(instance_row("in its place"), 1, 5);
    eprof_init();
    assert_int_equal(count_rows(NULL), 0);
    assert_in_range(eprof_alloc("anew"), 0, INT32_MAX);
}

TEST_EACH(begin_test, NULL)
