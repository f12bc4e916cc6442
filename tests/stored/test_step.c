/*
 * A program that is killed after any of its instructions leaves an image that can be read, whose
 * fields differ by one call at most
 */
#include "record/process.h"
#include "rounds.h"
#include "scratch.h"
#include "stepping.h"

#include <pthread.h>

/* ------------------------------------------------------------- of recording -- */

enum { ROUND_HOT = 7 /* in which no cell is new */ };

static uint32_t round_number;

static void begin_first_round(void)
{
    rounds_begin();
    rounds_name(0);
}

static void begin_hot_round(void)
{
    begin_first_round();
    for (uint32_t i = 0; i < ROUND_HOT; i++)
        rounds_do(i);
}

/* All cells exist, and are from before the reset. */
static void begin_round_after_a_reset(void)
{
    begin_hot_round();
    eprof_reset();
}

static void do_round(void)
{
    rounds_do(round_number);
}

static uint32_t rounds_ended;

static void look_at_round(struct stepping *stepping)
{
    const struct rounds_range ranges[ROUNDS_THREADS] = {{rounds_ended, rounds_ended + 1}};
    struct stored stored;
    (void)stepping;
    stored_open_with(&stored, "copy",
                     (struct ep_snapshot_options){.threads = true, .raw = true, .ticks = true});
    rounds_assert(&stored, ranges);
    rounds_assert_diagnostics(&stored, "not_closed");
    stored_close(&stored);
}

static void assert_round(void (*prepare)(void), uint32_t number, uint32_t ended)
{
    struct stepping *stepping = stepping_make(prepare, do_round, look_at_round);
    round_number = number;
    rounds_ended = ended;
    stepping_run(stepping);
    assert_true(stepping->looks > 200); /* at least the number of stores */
}

TEST(first_round_of_a_thread_is_sound_at_each_instruction)
{
    assert_round(begin_first_round, 0, 0);
}

TEST(round_of_known_regions_is_sound_at_each_instruction)
{
    assert_round(begin_hot_round, ROUND_HOT, ROUND_HOT);
}

TEST(first_round_after_a_reset_is_sound_at_each_instruction)
{
    assert_round(begin_round_after_a_reset, 1, 0);
}

/* -------------------------------------- operations under the lock -- */

static int id;

static void begin(void)
{
    hand_clock_use();
    id = eprof_alloc("a");
    program_record(id);
    program_enter("s");
}

static void reset(void)
{
    eprof_reset();
}

static void init(void)
{
    eprof_init();
}

static void release(void)
{
    eprof_release(id);
}

static void release_by_label(void)
{
    eprof_free("a");
}

static void name_thread(void)
{
    eprof_thread_enter(
        "a long name that takes more than one cell of sixty-four bytes to be kept in");
}

static void rename_thread(void)
{
    name_thread();
    eprof_thread_enter("other");
}

#define A_ROW "instance a 1/1 10 10 [10 10 10]\n"
#define S_ROW "scope s 1/1 10 10 [10 10 10]\n"
TEST(reset_is_all_or_nothing_at_each_instruction)
{
    stepping_assert_all_or_nothing(begin, reset, "");
}

TEST(release_is_all_or_nothing_at_each_instruction)
{
    stepping_assert_all_or_nothing(begin, release, S_ROW);
    stepping_assert_all_or_nothing(begin, release_by_label, S_ROW);
}

static void look_for_a_readable_file(struct stepping *stepping)
{
    stepping_text(stepping->last, sizeof stepping->last);
}

/* The instances are released first, then everything. */
TEST(init_is_readable_at_each_instruction)
{
    struct stepping *stepping = stepping_make(begin, init, look_for_a_readable_file);
    stepping_run(stepping);
    assert_string_equal(stepping->last, "");
}

static void look_for_the_thread(struct stepping *stepping)
{
    struct stored stored;
    (void)stepping;
    stored_open_with(&stored, "copy", (struct ep_snapshot_options){.threads = true});
    const struct eprof_row *row = &stored.snapshot->rows[stored.snapshot->scope_first];
    assert_string_equal(row->name, "s");
    bool is_known = strcmp(row->thread, "main") == 0 || strncmp(row->thread, "a long na", 9) == 0 ||
                    strcmp(row->thread, "other") == 0;
    if (!is_known)
        fail_msg("the thread is called \"%s\"", row->thread);
    stored_close(&stored);
}

TEST(name_of_a_thread_is_one_that_it_had_at_each_instruction)
{
    struct stepping *stepping = stepping_make(begin, rename_thread, look_for_the_thread);
    stepping_run(stepping);
    assert_true(stepping->looks > 0);
}

static void make_many_instances(void)
{
    char label[200];
    for (size_t i = 1; i < sizeof label; i *= 3) {
        memset(label, 'x', i);
        label[i] = '\0';
        eprof_release(id);
        id = eprof_alloc(label);
        program_record(id);
    }
}

TEST(instances_that_come_and_go_are_readable_at_each_instruction)
{
    struct stepping *stepping = stepping_make(begin, make_many_instances, look_for_a_readable_file);
    stepping_run(stepping);
    assert_non_null(strstr(stepping->last, "instance xxx"));
}

/* A thread that ends gives its record to a thread that begins. */
static void come_and_go(void)
{
    eprof_thread_exit();
    program_enter("as a new thread");
}

TEST(end_of_a_thread_is_readable_at_each_instruction)
{
    struct stepping *stepping = stepping_make(begin, come_and_go, look_for_a_readable_file);
    stepping_run(stepping);
    assert_non_null(strstr(stepping->last, "scope as a new thread "));
}

/* --------------------------------------------------------------- of the file -- */

/* Records until the last block for which the file has room. */
static void fill_the_file(void)
{
    char label[32];
    begin();
    for (int i = 0;
         ep_process.image.committed - ep_image_root(&ep_process.image)->cells_used > EP_BLOCK_CELLS;
         i++) {
        snprintf(label, sizeof label, "filler %d", i);
        program_enter(label);
    }
}

static void grow(void)
{
    char label[32];
    uint32_t committed = ep_process.image.committed;
    for (int i = 0; ep_process.image.committed == committed; i++) {
        snprintf(label, sizeof label, "new %d", i);
        program_enter(label);
    }
}

static void look_for_the_earlier_content(struct stepping *stepping)
{
    struct stored stored;
    (void)stepping;
    stored_open(&stored, "copy");
    assert_int_equal(stored_row(&stored, "scope", "s", "*").calls, 1);
    assert_int_equal(stored_row(&stored, "scope", "filler 0", "*").calls, 1);
    assert_int_equal(stored_identity(&stored)->cut_short, 0);
    stored_close(&stored);
}

TEST(growth_is_readable_at_each_instruction)
{
    struct stepping *stepping = stepping_make(fill_the_file, grow, look_for_the_earlier_content);
    stepping_run(stepping);
}

/* The cost of the probe has been measured before: its measurement would take long to step
 * through. */
static void begin_and_look(void)
{
    begin();
    eprof_snapshot_free(eprof_snapshot_take());
}

static void name_the_file(void)
{
    eprof_setup("image=profile.%p");
}

TEST(file_is_readable_from_its_first_instruction_on)
{
    struct stepping *stepping =
        stepping_make(begin_and_look, name_the_file, look_for_a_readable_file);
    stepping->items = NULL;
    stepping_run(stepping);
    assert_string_equal(stepping->last, A_ROW S_ROW);
    assert_true(stepping->looks > 0);
}

TEST_EACH(scratch_enter, scratch_leave)
