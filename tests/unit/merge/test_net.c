/* A row of a sum has the same net figures as in its image alone, with any probes of the other
 * images cost. */
#include "merging.h"
#include "sanitizer.h"
#include "support/random_image.h"

enum { SETS = TAKES_LONG ? 20 : 200, COSTS = 3, ROWS = 3 + 5 };

/* ---- the expected rows ---- */

static void fail_of(const struct eprof_row *row, const char *field, uint64_t is, uint64_t expected)
{
    fail_msg("%s %s of %s: %s is %llu and not %llu", row->kind, row->name, row->thread, field,
             (unsigned long long)is, (unsigned long long)expected);
}

static void check_is(const struct eprof_row *row, const char *field, uint64_t is, uint64_t expected)
{
    if (is != expected)
        fail_of(row, field, is, expected);
}

static void check_is_near(const struct eprof_row *row, const char *field, uint64_t is,
                          uint64_t expected, uint64_t slack)
{
    if ((is > expected ? is - expected : expected - is) > slack)
        fail_of(row, field, is, expected);
}

/* The squares of errors are added. Each error is rounded up. */
static void check_error(const struct eprof_row *row, const struct eprof_row *a,
                        const struct eprof_row *b)
{
    double of_a = (double)a->total_error_ns, of_b = (double)b->total_error_ns;
    double sum = of_a * of_a + of_b * of_b, error = (double)row->total_error_ns;
    double slack = 2 + error / 1e6;
    if (a->total_error_ns == EPROF_UNKNOWN || b->total_error_ns == EPROF_UNKNOWN)
        check_is(row, "error", row->total_error_ns, EPROF_UNKNOWN);
    else if ((error + slack) * (error + slack) < sum ||
             (error > slack && (error - slack) * (error - slack) > sum))
        fail_msg("%s %s of %s: the error is %.0f and not that of %.0f and %.0f", row->kind,
                 row->name, row->thread, error, of_a, of_b);
}

static void check_is_as_alone(const struct eprof_row *row, const struct eprof_row *alone)
{
    check_is(row, "calls", row->calls, alone->calls);
    check_is(row, "timed", row->timed, alone->timed);
    check_is(row, "open", row->open, alone->open);
    check_is(row, "outermost", row->outermost, alone->outermost);
    check_is(row, "estimated", row->estimated, alone->estimated);
    check_is(row, "total", row->total_ns, alone->total_ns);
    check_is(row, "self", row->self_ns, alone->self_ns);
    /* a sum has whole ticks, while an image keeps fractions for each call */
    check_is_near(row, "mean", row->mean_ns, alone->mean_ns, 1);
    check_is_near(row, "min", row->min_ns, alone->min_ns, 1);
    check_is_near(row, "max", row->max_ns, alone->max_ns, 1);
    check_is_near(row, "stddev", row->stddev_ns, alone->stddev_ns, 1 + alone->stddev_ns / 1000000);
    /* the middle of a bucket may fall into another bucket, which is 1/8 wide */
    check_is_near(row, "p50", row->p50_ns, alone->p50_ns, 1 + alone->p50_ns / 8);
    check_is_near(row, "p90", row->p90_ns, alone->p90_ns, 1 + alone->p90_ns / 8);
    check_is_near(row, "p99", row->p99_ns, alone->p99_ns, 1 + alone->p99_ns / 8);
    check_is_near(row, "p999", row->p999_ns, alone->p999_ns, 1 + alone->p999_ns / 8);
    check_error(row, &(struct eprof_row){.total_error_ns = 0}, alone);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void check_is_both(const struct eprof_row *row, const struct eprof_row *a,
                          const struct eprof_row *b, bool is_raw)
{
    check_is(row, "calls", row->calls, a->calls + b->calls);
    check_is(row, "timed", row->timed, a->timed + b->timed);
    check_is(row, "outermost", row->outermost, a->outermost + b->outermost);
    check_is(row, "estimated", row->estimated, a->estimated || b->estimated);
    check_is(row, "total", row->total_ns, a->total_ns + b->total_ns);
    check_error(row, a, b);
    /* in a raw sum, what estimates leave of the self time in one image may be below zero */
    if (!is_raw || (a->self_ns && b->self_ns))
        check_is(row, "self", row->self_ns, a->self_ns + b->self_ns);
    else if (row->self_ns > a->self_ns + b->self_ns)
        fail_of(row, "self", row->self_ns, a->self_ns + b->self_ns);
    if (a->timed && b->timed) {
        check_is_near(row, "min", row->min_ns, least(a->min_ns, b->min_ns), 1);
        check_is_near(row, "max", row->max_ns, most(a->max_ns, b->max_ns), 1);
    }
}

/* The number of rows of the same kind, thread and path; *row is one of them, or NULL. */
static size_t find(struct eprof_snapshot *snapshot, const struct eprof_row *like, const char *path,
                   const struct eprof_row **row)
{
    size_t count = 0;
    *row = NULL;
    for (size_t i = 0; i < snapshot->diagnostic_first; i++) {
        const struct eprof_row *other = &snapshot->rows[i];
        if (strcmp(other->kind, like->kind) != 0 || strcmp(other->thread, like->thread) != 0 ||
            strcmp(other->file, like->file) != 0 || other->line != like->line ||
            strcmp(ep_rows_path(snapshot, i), path) != 0)
            continue;
        *row = other;
        count++;
    }
    return count;
}

static void check_row(const struct eprof_row *row, const struct eprof_row *of_a,
                      const struct eprof_row *of_b, bool is_raw)
{
    if (!of_a && !of_b)
        fail_msg("%s %s is in neither image", row->kind, row->name);
    else if (of_a && of_b)
        check_is_both(row, of_a, of_b, is_raw);
    else
        check_is_as_alone(row, of_a ? of_a : of_b);
}

/* Two scopes with one name make two rows with one path, and the test cannot distinguish them.
 * Returns the number of rows that were compared. */
static size_t check_rows(struct eprof_snapshot *sum, struct eprof_snapshot *a,
                         struct eprof_snapshot *b)
{
    size_t checked = 0;
    for (size_t i = 0; i < sum->diagnostic_first; i++) {
        const struct eprof_row *row, *of_a, *of_b;
        const char *path = ep_rows_path(sum, i);
        if (find(sum, &sum->rows[i], path, &row) != 1)
            continue;
        find(a, row, path, &of_a);
        find(b, row, path, &of_b);
        check_row(row, of_a, of_b, sum->options.raw);
        checked++;
    }
    return checked;
}

static size_t check_sum(struct ep_image *a, struct ep_image *b, struct ep_snapshot_options options)
{
    const struct ep_image *const both[] = {a, b};
    struct ep_merge *merge = merge_as(options.raw, both, 2);
    struct eprof_snapshot *snapshots[] = {merged_snapshot(merge, options),
                                          snapshot_keep(ep_snapshot_take_stored(a, options)),
                                          snapshot_keep(ep_snapshot_take_stored(b, options))};
    size_t checked = check_rows(snapshots[0], snapshots[1], snapshots[2]);
    ep_merge_end(merge);
    return checked;
}

/* ---- made by hand: rows of one image, and a row that both images have ---- */

static struct ep_node_cell *add_scope(struct ep_thread_cell *thread,
                                      const struct ep_node_cell *parent, const char *label)
{
    struct ep_node_cell *node = fake_node(thread, parent, fake_site("a.c", 1, label));
    for (uint64_t i = 0; i < 100; i++)
        fake_visit(node, 50000 + 100 * i, 20000);
    return node;
}

static void add_instance(struct ep_thread_cell *thread, uint32_t slot, const char *label)
{
    fake_instance(slot, label, 1);
    struct ep_instance_cells *pair = fake_pair(thread, slot, 1);
    for (uint64_t i = 0; i < 100; i++)
        fake_call(pair, 500 + i);
}

static struct ep_image make(const char *own, uint64_t milliticks)
{
    assert_return_code(ep_image_create(&fake), errno);
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    add_instance(thread, 0, own);
    add_instance(thread, 1, "both");
    struct ep_node_cell *root = fake_root(thread), *scope = add_scope(thread, root, own);
    add_scope(thread, scope, "inner");
    fake_visit_nested(add_scope(thread, root, "both"), 700);
    fake.cells[EP_CELL_PROBE].probe =
        (struct ep_probe_cell){.is_known = 1,
                               .inside_milliticks = milliticks,
                               .pair_milliticks = 2 * milliticks,
                               .scope_inside_milliticks = 3 * milliticks / 2,
                               .scope_pair_milliticks = 4 * milliticks,
                               .nested_pair_milliticks = 3 * milliticks};
    struct ep_image made = fake;
    memset(&fake, 0, sizeof fake);
    return made;
}

TEST(rows_of_a_sum_have_the_same_figures_as_alone)
{
    struct ep_image cheap = make("cheap", 27300), dear = make("dear", 273700);
    assert_int_equal(check_sum(&cheap, &dear, MERGED), ROWS);
    assert_int_equal(check_sum(&dear, &cheap, BY_THREADS), ROWS);
    ep_image_destroy(&cheap);
    ep_image_destroy(&dear);
}

TEST(rows_of_a_raw_sum_have_the_same_raw_figures_as_alone)
{
    struct ep_image cheap = make("cheap", 27300), dear = make("dear", 273700);
    assert_int_equal(check_sum(&cheap, &dear, RAW), ROWS);
    ep_image_destroy(&cheap);
    ep_image_destroy(&dear);
}

/* 500 to 599 ticks; 273.7 and 27.3 of them are the cost of the probe. */
TEST(each_image_has_its_own_probe_taken_off)
{
    struct ep_image cheap = make("cheap", 27300), dear = make("dear", 273700);
    struct ep_merge *merge = merge_two(&cheap, &dear);
    struct eprof_snapshot *snapshot = merged_snapshot(merge, MERGED);
    const struct eprof_row *both = &snapshot->rows[0];
    assert_string_equal(both->name, "both");
    assert_int_equal(both->total_ns, 2 * 54950 - 2730 - 27370);
    assert_int_equal(both->min_ns, 226); /* 226.3 */
    assert_int_equal(both->max_ns, 571); /* 571.7 */
    ep_merge_end(merge);
    ep_image_destroy(&cheap);
    ep_image_destroy(&dear);
}

/* ---- random images, by threads and in ticks, where no other figure is rounded ---- */

static struct ep_image random_probed(uint32_t times)
{
    struct ep_image image = random_image(true);
    struct ep_probe_cell *probe = &image.cells[EP_CELL_PROBE].probe;
    probe->inside_milliticks *= times;
    probe->pair_milliticks *= times;
    probe->scope_inside_milliticks *= times;
    probe->scope_pair_milliticks *= times;
    probe->nested_pair_milliticks *= times;
    return image;
}

TEST(rows_of_random_sums_have_the_same_figures_as_alone)
{
    static const uint32_t times[COSTS] = {1, 10, 1000};
    for (int set = 0; set < SETS; set++) {
        struct ep_image a = random_probed(1), b = random_probed(times[random_below(COSTS)]);
        check_sum(&a, &b, (struct ep_snapshot_options){.threads = true, .ticks = true});
        check_sum(&a, &b,
                  (struct ep_snapshot_options){.threads = true, .ticks = true, .raw = true});
        ep_image_destroy(&a);
        ep_image_destroy(&b);
    }
}
