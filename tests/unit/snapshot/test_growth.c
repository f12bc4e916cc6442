/* The growth of rows between two snapshots, which are made by hand. */
#include "support/made_snapshot.h"

#include "snapshot/series.h"

/* The number of a site is the first letter of its name, in any tree. */
static struct eprof_snapshot *made_with_sites(struct made_tree *tree)
{
    struct eprof_snapshot *snapshot = made_snapshot(tree);
    for (size_t i = snapshot->scope_first; i < snapshot->diagnostic_first; i++)
        tree->places[i - snapshot->scope_first].site = (unsigned char)snapshot->rows[i].name[0];
    for (size_t i = 0; i < snapshot->top_count; i++)
        tree->top_marks[i].site = (unsigned char)snapshot->tops[i].name[0];
    return snapshot;
}

/* serve
 *   parse
 *     alloc
 *   write
 *     alloc
 * in this order, or with write before parse. */
static void make_server(struct made_tree *tree, uint64_t times, bool is_turned)
{
    made_scope(tree, 0, "serve", times, 1000 * times);
    for (int i = 0; i < 2; i++) {
        bool is_parse = (i == 0) != is_turned;
        made_scope(tree, 1, is_parse ? "parse" : "write", times, (is_parse ? 100 : 10) * times);
        made_scope(tree, 2, "alloc", 2 * times, (is_parse ? 5 : 7) * times);
    }
}

static struct ep_growths growths;

static int free_growths(void **state)
{
    (void)state;
    ep_series_growth_free(&growths);
    return 0;
}

static void find_growths(const struct eprof_snapshot *before, const struct eprof_snapshot *after)
{
    assert_return_code(ep_series_growth_find(&growths, before, after), errno);
}

static void assert_growth(const struct ep_growth *growth, uint64_t calls, uint64_t total_ns,
                          uint64_t self_ns)
{
    if (growth->calls != calls || growth->timed != calls || growth->total_ns != total_ns ||
        growth->self_ns != self_ns)
        fail_msg("%llu calls (%llu timed), total %llu, self %llu; not %llu, %llu, %llu",
                 (unsigned long long)growth->calls, (unsigned long long)growth->timed,
                 (unsigned long long)growth->total_ns, (unsigned long long)growth->self_ns,
                 (unsigned long long)calls, (unsigned long long)total_ns,
                 (unsigned long long)self_ns);
}

static const struct ep_growth *of_top(const struct eprof_snapshot *snapshot, const char *name)
{
    for (size_t i = 0; i < snapshot->top_count; i++)
        if (strcmp(snapshot->tops[i].name, name) == 0)
            return &growths.tops[i];
    fail_msg("no top %s", name);
    return NULL;
}

/* ---- scopes ---- */

TEST(paths_are_known_again_in_any_order)
{
    struct made_tree before = {.rows = NULL}, after = {.rows = NULL};
    make_server(&before, 10, false);
    make_server(&after, 13, true);
    const struct eprof_snapshot *snapshot = made_with_sites(&after);
    find_growths(made_with_sites(&before), snapshot);
    assert_growth(&growths.rows[0], 3, 3 * 1122, 3000);
    assert_growth(&growths.rows[1], 3, 3 * 17, 30); /* write */
    assert_growth(&growths.rows[2], 6, 3 * 7, 21);  /* and the alloc below it */
    assert_growth(&growths.rows[3], 3, 3 * 105, 300);
    assert_growth(&growths.rows[4], 6, 3 * 5, 15);
}

TEST(tops_are_known_again_by_their_site)
{
    struct made_tree before = {.rows = NULL}, after = {.rows = NULL};
    make_server(&before, 10, false);
    made_scope(&after, 0, "boss", 1, 1000000); /* it is now the first of the top functions */
    make_server(&after, 13, true);
    const struct eprof_snapshot *snapshot = made_with_sites(&after);
    find_growths(made_with_sites(&before), snapshot);
    assert_int_equal(of_top(snapshot, "alloc")->calls, 12);
    assert_int_equal(of_top(snapshot, "alloc")->self_ns, 36);
    assert_growth(of_top(snapshot, "parse"), 3, 3 * 105, 300);
    assert_growth(of_top(snapshot, "boss"), 1, 1000000, 1000000);
}

TEST(new_row_has_grown_by_all_of_its_figures)
{
    struct made_tree before = {.rows = NULL}, after = {.rows = NULL};
    made_scope(&before, 0, "serve", 1, 500);
    make_server(&after, 2, false);
    const struct eprof_snapshot *snapshot = made_with_sites(&after);
    find_growths(made_with_sites(&before), snapshot);
    assert_growth(&growths.rows[0], 1, 2 * 1122 - 500, 1500);
    assert_growth(&growths.rows[1], 2, 2 * 105, 200);
    assert_growth(of_top(snapshot, "write"), 2, 2 * 17, 20);
}

TEST(all_rows_are_new_after_an_empty_snapshot)
{
    struct made_tree after = {.rows = NULL};
    make_server(&after, 2, false);
    const struct eprof_snapshot *snapshot = made_with_sites(&after);
    find_growths(NULL, snapshot);
    assert_growth(&growths.rows[0], 2, 2 * 1122, 2000);
    assert_growth(of_top(snapshot, "parse"), 2, 2 * 105, 200);
}

/* Two threads make the same calls: the row of one thread is never compared with that of the other,
 * in any order of the rows. */
TEST(paths_of_two_threads_are_distinct)
{
    struct made_tree before = {.rows = NULL}, after = {.rows = NULL};
    made_scope(&before, 0, "serve", 10, 1000);
    made_scope(&before, 0, "serve", 500, 70000);
    made_scope(&after, 0, "serve", 504, 70004);
    made_scope(&after, 0, "serve", 13, 1003);
    const struct eprof_snapshot *snapshots[] = {made_with_sites(&before), made_with_sites(&after)};
    before.places[1].thread = after.places[0].thread = 1;
    find_growths(snapshots[0], snapshots[1]);
    assert_growth(&growths.rows[0], 4, 4, 4);
    assert_growth(&growths.rows[1], 3, 3, 3);
}

/* EPROF_VALUE and EPROF_BYTES of one name in one macro are on one line. */
TEST(values_of_two_units_on_one_line_are_distinct)
{
    struct eprof_row number = instance(-1, "n"), bytes;
    number.path = "n";
    number.unit = "1";
    bytes = number;
    bytes.unit = "bytes";
    struct ep_wide one = ep_series_value_identity(&number);
    struct ep_wide other = ep_series_value_identity(&bytes);
    assert_memory_not_equal(&one, &other, sizeof one);
    bytes.unit = "1";
    other = ep_series_value_identity(&bytes);
    assert_memory_equal(&one, &other, sizeof one);
}

/* The rate of the ticks becomes more exact while a program runs, so a total may become smaller. */
TEST(growth_is_never_negative)
{
    struct made_tree before = {.rows = NULL}, after = {.rows = NULL};
    made_scope(&before, 0, "serve", 4, 1000000);
    made_scope(&after, 0, "serve", 5, 999999);
    find_growths(made_with_sites(&before), made_with_sites(&after));
    assert_growth(&growths.rows[0], 1, 0, 0);
    assert_growth(&growths.tops[0], 1, 0, 0);
}

/* ---- instances ---- */

TEST(another_instance_in_the_slot_is_new)
{
    struct made before, after;
    before.rows[0] = even_instance(0, "request", 100, 10);
    before.rows[1] = even_instance(1, "request", 50, 10);
    make(&before, 2, 0);
    after.rows[0] = even_instance(0, "request", 104, 10);
    after.rows[1] = even_instance(1, "request", 60, 10);
    make(&after, 2, 0);
    after.instance_slots[1].born = 7;
    find_growths(&before.snapshot, &after.snapshot);
    assert_growth(&growths.rows[0], 4, 40, 40);
    assert_growth(&growths.rows[1], 60, 600, 600);
}

TEST(one_instance_on_two_threads_has_two_growths)
{
    struct made before, after;
    before.rows[0] = even_instance(0, "request", 100, 10);
    before.rows[1] = even_instance(0, "request", 50, 10);
    make(&before, 2, 0);
    before.instance_slots[1].thread = 1;
    after.rows[0] = even_instance(0, "request", 53, 10);
    after.rows[1] = even_instance(0, "request", 104, 10);
    make(&after, 2, 0);
    after.instance_slots[0].thread = 1;
    find_growths(&before.snapshot, &after.snapshot);
    assert_growth(&growths.rows[0], 3, 30, 30);
    assert_growth(&growths.rows[1], 4, 40, 40);
}

TEST_EACH(NULL, free_growths)
