/*
 * A program that is killed in the midst of a keep leaves all of what was held, or nothing
 *
 * It is stopped behind each instruction, and its image file is looked at.
 */
#include "scratch.h"
#include "stepping.h"

static int a, b;

static void begin(void)
{
    hand_clock_use();
    a = eprof_alloc("a");
    b = eprof_alloc("b");
}

static void call(int id, uint64_t ticks)
{
    eprof_start(id);
    hand_ticks += ticks;
    eprof_stop(id);
}

static void enter(const char *label, uint64_t ticks)
{
    eprof_enter(label);
    hand_ticks += ticks;
    eprof_leave();
}

/* Each of its own order of magnitude, so that all figures change. */
static void record_all(uint64_t ticks)
{
    call(a, ticks);
    call(b, ticks * 20);
    call(b, ticks * 3);
    eprof_enter("outer");
    hand_ticks += ticks;
    enter("inner", ticks * 7);
    enter("inner", ticks * 100);
    eprof_leave();
}

static void keep(void)
{
    eprof_keep(true);
}

static void hold_what_is_new(void)
{
    begin();
    eprof_hold();
    record_all(1);
}

static void first_keep_is_all_or_nothing_at_each_instruction(void **state)
{
    (void)state;
    stepping_assert_all_or_nothing(hold_what_is_new, keep,
                                   "instance a 1/1 1 1 [1 1 1]\n"
                                   "instance b 2/2 23 23 [3 3 20]\n"
                                   "scope outer 1/1 108 1 [108 108 108]\n"
                                   "scope outer;inner 2/2 107 107 [7 7 100]\n");
}

/* What is there already changes, in each of its fields. */
static void hold_what_is_known(void)
{
    begin();
    record_all(10);
    eprof_hold();
    record_all(1);
    record_all(1000);
}

static void keep_of_what_is_known_is_all_or_nothing_at_each_instruction(void **state)
{
    (void)state;
    stepping_assert_all_or_nothing(hold_what_is_known, keep,
                                   "instance a 3/3 1011 1011 [1 10 1000]\n"
                                   "instance b 6/6 23253 23253 [3 30 20000]\n"
                                   "scope outer 3/3 109188 1011 [108 1087 108000]\n"
                                   "scope outer;inner 6/6 108177 108177 [7 99 100000]\n");
}

/* What an inner hold has kept goes with the outer one. */
static void hold_twice(void)
{
    begin();
    enter("before", 1);
    eprof_hold();
    call(a, 5);
    enter("outer hold", 2);
    eprof_hold();
    call(a, 6);
    enter("outer hold", 3);
    enter("inner hold", 4);
    eprof_keep(true);
    call(a, 7);
}

static void keep_of_holds_inside_each_other_is_all_or_nothing(void **state)
{
    (void)state;
    stepping_assert_all_or_nothing(hold_twice, keep,
                                   "instance a 3/3 18 18 [5 6 7]\n"
                                   "scope outer hold 2/2 5 5 [2 2 3]\n"
                                   "scope inner hold 1/1 4 4 [4 4 4]\n"
                                   "scope before 1/1 1 1 [1 1 1]\n");
}

enum { MANY = 12 };

static int many[MANY];

static void hold_many(void)
{
    char label[16];
    hand_clock_use();
    for (int i = 0; i < MANY; i++)
        many[i] = eprof_alloc("one of many");
    eprof_hold();
    for (int i = 0; i < MANY; i++) {
        snprintf(label, sizeof label, "node %d", i);
        enter(label, 1);
        call(many[i], 1);
    }
}

static void look_for_all_or_none_of_many(struct stepping *stepping)
{
    struct stored stored;
    size_t called = 0;
    stored_open(&stored, "copy");
    for (size_t i = 0; i < stored.snapshot->trouble_first; i++)
        called += stored.snapshot->rows[i].calls == 1;
    if (called != 0 && called != 2 * MANY)
        fail_msg("%zu of %d are kept", called, 2 * MANY);
    if (called == 0 && stepping->changes)
        fail_msg("they were kept, and are not there any more");
    stepping->changes += called != 0;
    stored_close(&stored);
}

static void keep_of_many_is_all_or_nothing_at_each_instruction(void **state)
{
    struct stepping *stepping = stepping_make(hold_many, keep, look_for_all_or_none_of_many);
    (void)state;
    stepping_run(stepping);
    assert_true(stepping->changes > 0);
}

static void be_slow(void)
{
    EPROF_SLOW("slow", 50);
    enter("inside", 100);
    call(a, 10);
}

static void scope_that_was_slow_is_kept_all_or_not_at_all(void **state)
{
    (void)state;
    stepping_assert_all_or_nothing(begin, be_slow,
                                   "instance a 1/1 10 10 [10 10 10]\n"
                                   "scope slow 1/1 110 10 [110 110 110]\n"
                                   "scope slow;inside 1/1 100 100 [100 100 100]\n");
}

/* ------------------------------------------------------------------- dropped -- */

static void look_for_no_change(struct stepping *stepping)
{
    char now[sizeof stepping->last];
    stepping_text(now, sizeof now);
    if (stepping->looks == 1)
        strcpy(stepping->before, now);
    assert_string_equal(now, stepping->before);
}

static void drop(void)
{
    eprof_keep(false);
}

static void drop_shows_nothing_at_any_instruction(void **state)
{
    struct stepping *stepping = stepping_make(hold_what_is_known, drop, look_for_no_change);
    (void)state;
    stepping_run(stepping);
    assert_non_null(strstr(stepping->before, "scope outer 1/1 1080 10 "));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_enter, scratch_leave)
    const struct CMUnitTest tests[] = {
        TEST(first_keep_is_all_or_nothing_at_each_instruction),
        TEST(keep_of_what_is_known_is_all_or_nothing_at_each_instruction),
        TEST(keep_of_holds_inside_each_other_is_all_or_nothing),
        TEST(keep_of_many_is_all_or_nothing_at_each_instruction),
        TEST(scope_that_was_slow_is_kept_all_or_not_at_all),
        TEST(drop_shows_nothing_at_any_instruction),
    };
    return cmocka_run_group_tests_name("killed in a keep", tests, NULL, NULL);
}
