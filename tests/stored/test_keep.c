/*
 * A program that is killed during a keep, or during a move between threads, leaves no figure that
 * is too large, and its file says that it was interrupted
 *
 * The program is stopped after each instruction, and its image file is examined.
 */
#include "scratch.h"
#include "stepping.h"

#include <pthread.h>

/* ------------------------------------------------- the file after a kill -- */

/* The rows before and after. A keep loses nothing of the rows before; a move, which changes no row,
 * may lose some calls. */
static const char *least, *most;

enum { FIGURES = 4 };

/* Reads calls, timed, total and self from the line of a row. Returns the length of the name before
 * them. */
static size_t figures_of(const char *line, uint64_t figures[FIGURES])
{
    const char *at = strchr(line, '/');
    assert_non_null(at);
    while (at[-1] != ' ')
        at--;
    assert_int_equal(sscanf(at, "%" SCNu64 "/%" SCNu64 " %" SCNu64 " %" SCNu64, &figures[0],
                            &figures[1], &figures[2], &figures[3]),
                     FIGURES);
    return (size_t)(at - line);
}

static const char *find_row(const char *at, const char *name, size_t bytes)
{
    while (at && *at && strncmp(at, name, bytes) != 0)
        at = strchr(at, '\n') + 1;
    return at;
}

/* No row of `rows` has a figure that is larger than in `bound`. */
static void assert_at_most(const char *rows, const char *bound)
{
    uint64_t is[FIGURES], may[FIGURES];
    for (const char *row = rows; *row; row = strchr(row, '\n') + 1) {
        const char *other = find_row(bound, row, figures_of(row, is));
        if (*other)
            figures_of(other, may);
        for (int i = 0; i < FIGURES; i++)
            if (!*other || is[i] > may[i])
                fail_msg("too much in\n%sof\n%s", rows, bound);
    }
}

/* Removes the line. */
static bool is_reported(char *rows)
{
    static const char line[] = "diagnostic interrupted\n";
    char *found = strstr(rows, line);
    if (found)
        memmove(found, found + sizeof line - 1, strlen(found + sizeof line - 1) + 1);
    return found != NULL;
}

static void look_for_no_more_than_there_was(struct stepping *stepping)
{
    char now[sizeof stepping->last];
    stepping_text(now, sizeof now);
    bool is_interrupted = is_reported(now);
    if (stepping->looks == 1)
        strcpy(stepping->before, now);
    bool is_between = strcmp(now, most) != 0 && (!least || strcmp(now, stepping->before) != 0);
    assert_at_most(now, most);
    if (least)
        assert_at_most(stepping->before, now);
    if (is_between && !is_interrupted) {
        print_error("not said to be interrupted:\n%sof\n%s", now, most);
        fail();
    }
    stepping->changes += is_between;
    strcpy(stepping->last, is_interrupted ? "interrupted" : now);
}

static void assert_never_too_much(void (*prepare)(void), void (*act)(void), bool is_keep,
                                  const char *rows_after)
{
    struct stepping *stepping = stepping_make(prepare, act, look_for_no_more_than_there_was);
    least = is_keep ? stepping->before : NULL;
    most = rows_after;
    stepping_run(stepping);
    assert_string_equal(stepping->last, rows_after);
    if (is_keep)
        assert_string_not_equal(stepping->before, rows_after);
    assert_true(stepping->changes > 0);
}

/* -------------------------------------------------------------------- a keep -- */

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

/* Each call has another order of magnitude, so that all figures change. */
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

static void hold_new_regions(void)
{
    begin();
    eprof_hold();
    record_all(1);
}

TEST(first_keep_shows_no_more_at_any_instruction)
{
    assert_never_too_much(hold_new_regions, keep, true,
                          "instance a 1/1 1 1 [1 1 1]\n"
                          "instance b 2/2 23 23 [3 3 20]\n"
                          "scope outer 1/1 108 1 [108 108 108]\n"
                          "scope outer;inner 2/2 107 107 [7 7 100]\n");
}

/* All fields of rows that exist already change. */
static void hold_known_regions(void)
{
    begin();
    record_all(10);
    eprof_hold();
    record_all(1);
    record_all(1000);
}

TEST(keep_of_known_regions_shows_no_more_at_any_instruction)
{
    assert_never_too_much(hold_known_regions, keep, true,
                          "instance a 3/3 1011 1011 [1 10 1000]\n"
                          "instance b 6/6 23253 23253 [3 30 20000]\n"
                          "scope outer 3/3 109188 1011 [108 1087 108000]\n"
                          "scope outer;inner 6/6 108177 108177 [7 99 100000]\n");
}

/* Calls that an inner hold has kept depend on the outer hold. */
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

TEST(keep_of_holds_inside_each_other_shows_no_more)
{
    assert_never_too_much(hold_twice, keep, true,
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

static void look_for_some_of_many(struct stepping *stepping)
{
    struct stored stored;
    size_t called = 0;
    stored_open(&stored, "copy");
    for (size_t i = 0; i < stored.snapshot->diagnostic_first; i++)
        called += stored.snapshot->rows[i].calls == 1;
    bool is_whole = called == 0 || called == 2 * MANY;
    if (!is_whole && stored.image.cells[EP_CELL_LOCK].lock.interrupted != 1)
        fail_msg("%zu of %d are kept", called, 2 * MANY);
    if (called < stepping->changes)
        fail_msg("they were kept, and are not there any more");
    stepping->changes = called;
    stored_close(&stored);
}

TEST(keep_of_many_is_reported_at_each_instruction)
{
    struct stepping *stepping = stepping_make(hold_many, keep, look_for_some_of_many);
    stepping_run(stepping);
    assert_int_equal(stepping->changes, 2 * MANY);
}

static void be_slow(void)
{
    EPROF_SLOW("slow", 50);
    enter("inside", 100);
    call(a, 10);
}

TEST(scope_that_was_slow_is_kept_once)
{
    assert_never_too_much(begin, be_slow, true,
                          "instance a 1/1 10 10 [10 10 10]\n"
                          "scope slow 1/1 110 10 [110 110 110]\n"
                          "scope slow;inside 1/1 100 100 [100 100 100]\n");
}

/* So often that the end of the hold takes its brief way (record/slow.h). */
static void be_slow_again(void)
{
    EPROF_SLOW("slow", 50);
    hand_ticks += 100;
    EPROF_SCOPE("inside");
}

static void be_slow_before(void)
{
    begin();
    assert_int_equal(eprof_setup("budget=1/4096"), 0);
    for (int i = 0; i < 4; i++)
        be_slow_again();
}

TEST(scope_that_was_slow_again_is_kept_once)
{
    assert_never_too_much(be_slow_before, be_slow_again, true,
                          "scope slow 5/5 500 500 [100 100 100]\n"
                          "scope slow;inside 5/0 0 0 [0 0 0]\n");
}

/* Each call of a frame is timed and has figures to be added, so the end takes the general way. */
static void be_slow_with_a_frame(void)
{
    EPROF_SLOW("slow", 50);
    hand_ticks += 100;
    EPROF_FRAME("frame", 1000);
    hand_ticks += 10;
}

static void be_slow_with_a_frame_before(void)
{
    begin();
    assert_int_equal(eprof_setup("budget=1/4096"), 0);
    for (int i = 0; i < 4; i++)
        be_slow_with_a_frame();
}

TEST(scope_that_was_slow_under_a_budget_is_kept_once)
{
    assert_never_too_much(be_slow_with_a_frame_before, be_slow_with_a_frame, true,
                          "scope slow 5/5 550 500 [110 110 110]\n"
                          "scope slow;frame 5/5 50 50 [10 10 10]\n");
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

TEST(drop_shows_nothing_at_any_instruction)
{
    struct stepping *stepping = stepping_make(hold_known_regions, drop, look_for_no_change);
    stepping_run(stepping);
    assert_non_null(strstr(stepping->before, "scope outer 1/1 1080 10 "));
}

/* ------------------------------------------------------ a move between threads -- */

static void *be_worker(void *unused)
{
    (void)unused;
    eprof_thread_enter("worker");
    record_all(10);
    return NULL;
}

static void end_a_named_thread(void)
{
    pthread_t thread;
    begin();
    record_all(1);
    assert_int_equal(pthread_create(&thread, NULL, be_worker, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void take_its_name(void)
{
    eprof_thread_enter("worker");
}

TEST(move_between_threads_shows_no_more_at_any_instruction)
{
    assert_never_too_much(end_a_named_thread, take_its_name, false,
                          "instance a 2/2 11 11 [1 1 10]\n"
                          "instance b 4/4 253 253 [3 20 200]\n"
                          "scope outer 2/2 1188 11 [108 108 1080]\n"
                          "scope outer;inner 4/4 1177 1177 [7 67 1000]\n");
}

TEST_EACH(scratch_enter, scratch_leave)
