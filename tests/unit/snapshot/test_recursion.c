/*
 * Indirect recursion: the cost of the probes is subtracted from each row that contains it. The
 * image is made by hand. An empty scope reads 2 ticks inside and costs 1 around; inside another
 * call of its site it costs 3.
 */
#include "support/fake_image.h"

static void set_probe(void)
{
    fake.cells[EP_CELL_PROBE].probe = (struct ep_probe_cell){.is_known = 1,
                                                             .scope_inside_milliticks = 2000,
                                                             .scope_pair_milliticks = 3000,
                                                             .nested_pair_milliticks = 3000};
}

static struct ep_node_cell *add_node(struct ep_thread_cell *thread,
                                     const struct ep_node_cell *parent, const char *name)
{
    return fake_node(thread, parent, fake_site("a.c", 1, name));
}

static void nest(struct ep_node_cell *node, uint64_t calls)
{
    node->stats.calls += calls;
    node->stats.nested += calls;
}

/* v (100 of its own) calls a (10), which calls v, which calls a, which calls v. The readings are
 * 102, 115, 218, 231 and 334, from the innermost call outwards. */
static struct ep_node_cell *make_mutual(struct ep_thread_cell *thread)
{
    struct ep_node_cell *v = add_node(thread, fake_root(thread), "v");
    struct ep_node_cell *a = add_node(thread, v, "a");
    fake_visit(v, 334, 102 + (218 - 115) + (334 - 231));
    nest(v, 2);
    fake_visit(a, 231, (115 - 102) + (231 - 218));
    nest(a, 1);
    return a;
}

TEST(function_between_is_without_the_probes_of_the_one_around)
{
    set_probe();
    make_mutual(fake_thread(0, NULL));
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "v")->total_ns, 3 * 100 + 2 * 10);
    assert_int_equal(fake_row(snapshot, "v;a")->total_ns, 2 * 100 + 2 * 10);
}

TEST(outermost_calls_are_those_that_are_not_nested)
{
    make_mutual(fake_thread(0, NULL));
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "v")->calls, 3);
    assert_int_equal(fake_row(snapshot, "v")->outermost, 1);
    assert_int_equal(fake_row(snapshot, "v;a")->calls, 2);
    assert_int_equal(fake_row(snapshot, "v;a")->outermost, 1);
    assert_int_equal(snapshot->tops[0].outermost, 1);
}

/* The same holds for each function between that one and the call: b takes 5 itself and makes the
 * call. */
TEST(all_functions_between_are)
{
    set_probe();
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *v = add_node(thread, fake_root(thread), "v");
    struct ep_node_cell *a = add_node(thread, v, "a");
    struct ep_node_cell *b = add_node(thread, a, "b");
    fake_visit(v, 225, 102 + (225 - 122)); /* the inner v reads 102, b reads 110, a reads 123 */
    nest(v, 1);
    fake_visit(b, 2 + 5 + 103, 110 - 102);
    fake_visit(a, 2 + 10 + 111, 123 - 110);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "v;a")->total_ns, 100 + 5 + 10);
    assert_int_equal(fake_row(snapshot, "v;a;b")->total_ns, 100 + 5);
}

TEST(probes_of_recursive_calls_are_in_no_child)
{
    set_probe();
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *f = add_node(thread, fake_root(thread), "f");
    fake_visit(f, 1000, 498);
    nest(f, 20);
    fake_visit(add_node(thread, f, "g"), 502, 502);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "f;g")->total_ns, 500);
}

/* One child has half of the time of all children, and so it gets half of the probes. */
TEST(children_have_probes_by_their_time)
{
    set_probe();
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *f = add_node(thread, fake_root(thread), "f");
    fake_visit(f, 10000, 10000);
    nest(f, 94); /* the children contain all of it */
    fake_visit(add_node(thread, f, "g"), 5000, 10);
    fake_visit(add_node(thread, f, "h"), 5000, 10);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "f;g")->total_ns, 5000 - 2 - 47 * 3);
    assert_int_equal(fake_row(snapshot, "f;h")->total_ns, 5000 - 2 - 47 * 3);
}

/* This can occur if the figures were read one call apart, so that the shares are not exact. */
TEST(child_has_no_more_time_than_its_parent)
{
    set_probe();
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *f = add_node(thread, fake_root(thread), "f");
    fake_visit(f, 1000, 900);
    nest(f, 100);
    fake_visit(add_node(thread, f, "g"), 990, 990);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    const struct eprof_row *around = fake_row(snapshot, "f"), *inside = fake_row(snapshot, "f;g");
    assert_in_range(inside->total_ns, 0, around->total_ns);
    assert_in_range(inside->self_ns, 0, inside->total_ns);
}

/* A timed call of this function represents 64 calls, directly in v: v is not called from there. */
TEST(sampled_sibling_has_none_of_the_probes)
{
    set_probe();
    fake.cells[EP_CELL_FUNCTION_PROBE].function_probe = (struct ep_function_probe_cell){
        .is_known = 1, .inside_milliticks = 2000, .pair_milliticks = 3000};
    fake.cells[EP_CELL_SAMPLED_PROBE].sampled_probe = (struct ep_sampled_probe_cell){
        .inside_milliticks = {2000, 2000}, .pair_milliticks = {3000, 3000}};
    make_mutual(fake_thread(0, NULL));
    struct ep_thread_cell *thread = &fake.cells[ep_image_root(&fake)->threads].thread;
    struct ep_node_cell *root = (struct ep_node_cell *)&fake.cells[thread->nodes];
    struct ep_node_cell *v = (struct ep_node_cell *)&fake.cells[root->next];
    struct ep_site_cell *brief = fake_function(fake_module("/bin/p"), 0x10);
    fake_name(brief, "brief", EP_NAMING_WHOLE);
    struct ep_node_cell *node = fake_node(thread, v, brief->number);
    fake_sample(node, 12, 64);
    uint64_t took = 13 + 63 * 10;
    v->stats.total_ticks += took;
    v->stats.max_ticks += took;
    v->stats.min_ticks += took;
    v->self_ticks += took - 64 * 12;
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "v")->total_ns, 3 * 100 + 2 * 10 + 640);
    assert_int_equal(fake_row(snapshot, "v;a")->total_ns, 2 * 100 + 2 * 10);
    assert_int_equal(fake_row(snapshot, "v;brief")->total_ns, 640);
}

TEST(raw_times_are_as_measured)
{
    set_probe();
    make_mutual(fake_thread(0, NULL));
    struct eprof_snapshot *snapshot = fake_take(RAW);
    assert_int_equal(fake_row(snapshot, "v")->total_ns, 334);
    assert_int_equal(fake_row(snapshot, "v;a")->total_ns, 231);
}

TEST_EACH(fake_begin, fake_end)
