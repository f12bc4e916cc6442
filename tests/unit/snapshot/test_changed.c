/*
 * An image whose owner changes it while it is read. The linker replaces the reading function by one
 * of this file (--wrap).
 */
#include "support/fake_image.h"

#include "snapshot/figures.h"

static void (*after_reading)(void); /* only once */

struct ep_figures __real_ep_figures_read(const struct ep_statistics *stats,
                                         const uint64_t *self_ticks);
struct ep_figures __wrap_ep_figures_read(const struct ep_statistics *stats,
                                         const uint64_t *self_ticks);
struct ep_figures __wrap_ep_figures_read(const struct ep_statistics *stats,
                                         const uint64_t *self_ticks)
{
    void (*change)(void) = after_reading;
    struct ep_figures figures = __real_ep_figures_read(stats, self_ticks);
    after_reading = NULL;
    if (change)
        change();
    return figures;
}

static struct ep_instance_cells *pair;
static struct ep_node_cell *node;

static void clear_pair(void)
{
    pair->generation = 0;
    pair->stats.calls = 0;
}

TEST(instance_that_is_cleared_while_it_is_read_has_no_row)
{
    fake_instance(0, "work", 1);
    pair = fake_pair(fake_thread(0, NULL), 0, 1);
    struct ep_instance_cells *other = fake_pair(fake_thread(1, NULL), 0, 1);
    fake_call(pair, 5);
    fake_call(other, 7);
    after_reading = clear_pair;
    struct eprof_row row = fake_only_row(MERGED);
    assert_null(after_reading);
    assert_int_equal(row.calls, 1);
    assert_int_equal(row.total_ns, 7);
}

static void clear_node(void)
{
    node->generation = 0;
    node->stats.calls = 0;
}

TEST(scope_that_is_cleared_while_it_is_read_has_no_row)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    node = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "work"));
    fake_visit(node, 5, 5);
    for (int is_changed = 0; is_changed < 2; is_changed++) {
        after_reading = is_changed ? clear_node : NULL;
        struct eprof_snapshot *snapshot = fake_take(MERGED);
        assert_null(after_reading);
        assert_int_equal(snapshot->row_count, !is_changed);
    }
}

TEST_EACH(fake_begin, fake_end)
