#include "support/made_snapshot.h"

#include "support/written.h"

/* A column with half of the highest value has half of its height. */
static const struct ep_sparkline sparkline = {
    .columns = 3, .heights = {EP_SPARKLINE_HIGHEST, 0, EP_SPARKLINE_HIGHEST / 2}};

/* The page from its body on, without the style, which may be different in each version. The caller
 * frees it. */
static const char *body_of(const struct eprof_snapshot *snapshot)
{
    struct memory memory;
    memory_open(&memory);
    ep_report_html_page(&memory.out, snapshot);
    memory_close(&memory);
    const char *body = strstr(memory.text, "<body>");
    assert_non_null(body);
    return body;
}

static void assert_body(const struct eprof_snapshot *snapshot, const char *name)
{
    assert_string_equal(body_of(snapshot), golden(name));
}

/* All figures of a row are different. */
static void spoil_figures(struct eprof_row *row)
{
    row->timed = row->calls > 1 ? row->calls - 1 : row->calls;
    row->mean_ns = row->total_ns / 3 + 1;
    row->stddev_ns = row->total_ns / 4 + 2;
    row->min_ns = row->total_ns / 5 + 3;
    row->p50_ns = row->total_ns / 6 + 4;
    row->p90_ns = row->total_ns / 7 + 5;
    row->p99_ns = row->total_ns / 8 + 6;
    row->p999_ns = row->total_ns / 9 + 7;
    row->max_ns = row->total_ns / 10 + 8;
}

TEST(html_of_a_server_is_as_its_golden_file)
{
    struct made_tree tree = {.rows = NULL};
    made_instance(&tree, even_instance(3, "read", 7, 1100));
    made_instance(&tree, even_instance(4, "", 1, 90));
    make_server_tree(&tree);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    for (size_t i = 0; i < snapshot->diagnostic_first; i++)
        spoil_figures(&snapshot->rows[i]);
    for (size_t i = 0; i < snapshot->top_count; i++)
        spoil_figures(&snapshot->tops[i]);
    snapshot->instance_slots[0].distribution.sparkline = &sparkline;
    snapshot->positions[1].distribution.sparkline = &sparkline;
    snapshot->command = "./server --port 80";
    snapshot->process_id = 4711;
    snapshot->realtime_ns = UINT64_C(1795310047) * 1000000000;
    assert_body(snapshot, "server.html");
}

TEST(html_by_threads_is_as_its_golden_file)
{
    struct made_tree tree = {.rows = NULL}, merged = {.rows = NULL};
    make_thread_trees(&tree);
    struct eprof_snapshot *by_threads = made_snapshot(&tree);
    by_threads->options.threads = true;
    made_scope(&merged, 0, "all of it", 3, 300);
    struct eprof_snapshot *snapshot = made_snapshot(&merged);
    snapshot->by_threads = by_threads;
    snapshot->command = "";
    assert_body(snapshot, "threads.html");
}

TEST(html_without_rows_says_so)
{
    struct made made;
    make_empty(&made);
    const char *text = body_of(&made.snapshot);
    assert_non_null(strstr(text, "<p>Nothing was recorded.</p>"));
    assert_null(strstr(text, "<table"));
}

/* A page of one scope in two groups of processes. */
static const char *body_of_groups(struct ep_process_groups groups)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "work", 3, 300);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->rows[0].processes = 2;
    snapshot->positions[0].group_run = 1;
    snapshot->groups = groups;
    snapshot->process_count = 2;
    snapshot->has_ranks = groups.at[1].has_ranks;
    snapshot->command = "";
    const char *body = body_of(snapshot);
    snapshot->groups = (struct ep_process_groups){.count = 0}; /* it is on the caller's stack */
    return body;
}

TEST(html_has_a_bar_for_each_rank)
{
    struct ep_process_group at[] = {{0, true}, {1, true}};
    const char *text = body_of_groups((struct ep_process_groups){
        .count = 2, .numbers = 1, .at = at, .max_ns = (uint64_t[]){100, 200}});
    assert_non_null(strstr(text, "<dt>ranks</dt><dd>2</dd>"));
    assert_non_null(strstr(text, "<span class=\"balance\" title=\"the time of each of the ranks "
                                 "0 to 1; the slowest is coloured\">balance</span>"));
    /* the bar of the slowest is twice as high, and coloured */
    assert_non_null(strstr(text, "<path d=\"M0 48v-24h48v24\"/><path class=\"own\" d=\"M64 "
                                 "48v-48h48v48\"/></svg>"));
}

TEST(html_has_a_strip_of_many_ranks_and_of_processes_without_one)
{
    struct ep_process_group at[] = {{0, true}, {4096, false}};
    const char *text = body_of_groups((struct ep_process_groups){
        .count = 2, .numbers = 16, .at = at, .max_ns = (uint64_t[]){100, 200}});
    assert_non_null(strstr(text, "title=\"each bar: the slowest of up to 16 ranks, from 0 on, "
                                 "then of processes without a rank; the slowest of all is "
                                 "coloured\""));
}

TEST(html_has_a_strip_of_processes_by_their_ids)
{
    struct ep_process_group at[] = {{4096, false}, {4128, false}};
    const char *text = body_of_groups((struct ep_process_groups){
        .count = 2, .numbers = 16, .at = at, .max_ns = (uint64_t[]){100, 200}});
    assert_non_null(strstr(text, "title=\"each bar: the slowest of the processes whose ids are in "
                                 "one range of 16, from 4096 on; the slowest of all is "
                                 "coloured\""));
}
