#include "fake_tree.h"

#include "image_mend.h"

/* A thread that was killed while it kept a hold: a node and a pair of the hold, and what they
 * stand for. What was kept before is 100 ticks, what is being kept 30. */
struct scene {
    struct ep_thread_cell *thread;
    struct ep_node_cell *base, *scratch;
    struct ep_pair_cell *base_pair, *scratch_pair;
};

static struct ep_node_cell *held_node(const struct scene *scene, uint32_t level)
{
    struct ep_node_cell *node = fake_node(scene->thread, scene->base, EP_SITE_HOLD);
    node->level = level;
    node->base = fake_ref(scene->base);
    node->stamp += level * EP_STAMP_LEVEL;
    return node;
}

static struct scene make_scene(void)
{
    struct scene scene = {.thread = fake_thread(0, NULL)};
    const struct ep_node_cell *root = fake_root(scene.thread);
    scene.base = fake_node(scene.thread, root, fake_site("a.c", 1, "work"));
    fake_visit(scene.base, 100, 100);
    scene.scratch = held_node(&scene, 1);
    fake_visit(scene.scratch, 30, 30);
    fake_instance(0, "pair", 1);
    scene.base_pair = fake_pair(scene.thread, 0, 1);
    fake_call(scene.base_pair, 100);
    scene.scratch_pair = fake_pair(scene.thread, 0, 1 + EP_STAMP_LEVEL);
    fake_call(scene.scratch_pair, 30);
    /* on its own list */
    scene.base_pair->next = 0;
    scene.thread->scratch_pairs = fake_ref(scene.scratch_pair);
    scene.thread->keeps = 1;
    fake.cells[scene.thread->move].move.keep_level = 1;
    return scene;
}

static uint64_t counted(const struct ep_statistics *stats)
{
    uint64_t sum = 0;
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++) {
        ep_ref counts = ep_cell_octave(fake.cells, stats, octave);
        for (unsigned step = 0; counts && step < EP_OCTAVE_BUCKETS; step++)
            sum += fake.cells[counts].octave.count[step];
    }
    return sum;
}

/* Where both differences have cells, as ep_statistics_reserve() sees to. */
static void reserve(struct ep_statistics *to, uint64_t ticks)
{
    fake_cell(&to->octave[ep_histogram_bucket(ticks) / EP_OCTAVE_BUCKETS]);
}

static void keep_that_was_begun_is_finished(void **state)
{
    (void)state;
    struct scene scene = make_scene();
    reserve(&scene.base->stats, 30);
    reserve(&scene.base_pair->stats, 30);
    assert_int_equal(ep_image_mend(&fake), 0);
    assert_int_equal(scene.base->stats.calls, 2);
    assert_int_equal(scene.base->stats.total_ticks, 130);
    assert_int_equal(scene.base->self_ticks, 130);
    assert_int_equal(scene.base->stats.min_ticks, 30);
    assert_int_equal(scene.base->stats.max_ticks, 100);
    assert_int_equal(scene.base->stats.square_low, 100 * 100 + 30 * 30);
    assert_int_equal(counted(&scene.base->stats), 2);
    assert_int_equal(scene.base_pair->stats.calls, 2);
    assert_int_equal(scene.base_pair->stats.total_ticks, 130);
    assert_int_equal(counted(&scene.base_pair->stats), 2);
    assert_int_equal(scene.thread->keeps % 2, 0);
}

static void what_was_kept_before_the_kill_is_not_kept_twice(void **state)
{
    (void)state;
    struct scene scene = make_scene();
    scene.scratch->stamp = 0;
    scene.scratch_pair->stamp = 0;
    assert_int_equal(ep_image_mend(&fake), 0);
    assert_int_equal(scene.base->stats.total_ticks, 100);
    assert_int_equal(scene.base_pair->stats.total_ticks, 100);
}

static void hold_that_nobody_was_keeping_stays_out(void **state)
{
    (void)state;
    struct scene scene = make_scene();
    scene.thread->keeps = 2;
    assert_int_equal(ep_image_mend(&fake), 0);
    assert_int_equal(scene.base->stats.calls, 1);
    assert_int_equal(scene.base_pair->stats.calls, 1);
}

static void hold_of_before_a_reset_stays_out(void **state)
{
    (void)state;
    struct scene scene = make_scene();
    fake_reset(2);
    assert_int_equal(ep_image_mend(&fake), 0);
    assert_int_equal(scene.base->stats.calls, 1);
}

/* More than could be looked for in each other's list: that took 20 s for 30,000. */
static void many_pairs_of_a_keep_are_found(void **state)
{
    enum { PAIRS = 100000 };
    (void)state;
    struct scene scene = make_scene();
    ep_ref *base = &scene.base_pair->next, *scratch = &scene.scratch_pair->next;
    for (uint32_t slot = 1; slot < PAIRS; slot++) {
        ep_ref pairs = ep_image_take(&fake, 8);
        assert_int_not_equal(pairs, 0);
        struct ep_pair_cell *pair = (struct ep_pair_cell *)&fake.cells[pairs];
        struct ep_pair_cell *held = (struct ep_pair_cell *)&fake.cells[pairs + 4];
        *pair = (struct ep_pair_cell){.stamp = 1, .handle = slot, .stats.min_ticks = UINT64_MAX};
        *held = *pair;
        held->stamp += EP_STAMP_LEVEL;
        held->stats.calls = slot;
        *base = pairs;
        *scratch = pairs + 4;
        base = &pair->next;
        scratch = &held->next;
    }
    assert_int_equal(ep_image_mend(&fake), 0);
    uint32_t slot = 0;
    for (ep_ref ref = scene.base_pair->next; ref; slot++) {
        const struct ep_pair_cell *pair = (const struct ep_pair_cell *)&fake.cells[ref];
        assert_int_equal(pair->stats.calls, slot + 1);
        ref = pair->next;
    }
    assert_int_equal(slot, PAIRS - 1);
}

/* It goes to the outer one, which was not decided. */
static void keep_of_an_inner_hold_stays_out(void **state)
{
    (void)state;
    struct scene scene = make_scene();
    struct ep_node_cell *inner = held_node(&scene, 2);
    inner->base = fake_ref(scene.scratch);
    fake_visit(inner, 7, 7);
    fake.cells[scene.thread->move].move.keep_level = 2;
    assert_int_equal(ep_image_mend(&fake), 0);
    assert_int_equal(scene.base->stats.calls, 1);
    assert_int_equal(scene.scratch->stats.calls, 1);
    assert_int_equal(scene.base_pair->stats.calls, 1);
}

static uint64_t word_of(const uint64_t *field)
{
    return (uint64_t)(field - (const uint64_t *)fake.cells);
}

static void begin_move(const struct scene *scene, const uint64_t *to, const uint64_t *from,
                       uint64_t sum)
{
    struct ep_move_cell *move = &fake.cells[scene->thread->move].move;
    move->to = word_of(to);
    move->from = word_of(from);
    move->sum_low = sum;
}

/* Killed behind each of the two stores of a move, and before the first. */
static void field_in_between_is_in_one_place(void **state)
{
    (void)state;
    for (int stores = 0; stores <= 2; stores++) {
        struct scene scene = make_scene();
        uint64_t *to = &scene.base->self_ticks, *from = &scene.scratch->self_ticks;
        begin_move(&scene, to, from, 130);
        *to = stores >= 1 ? 130 : 100;
        *from = stores >= 2 ? 0 : 30;
        assert_int_equal(ep_image_mend(&fake), 0);
        assert_int_equal(scene.base->self_ticks, 130);
        assert_int_equal(fake.cells[scene.thread->move].move.from, 0);
        fake_end(state);
        fake_begin(state);
    }
}

static void both_halves_of_the_squares_are_in_one_place(void **state)
{
    (void)state;
    struct scene scene = make_scene();
    scene.thread->keeps = 0;
    begin_move(&scene, &scene.base->stats.square_low, &scene.scratch->stats.square_low, 5);
    fake.cells[scene.thread->move].move.is_wide = 1;
    fake.cells[scene.thread->move].move.sum_high = 9;
    assert_int_equal(ep_image_mend(&fake), 0);
    assert_int_equal(scene.base->stats.square_low, 5);
    assert_int_equal(scene.base->stats.square_high, 9);
    assert_int_equal(scene.scratch->stats.square_low, 0);
}

/* The last count of an octave has nothing of its own behind it. */
static void squares_are_not_moved_from_where_none_are(void **state)
{
    (void)state;
    struct scene scene = make_scene();
    ep_ref counts = ep_cell_octave(fake.cells, &scene.scratch->stats,
                                   ep_histogram_bucket(30) / EP_OCTAVE_BUCKETS);
    uint64_t *last = &fake.cells[counts].octave.count[EP_OCTAVE_BUCKETS - 1];
    uint64_t square_low = scene.base->stats.square_low, behind = last[1];
    scene.thread->keeps = 0;
    begin_move(&scene, &scene.base->stats.square_low, last, 5);
    fake.cells[scene.thread->move].move.is_wide = 1;
    assert_int_equal(ep_image_mend(&fake), 0);
    assert_int_equal(scene.base->stats.square_low, square_low);
    assert_int_equal(last[1], behind);
}

/* What an ended thread has counted goes to another's row under the lock, so but one at a time: more
 * is not looked for. */
static void one_move_between_threads_is_finished(void **state)
{
    (void)state;
    struct ep_thread_cell *threads[2];
    struct ep_node_cell *nodes[2];
    for (int i = 0; i < 2; i++) {
        threads[i] = fake_thread((uint32_t)i, NULL);
        nodes[i] = fake_node(threads[i], fake_root(threads[i]), fake_site("a.c", 1, "work"));
        fake_visit(nodes[i], 100, 100);
    }
    for (int i = 0; i < 2; i++)
        fake.cells[threads[i]->move].move =
            (struct ep_move_cell){.from = word_of(&nodes[!i]->stats.total_ticks),
                                  .to = word_of(&nodes[i]->stats.total_ticks),
                                  .sum_low = 200};
    assert_int_equal(ep_image_mend(&fake), 0);
    assert_int_equal(nodes[0]->stats.total_ticks, 200);
    assert_int_equal(nodes[1]->stats.total_ticks, 0);
}

/* Of a hostile image: nothing but figures may change. */
static void move_of_what_is_no_figure_is_not_made(void **state)
{
    (void)state;
    struct scene scene = make_scene();
    const uint64_t words[] = {0,
                              1,
                              UINT64_MAX,
                              UINT64_MAX - 1,
                              word_of((uint64_t *)&scene.base->stats.octave[0]),
                              word_of((uint64_t *)&scene.base->next),
                              word_of((uint64_t *)scene.thread)};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct ep_move_cell *move = &fake.cells[scene.thread->move].move;
        for (int as_target = 0; as_target <= 1; as_target++) {
            uint64_t figure = word_of(&scene.base->self_ticks);
            *move = (struct ep_move_cell){.from = as_target ? figure : words[i],
                                          .to = as_target ? words[i] : figure,
                                          .sum_low = 0xDEAD};
            scene.thread->keeps = 0;
            struct ep_node_cell before[2] = {*scene.base, *scene.scratch};
            struct ep_thread_cell thread = *scene.thread;
            assert_int_equal(ep_image_mend(&fake), 0);
            assert_memory_equal(scene.base, &before[0], sizeof before[0]);
            assert_memory_equal(scene.scratch, &before[1], sizeof before[1]);
            assert_memory_equal(scene.thread, &thread, sizeof thread);
        }
    }
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, fake_begin, fake_end)
    const struct CMUnitTest tests[] = {
        EACH(keep_that_was_begun_is_finished),
        EACH(what_was_kept_before_the_kill_is_not_kept_twice),
        EACH(hold_that_nobody_was_keeping_stays_out),
        EACH(hold_of_before_a_reset_stays_out),
        EACH(many_pairs_of_a_keep_are_found),
        EACH(keep_of_an_inner_hold_stays_out),
        EACH(field_in_between_is_in_one_place),
        EACH(both_halves_of_the_squares_are_in_one_place),
        EACH(squares_are_not_moved_from_where_none_are),
        EACH(one_move_between_threads_is_finished),
        EACH(move_of_what_is_no_figure_is_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
