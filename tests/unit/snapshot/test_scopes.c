/* The rows of scopes: names, sites sorted by self time, and times without the cost of the probe;
 * the image is made by hand. */
#include "support/fake_image.h"

static size_t scopes_of(const struct eprof_snapshot *snapshot)
{
    return snapshot->diagnostic_first - snapshot->scope_first;
}

/* ------------------------------------------------------------------- names -- */

TEST(path_is_escaped_and_kept)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *a = fake_node(thread, fake_root(thread), fake_site(NULL, 0, "a;b"));
    struct ep_node_cell *b = fake_node(thread, a, fake_site(NULL, 0, ""));
    fake_visit(fake_node(thread, b, fake_site(NULL, 0, "\\;")), 1, 1);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    const char *path = ep_rows_path(snapshot, 2);
    assert_string_equal(path, "a\\;b;;\\\\\\;");
    assert_ptr_equal(ep_rows_path(snapshot, 2), path);
    assert_string_equal(ep_rows_path(snapshot, 1), "a\\;b;");
    assert_string_equal(ep_rows_path(snapshot, 0), "a\\;b");
    snapshot = fake_take(MERGED);
    ep_rows_path(snapshot, 0);
    assert_string_equal(ep_rows_path(snapshot, 2), "a\\;b;;\\\\\\;");
    assert_string_equal(snapshot->rows[2].file, "");
}

TEST(two_sites_of_one_name_that_are_shown_are_ambiguous)
{
    uint32_t first = fake_site("a.c", 1, "f"), second = fake_site("b.c", 1, "f");
    uint32_t third = fake_site("a.c", 2, "g");
    fake_site("b.c", 2, "g");
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *root = fake_root(thread);
    fake_visit(fake_node(thread, root, first), 30, 30);
    fake_visit(fake_node(thread, root, second), 20, 20);
    fake_visit(fake_node(thread, root, third), 10, 10);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(scopes_of(snapshot), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(snapshot->positions[i].mark.is_ambiguous, i < 2);
        assert_int_equal(snapshot->top_marks[i].is_ambiguous, i < 2);
    }
    assert_string_equal(snapshot->rows[0].file, "a.c");
    assert_string_equal(snapshot->rows[1].file, "b.c");
}

TEST(a_sites_name_is_one_string_in_all_rows)
{
    uint32_t f = fake_site("a.c", 1, "f"), g = fake_site("a.c", 2, "g");
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *root = fake_root(thread), *outer = fake_node(thread, root, f);
    fake_visit(outer, 50, 30);
    fake_visit(fake_node(thread, outer, g), 20, 20);
    fake_visit(fake_node(thread, root, g), 10, 10);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_ptr_equal(snapshot->rows[1].name, snapshot->rows[2].name);
    assert_ptr_equal(snapshot->rows[1].file, snapshot->rows[2].file);
}

/* --------------------------------------------------------------- functions -- */

TEST(functions_are_rows_and_tops_of_a_kind_of_their_own)
{
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    fake_name(f, "f", EP_NAMING_WHOLE);
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *outer = fake_node(thread, fake_root(thread), f->number);
    fake_visit(outer, 30, 10);
    fake_visit(fake_node(thread, outer, fake_site("a.c", 1, "g")), 20, 20);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_string_equal(snapshot->rows[0].kind, "function");
    assert_string_equal(snapshot->rows[0].name, "f");
    assert_string_equal(snapshot->rows[1].kind, "scope");
    assert_string_equal(snapshot->tops[0].kind, "scope");
    assert_string_equal(snapshot->tops[1].kind, "function");
}

static void assert_is_called(const struct ep_site_cell *function, const char *expected)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    fake_visit(fake_node(thread, fake_root(thread), function->number), 10, 10);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_string_equal(snapshot->rows[0].name, expected);
    assert_string_equal(snapshot->rows[0].file, "");
    assert_int_equal(snapshot->rows[0].line, 0);
}

TEST(function_without_a_name_is_called_by_its_module_and_address)
{
    assert_is_called(fake_function(fake_module("/usr/lib/libz.so.1"), 0x1a2B), "libz.so.1+0x1a2b");
}

TEST(function_with_an_empty_name_is_called_by_its_address)
{
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    fake_name(f, "", EP_NAMING_WHOLE);
    assert_is_called(f, "prog+0x1139");
}

TEST(function_of_the_highest_address_has_all_digits)
{
    assert_is_called(fake_function(fake_module("prog"), UINT64_MAX), "prog+0xffffffffffffffff");
}

TEST(function_of_a_module_without_a_path_is_called_by_its_address)
{
    assert_is_called(fake_function(fake_module(NULL), 0x40), "0x40");
}

TEST(function_is_called_by_the_name_of_its_dynamic_symbol)
{
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    fake_name(f, "_ZN1f1gEv", EP_NAMING_DYNAMIC);
    assert_is_called(f, "_ZN1f1gEv");
}

/* -------------------------------------------------------------------- tops -- */

TEST(tops_add_up_a_sites_paths_by_self_time)
{
    uint32_t f = fake_site("a.c", 1, "f"), g = fake_site("b.c", 2, "g");
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *root = fake_root(thread), *outer = fake_node(thread, root, f);
    fake_visit(outer, 100, 20);
    fake_visit(fake_node(thread, outer, g), 80, 80);
    fake_visit(fake_node(thread, root, g), 1000, 30);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->top_count, 2);
    const struct eprof_row *top = snapshot->tops;
    assert_string_equal(top[0].name, "g");
    assert_string_equal(top[0].kind, "scope");
    assert_string_equal(top[0].file, "b.c");
    assert_int_equal(top[0].line, 2);
    assert_string_equal(top[0].thread, "*");
    assert_null(top[0].path);
    assert_figures(&top[0], "calls 2, total 1080, self 110, min 80, max 1000");
    assert_in_range(top[0].p50_ns, 80, 84);
    assert_int_equal(top[0].stddev_ns, 460);
    assert_string_equal(top[1].name, "f");
}

/* Two threads with f;g; one of them has another path too. */
static void make_two_threads(void)
{
    uint32_t f = fake_site("a.c", 1, "f"), g = fake_site("a.c", 2, "g");
    for (uint32_t n = 0; n < 2; n++) {
        struct ep_thread_cell *thread = fake_thread(n, NULL);
        struct ep_node_cell *root = fake_root(thread);
        struct ep_node_cell *outer = fake_node(thread, root, f);
        struct ep_node_cell *inner = fake_node(thread, outer, g);
        fake_visit(outer, 100 * (n + 1), 60 * (n + 1));
        fake_visit(inner, 40 * (n + 1), 40 * (n + 1));
        if (n == 1)
            fake_visit(fake_node(thread, root, g), 7, 7);
    }
}

/* One path has only short calls, the other one has long calls too. */
TEST(tops_percentiles_are_of_all_calls)
{
    uint32_t f = fake_site("a.c", 1, "f");
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *root = fake_root(thread);
    struct ep_node_cell *first = fake_node(thread, root, f);
    struct ep_node_cell *second = fake_node(thread, fake_node(thread, root, f + 1), f);
    fake_site("a.c", 2, "g");
    for (int i = 0; i < 9; i++)
        fake_visit(first, 10, 10);
    fake_visit(second, 10, 10);
    for (int i = 0; i < 5; i++)
        fake_visit(second, 1000, 1000);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    const struct eprof_row *row = fake_row(snapshot, "g;f");
    assert_in_range(row->p50_ns, 938, 1000);
    assert_int_equal(snapshot->tops[0].p50_ns, 10);
    assert_in_range(snapshot->tops[0].p90_ns, 938, 1000);
}

TEST(tops_are_per_thread_on_request)
{
    make_two_threads();
    struct eprof_snapshot *snapshot = fake_take(BY_THREADS);
    static const char *const names[] = {"f", "g", "f", "g"};
    static const uint64_t self_ns[] = {60, 40, 120, 87};
    assert_int_equal(snapshot->top_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(snapshot->tops[i].name, names[i]);
        assert_string_equal(snapshot->tops[i].thread, i < 2 ? "main" : "thread 1");
        assert_int_equal(snapshot->tops[i].self_ns, self_ns[i]);
    }
    assert_int_equal(snapshot->tops[3].min_ns, 7);
    assert_in_range(snapshot->tops[1].p50_ns, 40, 42);
}

/* ---- the cost of the probe ---- */

enum { INSIDE = 10, AROUND = 15, NESTED = 17 };

static void set_probe(void)
{
    struct ep_probe_cell *probe = &fake.cells[EP_CELL_PROBE].probe;
    probe->inside_milliticks = 777000; /* this is for instances, not for scopes */
    probe->scope_inside_milliticks = INSIDE * 1000;
    probe->scope_pair_milliticks = (INSIDE + AROUND) * 1000;
    probe->nested_pair_milliticks = NESTED * 1000;
}

/* A call that runs for `self` ticks itself and contains the readings of its children. Its reading
 * is the sum of both and of the probes. */
static uint64_t visit_probed(struct ep_node_cell *node, uint64_t self, uint64_t child_calls,
                             uint64_t child_ticks)
{
    uint64_t measured_self = self + INSIDE + child_calls * AROUND;
    fake_visit(node, measured_self + child_ticks, measured_self);
    return measured_self + child_ticks;
}

/* f runs for 100 ticks itself and calls g 3 times; g runs for 20 and calls h twice; h runs for
 * 5. */
TEST(probes_are_taken_off_so_that_the_true_times_are_left)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *f = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
    struct ep_node_cell *g = fake_node(thread, f, fake_site("a.c", 2, "g"));
    struct ep_node_cell *h = fake_node(thread, g, fake_site("a.c", 3, "h"));
    uint64_t in_f = 0;
    for (int i = 0; i < 3; i++) {
        uint64_t in_g = 0;
        for (int n = 0; n < 2; n++)
            in_g += visit_probed(h, 5, 0, 0);
        in_f += visit_probed(g, 20, 2, in_g);
    }
    visit_probed(f, 100, 3, in_f);
    set_probe();
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    const struct eprof_row *rows = snapshot->rows;
    static const uint64_t total[] = {190, 90, 30}, self[] = {100, 60, 30}, call[] = {190, 30, 5};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(rows[i].total_ns, total[i]);
        assert_int_equal(rows[i].self_ns, self[i]);
        assert_int_equal(rows[i].mean_ns, call[i]);
        assert_int_equal(rows[i].min_ns, call[i]);
        assert_int_equal(rows[i].p50_ns, call[i]);
        assert_int_equal(rows[i].max_ns, call[i]);
    }
    snapshot = fake_take(RAW);
    assert_int_equal(snapshot->rows[0].total_ns, 190 + 10 * INSIDE + 9 * AROUND);
    assert_int_equal(snapshot->rows[2].min_ns, 5 + INSIDE);
}

static struct ep_site_cell *site_of(uint32_t number)
{
    struct ep_site_cell *found = NULL;
    for (EP_EACH(ep_site_cell, site, fake.cells, &ep_image_tree(&fake)->sites))
        found = site->number == number ? site : found;
    assert_non_null(found);
    return found;
}

/* In g, which is in f, 5 numbers are recorded, and two negative ones; a frame's excess is recorded
 * after the frame. */
TEST(recording_of_values_is_taken_off_the_scopes_around)
{
    enum { VALUE = 4, VALUES = 7, OVER = 1000 };
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *f = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
    struct ep_node_cell *g = fake_node(thread, f, fake_site("a.c", 2, "g"));
    uint32_t value = fake_site("a.c", 3, "n"), over = fake_site("a.c", 2, "over 1 ms");
    site_of(value)->kind = EP_SITE_VALUE;
    site_of(over)->kind = EP_SITE_OVER;
    struct ep_node_cell *positive = fake_node(thread, g, value | EP_NODE_VALUE);
    struct ep_node_cell *negative = fake_node(thread, g, value | EP_NODE_VALUE | EP_NODE_NEGATIVE);
    struct ep_node_cell *excess = fake_node(thread, g, over | EP_NODE_VALUE);
    for (int i = 0; i < VALUES; i++)
        fake_visit(i < 5 ? positive : negative, 9, 0);
    fake_visit(excess, OVER + INSIDE, 0);
    fake_visit(g, 200 + INSIDE + VALUES * VALUE, 200 + INSIDE + VALUES * VALUE);
    fake_visit(f, 300 + 2 * INSIDE + AROUND + VALUES * VALUE, 100 + INSIDE + AROUND);
    set_probe();
    fake.cells[EP_CELL_PROBE].probe.value_milliticks = VALUE * 1000;
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "f")->total_ns, 300);
    assert_int_equal(fake_row(snapshot, "f")->self_ns, 100);
    assert_int_equal(fake_row(snapshot, "f;g")->total_ns, 200);
    assert_int_equal(fake_row(snapshot, "f;g")->self_ns, 200);
    assert_int_equal(snapshot->value_count, 2);
    for (size_t i = 0; i < 2; i++)
        if (strcmp(snapshot->values[i].name, "n") == 0)
            assert_int_equal(snapshot->values[i].total_ns, 5 * 9 - 2 * 9);
        else
            assert_int_equal(snapshot->values[i].total_ns, OVER);
    assert_int_equal(snapshot->run.overhead_milliticks,
                     1000 * (2 * (INSIDE + AROUND) + VALUES * VALUE));
    assert_int_equal(fake_take(RAW)->rows[1].total_ns, 200 + INSIDE + VALUES * VALUE);
}

/* The readings of the calls of h are shorter than the cost of the probe: the time of h is 0, and g
 * keeps its self time. */
TEST(parts_do_not_exceed_the_whole)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *f = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
    struct ep_node_cell *g = fake_node(thread, f, fake_site("a.c", 2, "g"));
    struct ep_node_cell *h = fake_node(thread, g, fake_site("a.c", 3, "h"));
    for (int i = 0; i < 100; i++)
        fake_visit(h, 1, 1);
    uint64_t in_g = visit_probed(g, 20, 100, 100);
    visit_probed(f, 30, 1, in_g);
    set_probe();
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    static const uint64_t total[] = {50, 20, 0}, self[] = {30, 20, 0};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(snapshot->rows[i].total_ns, total[i]);
        assert_int_equal(snapshot->rows[i].self_ns, self[i]);
    }
}

/* A call inside another one of its site: the whole cost of its probes is in self and total of the
 * node. */
TEST(nested_calls_are_corrected_in_their_own_node)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *f = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
    uint64_t inner = 40 + NESTED / 2, outer = 100 + INSIDE + (NESTED - NESTED / 2) + inner;
    fake_visit(f, outer, outer - inner);
    fake_visit_nested(f, inner);
    set_probe();
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_figures(&snapshot->rows[0], "calls 2, timed 1, total 140, self 140, max 140");
}

TEST(per_call_figures_shrink_alike)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *f = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
    struct ep_node_cell *g = fake_node(thread, f, fake_site("a.c", 2, "g"));
    for (int i = 0; i < 2; i++)
        fake_visit(g, INSIDE, INSIDE);
    fake_visit(f, 100 + INSIDE, 90 + INSIDE);
    fake_visit(f, 160 + INSIDE, 160 + INSIDE);
    fake_visit(f, 200 + INSIDE, 190 + INSIDE);
    set_probe();
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    /* 2 (INSIDE + AROUND) = 50 of 460 are subtracted: the rest is 0.891 of it */
    assert_int_equal(snapshot->rows[0].total_ns, 410);
    assert_int_equal(snapshot->rows[0].mean_ns, 136);
    assert_in_range(snapshot->rows[0].min_ns, 89, 90);
    assert_in_range(snapshot->rows[0].p50_ns, 139, 143); /* the middle of its bucket is 167 */
    assert_in_range(snapshot->rows[0].max_ns, 178, 179);
    assert_in_range(snapshot->rows[0].stddev_ns, 36, 37);
    assert_int_equal(snapshot->rows[1].total_ns, 0);
}

TEST(parent_without_calls_has_the_time_left_of_its_children)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *f = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
    struct ep_node_cell *g = fake_node(thread, f, fake_site("a.c", 2, "g"));
    visit_probed(g, 60, 0, 0);
    visit_probed(g, 60, 0, 0);
    set_probe();
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->rows[1].total_ns, 120);
    assert_int_equal(snapshot->rows[0].total_ns, 120);
    assert_int_equal(snapshot->rows[0].self_ns, 0);
}

TEST(no_figure_is_negative_and_self_is_at_most_total)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *f = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
    struct ep_node_cell *g = fake_node(thread, f, fake_site("a.c", 2, "g"));
    for (int i = 0; i < 100; i++)
        fake_visit(g, 1, 1);
    fake_visit(f, 300, 200);
    f->self_ticks = 350; /* the fields were read one call apart */
    set_probe();
    for (int raw = 0; raw < 2; raw++) {
        struct eprof_snapshot *snapshot = fake_take((struct ep_snapshot_options){.raw = raw});
        for (size_t i = 0; i < 2; i++) {
            assert_in_range(snapshot->rows[i].total_ns, snapshot->rows[i].self_ns, 300);
            assert_in_range(snapshot->rows[i].max_ns, snapshot->rows[i].min_ns, 300);
        }
    }
}

TEST_EACH(fake_begin, fake_end)
