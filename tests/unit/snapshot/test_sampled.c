/*
 * Calls under a budget, of which only a part is timed: the estimates from the timed ones, the cost
 * of the probe in the functions around them, and the marks of their rows. The image is made by
 * hand: a reading takes 2 ticks inside and 1 around, a call that is only counted costs half a tick,
 * and each call takes 10.
 */
#include "support/fake_image.h"

#include "image/check.h"
#include "snapshot/making.h"

enum { INSIDE = 2, AROUND = 1, CALL = 10, OWN = 1000, WEIGHT = 64, UNTIMED = WEIGHT - 1 };

struct parts {
    struct ep_thread_cell *thread;
    struct ep_site_cell *outer_site, *brief_site;
    struct ep_node_cell *root, *outer, *brief;
};

static struct parts make_parts(void)
{
    ep_ref module = fake_module("/bin/p");
    struct parts parts = {.thread = fake_thread(0, NULL),
                          .outer_site = fake_function(module, 0x10),
                          .brief_site = fake_function(module, 0x20)};
    fake_name(parts.outer_site, "outer", EP_NAMING_WHOLE);
    fake_name(parts.brief_site, "brief", EP_NAMING_WHOLE);
    parts.root = fake_root(parts.thread);
    parts.outer = fake_node(parts.thread, parts.root, parts.outer_site->number);
    parts.brief = fake_node(parts.thread, parts.outer, parts.brief_site->number);
    fake.cells[EP_CELL_FUNCTION_PROBE].function_probe =
        (struct ep_function_probe_cell){.is_known = 1,
                                        .inside_milliticks = 1000 * INSIDE,
                                        .pair_milliticks = 1000 * (INSIDE + AROUND),
                                        .nested_pair_milliticks = 1000};
    fake.cells[EP_CELL_SAMPLED_PROBE].sampled_probe = (struct ep_sampled_probe_cell){
        .inside_milliticks = {[EP_PROBE_FUNCTION] = 1000 * INSIDE},
        .pair_milliticks = {[EP_PROBE_FUNCTION] = 1000 * (INSIDE + AROUND)},
        .untimed_milliticks = {[EP_PROBE_FUNCTION] = 500}};
    return parts;
}

/* Makes calls that are all timed. Returns the time that they take in the function around them. */
static uint64_t call_timed(struct ep_node_cell *node, int calls)
{
    for (int i = 0; i < calls; i++)
        fake_visit(node, CALL + INSIDE, CALL + INSIDE);
    return (uint64_t)calls * (CALL + INSIDE + AROUND);
}

static uint64_t untimed_ticks(int calls)
{
    return (uint64_t)calls / 2;
}

/* Makes sampled calls, each with the calls that it represents. Returns the same time as
 * call_timed(). */
static uint64_t call_sampled(struct ep_node_cell *node, int samples)
{
    for (int i = 0; i < samples; i++)
        fake_sample(node, CALL + INSIDE, WEIGHT);
    return (uint64_t)samples * (CALL + INSIDE + AROUND + UNTIMED * CALL) +
           untimed_ticks(samples * UNTIMED);
}

/* One call of the function around, which takes `ticks` for its children besides its own time. */
static void end_around(struct ep_node_cell *node, const struct ep_node_cell *child, uint64_t ticks)
{
    uint64_t measured = INSIDE + OWN + ticks;
    fake_visit(node, measured, measured - child->stats.total_ticks);
}

/* ------------------------------------------------- the cost of the probe -- */

TEST(estimates_and_what_is_around_them_are_without_the_probe)
{
    struct parts parts = make_parts();
    end_around(parts.outer, parts.brief, call_sampled(parts.brief, 100));
    assert_true(parts.outer->self_ticks >> 63); /* more was subtracted from it than it took */
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    const struct eprof_row *outer = fake_row(snapshot, "outer");
    const struct eprof_row *brief = fake_row(snapshot, "outer;brief");
    assert_int_equal(brief->calls, 6400);
    assert_int_equal(brief->total_ns, 6400 * CALL);
    assert_int_equal(brief->self_ns, 6400 * CALL);
    assert_int_equal(brief->mean_ns, CALL);
    assert_int_equal(outer->total_ns, OWN + 6400 * CALL);
    assert_int_equal(outer->self_ns, OWN);
}

TEST(rows_of_estimates_say_so)
{
    struct parts parts = make_parts();
    end_around(parts.outer, parts.brief, call_sampled(parts.brief, 100));
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    const struct eprof_row *outer = fake_row(snapshot, "outer");
    const struct eprof_row *brief = fake_row(snapshot, "outer;brief");
    assert_int_equal(brief->estimated, 1);
    assert_int_equal(brief->timed, 100);
    assert_int_equal(brief->mean_error_ns, 0); /* each took as long */
    assert_int_equal(brief->total_error_ns, 0);
    assert_int_equal(brief->outermost, 6400);
    assert_int_equal(outer->estimated, 0);
    assert_int_equal(outer->mean_error_ns, 0);
    assert_int_equal(outer->total_error_ns, 0);
    size_t estimates = 0;
    for (size_t i = 0; i < snapshot->top_count; i++)
        estimates += snapshot->tops[i].estimated;
    assert_int_equal(estimates, 1);
}

TEST(calls_from_before_the_blocks_grew_have_their_probes)
{
    struct parts parts = make_parts();
    uint64_t ticks = call_timed(parts.brief, 600);
    end_around(parts.outer, parts.brief, ticks + call_sampled(parts.brief, 100));
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, 7000 * CALL);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, OWN + 7000 * CALL);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, OWN);
}

/* The functions further out contain as many probes as the function right around it. */
TEST(functions_further_out_have_the_probes_that_there_were)
{
    struct parts parts = make_parts();
    ep_ref module = parts.outer_site->module;
    struct ep_site_cell *inner_site = fake_function(module, 0x30);
    fake_name(inner_site, "inner", EP_NAMING_WHOLE);
    struct ep_node_cell *inner = fake_node(parts.thread, parts.outer, inner_site->number);
    struct ep_node_cell *brief = fake_node(parts.thread, inner, parts.brief_site->number);
    end_around(inner, brief, call_sampled(brief, 100));
    end_around(parts.outer, inner, inner->stats.total_ticks + AROUND);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer;inner")->total_ns, OWN + 6400 * CALL);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, 2 * OWN + 6400 * CALL);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, OWN);
}

TEST(timed_and_untimed_nested_calls_have_their_own_costs)
{
    struct parts parts = make_parts();
    uint64_t ticks = call_sampled(parts.brief, 100);
    parts.brief->stats.calls += 640;
    parts.brief->stats.nested += 640;
    fake_sampling(parts.brief)->timed_nested = 10; /* each of which costs 1 tick */
    end_around(parts.outer, parts.brief, ticks + 10 + untimed_ticks(630));
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, OWN + 6400 * CALL);
}

/* Two children are estimated at CALL ticks a call, and took half of that; the time of the third one
 * is known. */
TEST(estimates_fit_into_what_was_measured_around_them)
{
    enum { ACTUAL = CALL / 2, EXACT = 50 };
    struct parts parts = make_parts();
    ep_ref module = parts.outer_site->module;
    struct ep_site_cell *sites[] = {fake_function(module, 0x30), fake_function(module, 0x40)};
    fake_name(sites[0], "longer", EP_NAMING_WHOLE);
    fake_name(sites[1], "exact", EP_NAMING_WHOLE);
    struct ep_node_cell *longer = fake_node(parts.thread, parts.outer, sites[0]->number);
    struct ep_node_cell *exact = fake_node(parts.thread, parts.outer, sites[1]->number);
    call_sampled(parts.brief, 100);
    call_sampled(longer, 50);
    uint64_t estimates = parts.brief->stats.total_ticks + longer->stats.total_ticks;
    uint64_t exact_ticks = call_timed(exact, EXACT);
    uint64_t measured = INSIDE + 9600 * ACTUAL + 150 * (INSIDE + AROUND) +
                        untimed_ticks(150 * UNTIMED) + exact_ticks;
    fake_visit(parts.outer, measured, measured - estimates - exact->stats.total_ticks);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, 9600 * ACTUAL + EXACT * CALL);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, 0);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, 6400 * ACTUAL);
    assert_int_equal(fake_row(snapshot, "outer;brief")->self_ns, 6400 * ACTUAL);
    assert_int_equal(fake_row(snapshot, "outer;brief")->mean_ns, ACTUAL);
    assert_int_equal(fake_row(snapshot, "outer;longer")->total_ns, 3200 * ACTUAL);
    assert_int_equal(fake_row(snapshot, "outer;exact")->total_ns, EXACT * CALL);
}

/* It represents 64 calls, and all calls together took less time than that. */
TEST(long_call_that_was_drawn_does_not_change_the_usual_call)
{
    enum { LONG = 1000000, ACTUAL = 10 * CALL };
    struct parts parts = make_parts();
    call_sampled(parts.brief, 99);
    fake_sample(parts.brief, INSIDE + LONG, WEIGHT);
    uint64_t measured = INSIDE + LONG + 6400 * ACTUAL + 100 * (INSIDE + AROUND) +
                        untimed_ticks(100 * UNTIMED);
    fake_visit(parts.outer, measured, measured - parts.brief->stats.total_ticks);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    const struct eprof_row *brief = fake_row(snapshot, "outer;brief");
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, LONG + 6400 * ACTUAL);
    assert_int_equal(brief->total_ns, LONG + 6400 * ACTUAL);
    assert_int_equal(brief->mean_ns, (LONG + 6400 * ACTUAL) / 6400);
    assert_in_range(brief->p50_ns, CALL / 2, CALL);
    assert_in_range(brief->max_ns, LONG - CALL, LONG);
}

/* Calls of 120 ticks inside calls of 100: both estimates have the same variance, so each gets half
 * of the difference. The times of the timed calls stay. */
TEST(estimate_is_raised_to_what_was_estimated_inside_it)
{
    struct parts parts = make_parts();
    fake.cells[EP_CELL_FUNCTION_PROBE].function_probe.is_known = 0;
    fake.cells[EP_CELL_SAMPLED_PROBE].sampled_probe = (struct ep_sampled_probe_cell){.period = 0};
    struct ep_site_cell *site = fake_function(parts.outer_site->module, 0x30);
    fake_name(site, "inner", EP_NAMING_WHOLE);
    struct ep_node_cell *inner = fake_node(parts.thread, parts.brief, site->number);
    for (int i = 0; i < 100; i++) {
        fake_sample(parts.brief, i % 2 ? 110 : 90, WEIGHT);
        fake_sample(inner, i % 2 ? 130 : 110, WEIGHT);
    }
    parts.brief->self_ticks -= inner->stats.total_ticks;
    fake_visit(parts.outer, 10000000, 10000000 - parts.brief->stats.total_ticks);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    const struct eprof_row *brief = fake_row(snapshot, "outer;brief");
    assert_int_equal(brief->total_ns, 6400 * 110);
    assert_int_equal(brief->self_ns, 0);
    assert_int_equal(brief->max_ns, 110);
    assert_int_equal(fake_row(snapshot, "outer;brief;inner")->total_ns, 6400 * 110);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, 10000000 - 6400 * 110);
}

/* Half of the calls were made inside a call that began before a reset: it is not in the total of
 * the function around, and their time was not subtracted from its self time. */
TEST(estimates_beside_what_was_measured_around_them_stay)
{
    struct parts parts = make_parts();
    call_sampled(parts.brief, 100);
    uint64_t measured =
        INSIDE + OWN + 3200 * CALL + 50 * (INSIDE + AROUND) + untimed_ticks(50 * UNTIMED);
    fake_visit(parts.outer, measured, measured - parts.brief->stats.total_ticks / 2);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, 6400 * CALL);
}

/* A call that was timed each time is inside an estimate that is too long. */
TEST(what_was_measured_inside_an_estimate_stays)
{
    enum { EXACT = 3000 };
    struct parts parts = make_parts();
    struct ep_site_cell *site = fake_function(parts.outer_site->module, 0x30);
    fake_name(site, "inner", EP_NAMING_WHOLE);
    struct ep_node_cell *inner = fake_node(parts.thread, parts.brief, site->number);
    call_sampled(parts.brief, 100);
    call_timed(inner, EXACT);
    parts.brief->self_ticks -= inner->stats.total_ticks;
    uint64_t measured =
        INSIDE + EXACT * CALL + (EXACT + 100) * (INSIDE + AROUND) + untimed_ticks(100 * UNTIMED);
    fake_visit(parts.outer, measured, measured - parts.brief->stats.total_ticks);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer;brief;inner")->total_ns, EXACT * CALL);
    assert_in_range(fake_row(snapshot, "outer;brief")->total_ns, EXACT * CALL, 6400 * CALL - 1);
}

/* Of 100 calls, the samples stand for 64, or for 128: their figures are scaled to all 100. */
TEST(estimates_are_of_as_many_calls_as_there_were)
{
    for (int samples = 1; samples <= 2; samples++) {
        struct parts parts = make_parts();
        call_sampled(parts.brief, samples);
        parts.brief->stats.calls = 100;
        uint64_t probes = (uint64_t)samples * (INSIDE + AROUND);
        end_around(parts.outer, parts.brief, 100 * CALL + probes + untimed_ticks(100 - samples));
        struct eprof_snapshot *snapshot = fake_take(MERGED);
        const struct eprof_row *brief = fake_row(snapshot, "outer;brief");
        assert_int_equal(brief->calls, 100);
        assert_int_equal(brief->total_ns, 100 * CALL);
        assert_int_equal(brief->self_ns, 100 * CALL);
        assert_int_equal(brief->mean_ns, CALL);
        assert_int_equal(brief->stddev_ns, 0);
        assert_int_equal(fake_row(snapshot, "outer")->total_ns, OWN + 100 * CALL);
        assert_int_equal(fake_row(snapshot, "outer")->self_ns, OWN);
        fake_end(NULL);
        fake_begin(NULL);
    }
}

/* As for a thread that has just begun: none of its calls was timed, and none has the cost of a
 * timed call. */
TEST(calls_without_a_sample_have_no_time)
{
    struct parts parts = make_parts();
    fake_sampling(parts.brief);
    parts.brief->stats.calls = 40;
    end_around(parts.outer, parts.brief, 40 * CALL + untimed_ticks(40));
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer;brief")->calls, 40);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, 0);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, OWN + 40 * CALL);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, OWN + 40 * CALL);
}

/* In a sum the figures were corrected when it was added up. */
TEST(figures_of_a_sum_are_as_they_are)
{
    struct parts parts = make_parts();
    call_sampled(parts.brief, 1);
    fake_sampling(parts.brief)->variance = (struct ep_wide){10000, 0};
    parts.brief->stats.calls = 100;
    parts.brief->owed_ticks = parts.outer->owed_ticks = parts.root->owed_ticks = 1;
    fake_visit(parts.outer, 5000, 77);
    struct eprof_snapshot *snapshot = fake_take(RAW);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, 64 * (CALL + INSIDE));
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_error_ns, 196);
    assert_int_equal(fake_row(snapshot, "outer;brief")->mean_error_ns, 2);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, 77);
}

/* The figures of an image may be wrong. */
TEST(there_are_no_more_probes_than_calls)
{
    struct parts parts = make_parts();
    fake_visit(parts.brief, CALL + INSIDE, CALL + INSIDE);
    parts.brief->stats.calls = 2;
    struct ep_sampling_cells *cells = fake_sampling(parts.brief);
    cells->timed = cells->sampled = 3;
    cells->weight = cells->sampled_weight = 1;
    fake_visit(parts.outer, 5000, 1);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, 5000 - INSIDE - 2 * (INSIDE + AROUND));
}

TEST(estimate_does_not_change_the_time_around_it)
{
    struct parts parts = make_parts();
    call_sampled(parts.brief, 100);
    uint64_t probes = 100 * (INSIDE + AROUND) + untimed_ticks(100 * UNTIMED);
    end_around(parts.outer, parts.brief, probes); /* by chance there was no other time */
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, OWN);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, OWN);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, 0);
}

/* The readings of the samples are shorter than the cost of a reading. */
TEST(own_time_is_no_more_than_all_time)
{
    struct parts parts = make_parts();
    for (int i = 0; i < 100; i++)
        fake_sample(parts.brief, 1, WEIGHT);
    fake_visit(parts.outer, 6000, (uint64_t)6000 - 6400);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns,
                     6000 - INSIDE - 100 * (INSIDE + AROUND) - untimed_ticks(100 * UNTIMED));
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, fake_row(snapshot, "outer")->total_ns);
}

TEST(raw_figures_are_as_measured)
{
    struct parts parts = make_parts();
    end_around(parts.outer, parts.brief, call_sampled(parts.brief, 100));
    struct eprof_snapshot *snapshot = fake_take(RAW);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, 6400 * (CALL + INSIDE));
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, parts.outer->stats.total_ticks);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, 0); /* it came out below zero */
}

/* Scopes have another probe, with its own cost. */
TEST(probes_of_scopes_and_functions_cost_differently)
{
    struct parts parts = make_parts();
    fake.cells[EP_CELL_PROBE].probe = (struct ep_probe_cell){.is_known = 1,
                                                             .scope_inside_milliticks = 70000,
                                                             .scope_pair_milliticks = 100000,
                                                             .nested_pair_milliticks = 50000};
    struct ep_node_cell *scope = fake_node(parts.thread, parts.outer, fake_site("a.c", 1, "scope"));
    fake_visit(scope, 1000, 1000);
    fake_visit_nested(scope, 0);
    uint64_t ticks = call_sampled(parts.brief, 2) + 1000 + 30;
    fake_visit(parts.outer, INSIDE + OWN + ticks,
               INSIDE + OWN + ticks - 1000 - parts.brief->stats.total_ticks);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer;scope")->total_ns, 1000 - 70 - 50);
    assert_int_equal(fake_row(snapshot, "outer;scope")->mean_ns, 1000 - 70 - 50);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, 128 * CALL);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, OWN);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, OWN + 128 * CALL + 1000 - 70 - 50);
}

/* As in an image of a program whose library did not measure the cost for functions. */
TEST(function_costs_what_a_scope_does_where_that_is_all_that_is_known)
{
    struct parts parts = make_parts();
    fake.cells[EP_CELL_FUNCTION_PROBE].function_probe.is_known = 0;
    fake.cells[EP_CELL_PROBE].probe = (struct ep_probe_cell){
        .is_known = 1, .scope_inside_milliticks = 7000, .scope_pair_milliticks = 10000};
    fake_visit(parts.outer, 1000, 1000);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, 1000 - 7);
    assert_int_equal(snapshot->conversion.costs[EP_PROBE_FUNCTION].untimed_milliticks, 3000);
}

TEST(costs_of_functions_are_bounded)
{
    make_parts();
    struct ep_function_probe_cell *probe = &fake.cells[EP_CELL_FUNCTION_PROBE].function_probe;
    uint64_t *const costs[] = {&probe->inside_milliticks, &probe->pair_milliticks,
                               &probe->nested_pair_milliticks, &probe->untimed_pair_milliticks};
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        uint64_t right = *costs[i];
        int error;
        *costs[i] = EP_PROBE_MOST_MILLITICKS;
        assert_null(ep_image_check(&fake, &error));
        ++*costs[i];
        assert_string_equal(ep_image_check(&fake, &error),
                            "damaged: a cost of a function's probe that cannot be");
        *costs[i] = right;
    }
}

/* ------------------------------------------------------------- the intervals -- */

/* Calls of 90 and 110 ticks in turn, without probes. */
static struct ep_node_cell *make_uneven(int sampled)
{
    struct parts parts = make_parts();
    fake.cells[EP_CELL_FUNCTION_PROBE].function_probe.is_known = 0;
    fake.cells[EP_CELL_SAMPLED_PROBE].sampled_probe = (struct ep_sampled_probe_cell){.period = 0};
    for (int i = 0; i < sampled; i++)
        fake_sample(parts.brief, i % 2 ? 110 : 90, WEIGHT);
    fake_visit(parts.outer, 10000000, 1);
    return parts.brief;
}

/* The deviation of the total is the root of 100 * 64^2 * 10^2, 6,400. */
TEST(interval_is_of_the_weighted_deviations_from_the_mean)
{
    make_uneven(100);
    const struct eprof_row *row = fake_row(fake_take(MERGED), "outer;brief");
    assert_int_equal(row->total_ns, 640000);
    assert_int_equal(row->total_error_ns, 12546); /* 1.96 times, and 1 / 10,000 more */
    assert_int_equal(row->mean_error_ns, 2);      /* a 6,400th of it, rounded up */
}

/* Of 102 calls two take 882.353 ticks more than the mean, and the others 17.647 less: the variance
 * is 64^2 * 1,588,235, of which each of the two makes up 0.4902. Its root times 1.96 would be
 * 158,087. */
TEST(interval_is_wider_if_a_few_calls_make_up_most_of_the_variance)
{
    struct ep_node_cell *brief = make_uneven(0);
    for (int i = 0; i < 102; i++)
        fake_sample(brief, i % 51 ? 100 : 1000, WEIGHT);
    const struct eprof_row *row = fake_row(fake_take(MERGED), "outer;brief");
    assert_int_equal(row->total_ns, 12000 * WEIGHT);
    assert_int_equal(row->total_error_ns, 192358); /* times the root of 1 + 2 * 0.4902^2 */
    fake_sampling(brief)->largest_weight = 0;      /* not known, as in older images */
    assert_int_equal(fake_row(fake_take(MERGED), "outer;brief")->total_error_ns, 158087);
}

TEST(interval_is_unknown_below_thirty_sampled_calls)
{
    make_uneven(29);
    assert_int_equal(fake_row(fake_take(MERGED), "outer;brief")->total_error_ns, EPROF_UNKNOWN);
    fake_end(NULL);
    fake_begin(NULL);
    make_uneven(30);
    assert_int_not_equal(fake_row(fake_take(MERGED), "outer;brief")->total_error_ns, EPROF_UNKNOWN);
}

TEST(interval_is_unknown_if_one_call_is_more_than_a_tenth_of_all)
{
    fake_sample(make_uneven(100), 2000, WEIGHT);
    assert_int_equal(fake_row(fake_take(MERGED), "outer;brief")->total_error_ns, EPROF_UNKNOWN);
}

/* The sampling cells are beyond the end of a file that could not grow. */
TEST(estimate_whose_sampling_is_lost_has_no_interval)
{
    struct parts parts = make_parts();
    for (int i = 0; i < 100; i++)
        fake_visit(parts.brief, CALL, CALL);
    parts.brief->stats.until_timed = 7;
    fake_visit(parts.outer, 5000, 1);
    const struct eprof_row *row = fake_row(fake_take(RAW), "outer;brief");
    assert_int_equal(row->calls, 100);
    assert_int_equal(row->total_ns, 100 * CALL);
    assert_int_equal(row->estimated, 1);
    assert_int_equal(row->total_error_ns, EPROF_UNKNOWN);
}

TEST(intervals_of_threads_are_added_by_their_squares)
{
    struct parts parts = make_parts();
    struct ep_thread_cell *second = fake_thread(1, NULL);
    struct ep_node_cell *nodes[] = {fake_node(parts.thread, parts.root, parts.brief_site->number),
                                    fake_node(second, fake_root(second), parts.brief_site->number)};
    for (int thread = 0; thread < 2; thread++)
        for (int i = 0; i < 100; i++)
            fake_sample(nodes[thread], i % 2 ? 110 : 90, WEIGHT);
    const struct eprof_row *row = fake_row(fake_take(RAW), "brief");
    assert_int_equal(row->total_error_ns, 17742); /* 12,545.3 times the root of 2, rounded up */
}

/* Before EP_FORMAT_SAMPLING the field was the number of calls that count EP_SAMPLE_WEIGHT times. */
TEST(older_image_has_estimates_without_an_interval)
{
    struct parts parts = make_parts();
    fake.cells[EP_CELL_IDENTITY].identity.version = EP_FORMAT_SAMPLING - 1;
    parts.brief_site->is_sampled = 1;
    for (int i = 0; i < 10 + 2 * EP_SAMPLE_WEIGHT; i++)
        fake_visit(parts.brief, 12, 12);
    parts.brief->sampling = 2;
    fake_visit(parts.outer, 5000, 1);
    const struct eprof_row *row = fake_row(fake_take(RAW), "outer;brief");
    assert_int_equal(row->calls, 138);
    assert_int_equal(row->timed, 12);
    assert_int_equal(row->estimated, 1);
    assert_int_equal(row->total_ns, 138 * 12);
    assert_int_equal(row->total_error_ns, EPROF_UNKNOWN);
}

/* ------------------------------------------------------------------ still open -- */

TEST(function_that_is_open_around_samples_has_its_time_so_far)
{
    struct parts parts = make_parts();
    uint64_t ticks = call_sampled(parts.brief, 100);
    fake_frame(parts.thread, parts.root, EP_SCOPE_VOID, 0);
    struct ep_open_scope_cell *entry =
        fake_frame(parts.thread, parts.outer, EP_SCOPE_TIMED | EP_SCOPE_FUNCTION, 5000);
    entry->child_ticks = parts.brief->stats.total_ticks;
    struct eprof_snapshot *snapshot =
        fake_take_at((struct ep_present){.is_live = true, .now_ticks = 5000 + OWN + ticks}, MERGED);
    const struct eprof_row *outer = fake_row(snapshot, "outer");
    assert_int_equal(outer->open, 1);
    assert_int_equal(outer->total_ns, OWN + 6400 * CALL);
    assert_int_equal(outer->self_ns, OWN);
}

/* The process was killed: only the time of the calls that ended inside is known. */
TEST(function_that_was_open_at_the_end_has_what_ended_inside)
{
    struct parts parts = make_parts();
    struct ep_node_cell *inner =
        fake_node(parts.thread, parts.outer, fake_function(parts.outer_site->module, 7)->number);
    struct ep_node_cell *brief = fake_node(parts.thread, inner, parts.brief_site->number);
    call_sampled(brief, 100);
    fake_frame(parts.thread, parts.root, EP_SCOPE_VOID, 0);
    fake_frame(parts.thread, parts.outer, EP_SCOPE_TIMED | EP_SCOPE_FUNCTION, 5000);
    fake_frame(parts.thread, inner, EP_SCOPE_TIMED | EP_SCOPE_FUNCTION, 6000);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    for (int row = 0; row < 3; row++)
        assert_int_equal(snapshot->rows[row].total_ns, 6400 * CALL);
    for (int row = 0; row < 2; row++) {
        assert_int_equal(snapshot->rows[row].open, 1);
        assert_int_equal(snapshot->rows[row].self_ns, 0);
    }
}

/* ------------------------------------------------------------------ values that do not count -- */

TEST(time_below_zero_is_none_where_nothing_was_sampled)
{
    struct parts parts = make_parts();
    fake_visit(parts.outer, 5000, (uint64_t)-7);
    call_timed(parts.brief, 1);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, 0);
}

/* In a hold this field is used as a link. */
TEST(link_of_a_hold_is_no_sampling)
{
    struct parts parts = make_parts();
    struct ep_node_cell *hold = fake_node(parts.thread, parts.outer, EP_SITE_HOLD);
    struct ep_node_cell *scratch = fake_node(parts.thread, hold, parts.brief_site->number);
    hold->level = scratch->level = 1;
    scratch->next_touched = hold->next_touched = fake_ref(scratch);
    fake_visit(parts.outer, 500, (uint64_t)-7);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, 0);
}

/* ---------------------------------------------------------------- how they are marked -- */

TEST(sampled_regions_are_marked_and_counted)
{
    struct parts parts = make_parts();
    end_around(parts.outer, parts.brief, call_sampled(parts.brief, 1));
    struct ep_thread_cell *second = fake_thread(1, NULL);
    fake_visit(fake_node(second, fake_root(second), parts.brief_site->number), 10, 10);
    const struct ep_snapshot_options options[2] = {MERGED, BY_THREADS};
    for (int i = 0; i < 2; i++) {
        struct eprof_snapshot *snapshot = fake_take(options[i]);
        assert_int_equal(snapshot->sampled_count, 1);
        for (size_t row = 0; row < snapshot->diagnostic_first; row++)
            assert_int_equal(snapshot->positions[row].mark.is_sampled,
                             snapshot->rows[row].calls == WEIGHT);
        for (size_t top = 0; top < snapshot->top_count; top++)
            assert_int_equal(snapshot->top_marks[top].is_sampled,
                             strcmp(snapshot->tops[top].name, "brief") == 0);
    }
}

TEST(function_without_calls_is_not_counted)
{
    struct parts parts = make_parts();
    fake_visit(parts.outer, 50, 50);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->sampled_count, 0);
}

TEST(scope_that_was_timed_at_each_call_is_not_sampled)
{
    struct parts parts = make_parts();
    call_timed(parts.brief, 1);
    fake_sampling(parts.brief);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->sampled_count, 0);
    assert_false(snapshot->positions[1].mark.is_sampled);
}

/* Only the scope right around an estimate has a self time that it was subtracted from; a focus sums
 * the marks up again. */
TEST(self_time_with_an_estimate_inside_is_marked)
{
    struct parts parts = make_parts();
    struct ep_site_cell *inner_site = fake_function(parts.outer_site->module, 0x30);
    fake_name(inner_site, "inner", EP_NAMING_WHOLE);
    struct ep_node_cell *inner = fake_node(parts.thread, parts.outer, inner_site->number);
    struct ep_node_cell *brief = fake_node(parts.thread, inner, parts.brief_site->number);
    end_around(inner, brief, call_sampled(brief, 100));
    end_around(parts.outer, inner, inner->stats.total_ticks + AROUND);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    for (int is_focused = 0; is_focused < 2; is_focused++) {
        for (size_t row = 0; row < snapshot->diagnostic_first; row++)
            assert_int_equal(snapshot->positions[row].mark.is_self_rest,
                             strcmp(snapshot->rows[row].name, "inner") == 0);
        for (size_t top = 0; top < snapshot->top_count; top++)
            assert_int_equal(snapshot->top_marks[top].is_self_rest,
                             strcmp(snapshot->tops[top].name, "inner") == 0);
        if (!is_focused)
            assert_return_code(ep_focus_on(snapshot, "outer;inner"), errno);
    }
}

/* ---- sums for readers that keep figures over time ---- */

static const struct ep_snapshot_options with_sums = {.sums = true};

/* After `calls` calls, the sums are those of as many calls as the timed ones represent. */
static void check_sums(const struct parts *parts, uint64_t calls, uint64_t weight,
                       uint64_t total_ns)
{
    parts->brief->stats.calls = calls;
    struct eprof_snapshot *snapshot = fake_take(with_sums);
    const struct eprof_row *brief = fake_row(snapshot, "outer;brief");
    assert_int_equal(brief->calls, calls);
    assert_int_equal(brief->outermost, weight);
    assert_int_equal(brief->total_ns, total_ns);
    assert_int_equal(brief->self_ns, total_ns);
}

/* Estimated for all 127 calls, the first total would be 127 * 1000, and the next one 64640. */
TEST(sums_of_sampled_calls_do_not_fall)
{
    struct parts parts = make_parts();
    fake_visit(parts.outer, 1000000, 1000000);
    fake_sampling(parts.brief);
    check_sums(&parts, 40, 0, 0);
    fake_sample(parts.brief, 1000 + INSIDE, WEIGHT);
    check_sums(&parts, 50, 64, 64000);
    check_sums(&parts, 127, 64, 64000);
    fake_sample(parts.brief, CALL + INSIDE, WEIGHT);
    check_sums(&parts, 128, 128, 64000 + 640);
    parts.brief->stats.calls = 127;
    assert_int_equal(fake_row(fake_take(MERGED), "outer;brief")->total_ns, 64640 * 127 / 128);
}

static void check_cpu(struct ep_snapshot_options options, uint64_t cpu_ns, uint64_t wait_ns)
{
    const struct eprof_row *brief = fake_row(fake_take(options), "outer;brief");
    assert_int_equal(brief->cpu_ns, cpu_ns);
    assert_int_equal(brief->wait_ns, wait_ns);
}

/* As the total is: of the calls that the timed ones represent, or of all. */
TEST(processor_time_of_sums_is_that_of_the_same_calls)
{
    struct parts parts = make_parts();
    fake.cells[EP_CELL_CPU].cpu.is_on = 1;
    fake_visit(parts.outer, 1000000, 1000000);
    struct ep_cpu_sums *cpu = &fake_sampling(parts.brief)->cpu;
    fake_sample(parts.brief, 1000 + INSIDE, WEIGHT);
    *cpu = (struct ep_cpu_sums){.cpu_ns = (400 + INSIDE) * WEIGHT, .weight = WEIGHT};
    parts.brief->stats.calls = 96;
    check_cpu(with_sums, 400 * WEIGHT, 600 * WEIGHT);
    check_cpu(MERGED, 400 * 96, 600 * 96);
    cpu->weight = WEIGHT - 1;
    check_cpu(with_sums, EPROF_UNKNOWN, EPROF_UNKNOWN);
}

TEST_EACH(fake_begin, fake_end)
