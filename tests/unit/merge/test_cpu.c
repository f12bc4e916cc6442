/* Processor time in sums: the cost of readings is subtracted from each image by itself, and a
 * figure that is unknown in one image is unknown in the sum. */
#include "merging.h"

#include <inttypes.h>
#include <string.h>

static const struct ep_snapshot_options merged = {.threads = false};

static struct ep_node_cell *add_scope(struct ep_thread_cell *thread,
                                      const struct ep_node_cell *parent, const char *label)
{
    struct ep_node_cell *node = fake_node(thread, parent, fake_site("a.c", 1, label));
    for (int i = 0; i < 10; i++)
        fake_visit(node, 1000, 1000);
    return node;
}

static void add_instance(struct ep_thread_cell *thread, uint32_t slot, const char *label,
                         uint64_t cpu_ns)
{
    fake_instance(slot, label, 1);
    struct ep_instance_cells *pair = fake_pair(thread, slot, 1);
    for (int i = 0; i < 10; i++)
        fake_call(pair, 1000);
    if (cpu_ns) {
        pair->stats.cpu = ep_image_take(&fake, 1);
        fake.cells[pair->stats.cpu].cpu_sums = (struct ep_cpu_sums){.cpu_ns = cpu_ns, .weight = 10};
    }
}

/* 10 calls of 1,000 ns each, of the scopes and instances `own` and "both"; cpu_ns 0: without
 * processor time. */
static struct ep_image make(const char *own, uint64_t cpu_ns, uint64_t outside_ns)
{
    assert_return_code(ep_image_create(&fake), errno);
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *root = fake_root(thread);
    const char *const labels[] = {own, "both"};
    for (uint32_t i = 0; i < 2; i++) {
        struct ep_node_cell *node = add_scope(thread, root, labels[i]);
        add_instance(thread, i, labels[i], cpu_ns);
        if (cpu_ns)
            fake_sampling(node)->cpu = (struct ep_cpu_sums){.cpu_ns = cpu_ns, .weight = 10};
    }
    fake.cells[EP_CELL_SCALE].scale.scale[0] = (struct ep_scale){1, 1};
    fake.cells[EP_CELL_CPU].cpu =
        (struct ep_cpu_cell){.is_on = cpu_ns != 0,
                             .read_ns = outside_ns,
                             .outside_ns = {outside_ns, outside_ns, outside_ns}};
    struct ep_image made = fake;
    memset(&fake, 0, sizeof fake);
    return made;
}

static void check(const struct eprof_snapshot *snapshot, const char *name, uint64_t cpu_ns,
                  uint64_t wait_ns)
{
    int found = 0;
    for (size_t i = 0; i < snapshot->row_count; i++) {
        const struct eprof_row *row = &snapshot->rows[i];
        if (strcmp(row->name, name) != 0)
            continue;
        found++;
        if (row->cpu_ns != cpu_ns || row->wait_ns != wait_ns)
            fail_msg("%s %s: %" PRIu64 " and %" PRIu64 " ns, not %" PRIu64 " and %" PRIu64,
                     row->kind, name, row->cpu_ns, row->wait_ns, cpu_ns, wait_ns);
        if (row->estimated)
            fail_msg("%s %s is no estimate", row->kind, name);
    }
    assert_int_equal(found, 2);
}

TEST(cpu_of_a_sum_is_the_sum_without_each_image_s_readings)
{
    struct ep_image a = make("a", 4000, 100), b = make("b", 8000, 300);
    struct ep_merge *merge = merge_two(&a, &b);
    struct eprof_snapshot *snapshot = merged_snapshot(merge, merged);
    check(snapshot, "a", 3000, 7000);
    check(snapshot, "b", 5000, 5000);
    check(snapshot, "both", 8000, 12000);
    assert_int_equal((int)snapshot->cpu_read_ns, 300);
    ep_merge_end(merge);
    ep_image_destroy(&a);
    ep_image_destroy(&b);
}

TEST(cpu_of_a_sum_with_an_image_without_it_is_unknown_where_both_have_calls)
{
    struct ep_image a = make("a", 4000, 100), b = make("b", 0, 0);
    struct ep_merge *merge = merge_two(&b, &a);
    struct eprof_snapshot *snapshot = merged_snapshot(merge, merged);
    check(snapshot, "a", 3000, 7000);
    check(snapshot, "b", EPROF_UNKNOWN, EPROF_UNKNOWN);
    check(snapshot, "both", EPROF_UNKNOWN, EPROF_UNKNOWN);
    ep_merge_end(merge);
    ep_image_destroy(&a);
    ep_image_destroy(&b);
}

/* A program that was killed: the time of the open call is that of the calls that ended inside. */
TEST(cpu_of_a_sum_with_a_call_that_never_ended_is_unknown)
{
    struct ep_image a = make("a", 4000, 100), b = make("b", 8000, 300);
    fake = a;
    struct ep_thread_cell *thread = &fake.cells[ep_image_root(&fake)->threads].thread;
    struct ep_node_cell *root = ep_image_node(&fake, thread->nodes),
                        *node = ep_image_node(&fake, root->next);
    fake_frame(thread, root, EP_SCOPE_VOID, 0);
    fake_frame(thread, node, EP_SCOPE_TIMED | EP_SCOPE_SAMPLE, 0)->generation = 1;
    a = fake;
    memset(&fake, 0, sizeof fake);
    struct ep_merge *merge = merge_two(&a, &b);
    struct eprof_snapshot *snapshot = merged_snapshot(merge, merged);
    for (size_t i = 0; i < snapshot->row_count; i++) {
        const struct eprof_row *row = &snapshot->rows[i];
        bool is_open = strcmp(row->name, "a") == 0 && strcmp(row->kind, "scope") == 0;
        if ((row->cpu_ns == EPROF_UNKNOWN) != is_open)
            fail_msg("%s %s: %" PRIu64 " ns, %" PRIu64 " open", row->kind, row->name, row->cpu_ns,
                     row->open);
    }
    ep_merge_end(merge);
    ep_image_destroy(&a);
    ep_image_destroy(&b);
}

/* A call of the thread that saved the image, which knew its own processor time. */
TEST(cpu_of_a_sum_with_a_call_that_was_open_when_its_thread_saved_the_image)
{
    struct ep_image a = make("a", 4000, 100);
    fake = a;
    struct ep_thread_cell *thread = &fake.cells[ep_image_root(&fake)->threads].thread;
    struct ep_node_cell *root = ep_image_node(&fake, thread->nodes),
                        *node = ep_image_node(&fake, root->next);
    struct ep_scale_cell *moment = &fake.cells[EP_CELL_SCALE].scale;
    fake_frame(thread, root, EP_SCOPE_VOID, 0);
    fake_frame(thread, node, EP_SCOPE_TIMED | EP_SCOPE_SAMPLE, 5000)->generation = 1;
    fake_sampling(node)->cpu.start_cpu_ns = 200 + 1;
    thread->self = moment->now_self = 7;
    moment->now_ticks = 6000, moment->has_now = 1;
    fake.cells[EP_CELL_CPU].cpu.now_cpu_ns = 500 + 1;
    a = fake;
    memset(&fake, 0, sizeof fake);
    const struct ep_image *const one[] = {&a};
    struct ep_merge *merge = merge_all(one, 1);
    struct eprof_snapshot *stored = ep_snapshot_take_stored(&a, merged);
    struct eprof_snapshot *sum = merged_snapshot(merge, merged);
    for (size_t i = 0; i < sum->row_count; i++)
        if (strcmp(sum->rows[i].name, "a") == 0 && strcmp(sum->rows[i].kind, "scope") == 0) {
            assert_int_equal(sum->rows[i].total_ns, 11000);
            assert_int_equal(sum->rows[i].cpu_ns, 4000 - 10 * 100 + 300);
            assert_int_equal(sum->rows[i].cpu_ns, stored->rows[i].cpu_ns);
        }
    ep_snapshot_free(stored);
    ep_merge_end(merge);
    ep_image_destroy(&a);
}

TEST(cpu_of_a_raw_sum_contains_the_readings)
{
    struct ep_image a = make("a", 4000, 100);
    const struct ep_image *const one[] = {&a};
    struct ep_merge *merge = merge_as(true, one, 1);
    struct eprof_snapshot *snapshot =
        merged_snapshot(merge, (struct ep_snapshot_options){.raw = true});
    check(snapshot, "a", 4000, 6000);
    ep_merge_end(merge);
    ep_image_destroy(&a);
}
