/* The moment of an image that another process writes; the test moves the clocks by hand. */
#include "image/read.h"
#include "snapshot/snapshot.h"
#include "support/fake_image.h"

enum { SECOND = 1000000000 };

/* A program that began 100 s after the boot of the machine, with a counter of 2 GHz. */
static int begin(void **state)
{
    if (fake_begin(state) != 0)
        return -1;
    struct ep_source_cell *source = &fake.cells[EP_CELL_SOURCE].source;
    struct ep_scale_cell *scale = &fake.cells[EP_CELL_SCALE].scale;
    strcpy(source->name, "rdtsc");
    source->first_ticks = 5000;
    source->first_monotonic_ns = UINT64_C(100) * SECOND;
    scale->scale[0] = (struct ep_scale){1, 2};
    ep_image_control(&fake)->reset_ticks = 5000;
    fake.cells[EP_CELL_IDENTITY].identity.process_id = 4711;
    return 0;
}

/* The moment `ns` after the begin of the program. */
static struct ep_image_moment after(uint64_t ns)
{
    return (struct ep_image_moment){.monotonic_ns = UINT64_C(100) * SECOND + ns,
                                    .counter_ticks = 5000 + 2 * ns,
                                    .day_us = (UINT64_C(1) << 50) + ns / 1000};
}

static bool put(uint64_t ns)
{
    struct ep_image_moment moment = after(ns);
    return ep_image_read_moment_put(&fake, &moment);
}

static uint64_t age_ns(uint64_t ns)
{
    struct ep_image_moment moment = after(ns);
    return ep_image_read_moment_age_ns(&fake, &moment);
}

static uint64_t now_ticks(void)
{
    const struct ep_scale_cell *scale = &fake.cells[EP_CELL_SCALE].scale;
    return scale->has_now ? scale->now_ticks : 0;
}

/* ---- the clock of each source ---- */

TEST(moment_is_on_the_clock_of_the_source)
{
    static const struct {
        const char *source;
        uint64_t first_ticks, ns_per_tick, now_ticks;
    } cases[] = {{"rdtsc", 5000, 0, 5000 + 6000000},
                 {"cntvct", 5000, 0, 5000 + 6000000},
                 {"clock_gettime", UINT64_C(100) * SECOND, 1, UINT64_C(100003) * 1000000},
                 {"gettimeofday", UINT64_C(1) << 50, 1000, (UINT64_C(1) << 50) + 3000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ep_scale_cell *scale = &fake.cells[EP_CELL_SCALE].scale;
        strcpy(fake.cells[EP_CELL_SOURCE].source.name, cases[i].source);
        fake.cells[EP_CELL_SOURCE].source.first_ticks = cases[i].first_ticks;
        scale->has_now = 0;
        if (cases[i].ns_per_tick)
            scale->scale[0] = (struct ep_scale){cases[i].ns_per_tick, 1};
        if (!put(3000000) || now_ticks() != cases[i].now_ticks)
            fail_msg("%s: %llu", cases[i].source, (unsigned long long)now_ticks());
    }
}

TEST(sources_of_one_process_or_thread_have_no_moment)
{
    strcpy(fake.cells[EP_CELL_SOURCE].source.name, "by_hand");
    assert_false(put(3000000));
    strcpy(fake.cells[EP_CELL_SOURCE].source.name, "rdtsc");
    fake.cells[EP_CELL_SOURCE].source.is_per_thread = 1;
    assert_false(put(3000000));
    assert_int_equal(now_ticks(), 0);
}

TEST(rate_that_is_not_known_yet_gives_none)
{
    fake.cells[EP_CELL_SCALE].scale.scale[0] = (struct ep_scale){0, 0};
    assert_false(put(3000000));
    assert_int_equal(age_ns(3000000), 0);
}

/* The image comes from another machine, or from one that was asleep. */
TEST(clocks_that_do_not_agree_give_none)
{
    struct ep_image_moment moment = after(UINT64_C(64) * SECOND);
    moment.counter_ticks += UINT64_C(2) * 2 * SECOND + 2000; /* a second, and one in 64 */
    assert_false(ep_image_read_moment_put(&fake, &moment));
    moment.counter_ticks -= 4000;
    assert_true(ep_image_read_moment_put(&fake, &moment));
}

TEST(program_that_has_just_ended_keeps_its_own)
{
    struct ep_scale_cell *scale = &fake.cells[EP_CELL_SCALE].scale;
    scale->has_now = 1;
    scale->now_ticks = 7000;
    assert_true(put(3000000));
    assert_int_equal(now_ticks(), 7000);
}

/* ---- use of the moment ---- */

TEST(open_scope_has_its_time_so_far)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *root = fake_root(thread);
    struct ep_node_cell *node = fake_node(thread, root, fake_site("a.c", 1, "serve"));
    fake_frame(thread, root, EP_SCOPE_VOID, 0);
    fake_frame(thread, node, EP_SCOPE_TIMED, 5000 + 2 * 1000000);
    for (int with_moment = 0; with_moment < 2; with_moment++) {
        if (with_moment)
            assert_true(put(3000000));
        struct eprof_snapshot *snapshot = snapshot_keep(ep_snapshot_take_stored(&fake, RAW));
        assert_int_equal(fake_row(snapshot, "serve")->total_ns, with_moment ? 2000000 : 0);
    }
}

/* ---- age ---- */

TEST(age_is_since_the_first_use)
{
    assert_true(put(UINT64_C(12) * SECOND));
    assert_int_equal(age_ns(UINT64_C(99) * SECOND), UINT64_C(12) * SECOND);
    assert_int_equal(ep_image_read_moment_age_ns(&fake, NULL), UINT64_C(12) * SECOND);
}

TEST(age_is_since_the_last_reset)
{
    ep_image_control(&fake)->reset_ticks = 5000 + UINT64_C(10) * 2 * SECOND;
    assert_true(put(UINT64_C(12) * SECOND));
    assert_int_equal(age_ns(0), UINT64_C(2) * SECOND);
}

TEST(age_without_a_moment_is_by_the_monotonic_clock)
{
    strcpy(fake.cells[EP_CELL_SOURCE].source.name, "by_hand");
    assert_int_equal(age_ns(UINT64_C(12) * SECOND), UINT64_C(12) * SECOND);
    ep_image_control(&fake)->reset_ticks = 5000 + UINT64_C(10) * 2 * SECOND;
    assert_int_equal(age_ns(UINT64_C(12) * SECOND), UINT64_C(2) * SECOND);
    assert_int_equal(age_ns(UINT64_C(9) * SECOND), 0); /* a step back */
    assert_int_equal(ep_image_read_moment_age_ns(&fake, NULL), 0);
}

TEST(several_programs_have_no_age)
{
    assert_true(put(UINT64_C(12) * SECOND));
    fake.cells[EP_CELL_IDENTITY].identity.process_id = 0;
    assert_int_equal(age_ns(UINT64_C(12) * SECOND), 0);
}

/* ---- the real clocks ---- */

TEST(moment_goes_on)
{
    struct ep_image_moment one = ep_image_read_moment_take(), other = ep_image_read_moment_take();
    assert_true(other.monotonic_ns >= one.monotonic_ns && one.monotonic_ns > 0);
    assert_true(one.day_us > UINT64_C(1000000000000000)); /* 2001 */
}

TEST_EACH(begin, fake_end)
