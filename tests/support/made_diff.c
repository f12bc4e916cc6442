#include "made_diff.h"

static char *made_path(const struct ep_diff *diff, enum ep_diff_side side, size_t at)
{
    return test_keep(ep_rows_path_copy(diff->sides[side], at), free);
}

/* The row of the same region on the other side; SIZE_MAX if there is none. */
static size_t made_partner(const struct ep_diff *diff, enum ep_diff_side side, size_t at)
{
    enum ep_diff_side other = side == EP_DIFF_AFTER ? EP_DIFF_BEFORE : EP_DIFF_AFTER;
    const struct eprof_snapshot *snapshot = diff->sides[other];
    char *path = made_path(diff, side, at);
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < snapshot->diagnostic_first && found == SIZE_MAX; i++) {
        char *its = made_path(diff, other, i);
        if (strcmp(path, its) == 0 &&
            strcmp(diff->sides[side]->rows[at].kind, snapshot->rows[i].kind) == 0)
            found = i;
    }
    return found;
}

static struct ep_diff_figures made_figures(const struct ep_diff *diff, enum ep_diff_side side,
                                           size_t at)
{
    if (at == SIZE_MAX)
        return (struct ep_diff_figures){.cpu_ns = EPROF_UNKNOWN, .wait_ns = EPROF_UNKNOWN};
    const struct eprof_snapshot *snapshot = diff->sides[side];
    const struct eprof_row *row = &snapshot->rows[at];
    return (struct ep_diff_figures){
        .calls = (double)row->calls / (double)diff->files[side],
        .total_ns = row->total_ns / diff->files[side],
        .self_ns = row->self_ns / diff->files[side],
        .mean_ns = row->mean_ns,
        .p99_ns = row->p99_ns,
        .cpu_ns = row->cpu_ns,
        .wait_ns = row->wait_ns,
        .is_estimate = at >= snapshot->scope_first &&
                       snapshot->positions[at - snapshot->scope_first].mark.is_sampled};
}

static void made_judge(const struct made_diff *made, struct ep_diff_row *row)
{
    const struct ep_diff *diff = &made->diff;
    uint64_t before_ns = ep_diff_judged_ns(diff, row, EP_DIFF_BEFORE);
    uint64_t after_ns = ep_diff_judged_ns(diff, row, EP_DIFF_AFTER);
    row->change_ns = (int64_t)after_ns - (int64_t)before_ns;
    row->ratio.estimate =
        before_ns ? (double)after_ns / (double)before_ns : (after_ns ? (double)INFINITY : 1);
    row->ratio.high = (double)INFINITY;
    const char *path = test_keep(ep_diff_path(diff, row), free);
    for (const struct made_interval *i = made->intervals; i && i->path; i++)
        if (strcmp(i->path, path) == 0) {
            row->ratio.low = i->low;
            row->ratio.high = i->high;
            row->ratio.has_interval = true;
            row->verdict = i->low > 1    ? EP_DIFF_SLOWER
                           : i->high < 1 ? EP_DIFF_FASTER
                                         : EP_DIFF_NO_EVIDENCE;
        }
}

static void made_region(struct made_diff *made, size_t before, size_t after)
{
    struct ep_diff *diff = &made->diff;
    struct ep_diff_row *row = &diff->rows[diff->row_count++];
    *row = (struct ep_diff_row){.at = {before, after}};
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        row->figures[side] = made_figures(diff, (enum ep_diff_side)side, row->at[side]);
    diff->judged += before != SIZE_MAX && after != SIZE_MAX;
    made_judge(made, row);
}

static bool made_is_behind(const struct ep_diff_row *a, const struct ep_diff_row *b)
{
    bool a_says = a->verdict >= EP_DIFF_FASTER, b_says = b->verdict >= EP_DIFF_FASTER;
    return a_says != b_says ? b_says : llabs(a->change_ns) < llabs(b->change_ns);
}

static void made_sort(struct ep_diff *diff)
{
    for (size_t i = 1; i < diff->row_count; i++)
        for (size_t j = i; j > 0 && made_is_behind(&diff->rows[j - 1], &diff->rows[j]); j--) {
            struct ep_diff_row row = diff->rows[j];
            diff->rows[j] = diff->rows[j - 1];
            diff->rows[j - 1] = row;
        }
}

static void made_note_rows(struct ep_diff *diff, enum ep_diff_side side)
{
    size_t count = diff->sides[side]->diagnostic_first;
    diff->row_of[side] = test_room(count, sizeof *diff->row_of[side]);
    memset(diff->row_of[side], 0xFF, (count + 1) * sizeof *diff->row_of[side]);
    for (uint32_t i = 0; i < diff->row_count; i++)
        if (diff->rows[i].at[side] != SIZE_MAX)
            diff->row_of[side][diff->rows[i].at[side]] = i;
}

const struct ep_diff *made_compare(struct made_diff *made)
{
    struct ep_diff *diff = &made->diff;
    *diff = (struct ep_diff){
        .options = {.by = ep_columns_find("total"), .error = 0.05},
        .files = {made->files[EP_DIFF_BEFORE], made->files[EP_DIFF_AFTER]},
        .share = 0.001, /* an interval with this error needs seven files */
        .needed = 7,
    };
    size_t rows = 0;
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        diff->sides[side] = made_snapshot(&made->trees[side]);
        diff->sides[side]->command = "";
        rows += diff->sides[side]->diagnostic_first;
    }
    diff->rows = test_room(rows, sizeof *diff->rows);
    for (size_t i = 0; i < diff->sides[EP_DIFF_AFTER]->diagnostic_first; i++)
        made_region(made, made_partner(diff, EP_DIFF_AFTER, i), i);
    for (size_t i = 0; i < diff->sides[EP_DIFF_BEFORE]->diagnostic_first; i++)
        if (made_partner(diff, EP_DIFF_BEFORE, i) == SIZE_MAX)
            made_region(made, i, SIZE_MAX);
    made_sort(diff);
    made_note_rows(diff, EP_DIFF_BEFORE);
    made_note_rows(diff, EP_DIFF_AFTER);
    return diff;
}

/* ---- two versions of a server, ten runs of each, or one ---- */

static void make_server_after(struct made_tree *tree)
{
    made_scope(tree, 0, "main", 0, 2 * MS)->open = 1;
    made_scope(tree, 1, "serve", 1, 30900 * US);
    made_scope(tree, 2, "handle_request", 2000, 41 * MS);
    made_scope(tree, 3, "render", 1990, 238 * MS);
    made_scope(tree, 4, "escape", 51740, 90200 * US);
    made_scope(tree, 4, "lookup", 4100, 12100 * US)->line = 81;
    made_scope(tree, 3, "query", 2010, 90 * MS);
    made_scope(tree, 4, "lookup", 12, 200 * US);
    made_scope(tree, 3, "parse_headers", 2000, 75 * MS);
    made_scope(tree, 3, "free_request", 2000, 0);
    made_scope(tree, 2, "accept", 2000, 9 * MS);
    made_scope(tree, 1, "read_configuration", 1, 3250 * US);
    made_scope(tree, 2, "parse_line", 409, 1100 * US);
    made_scope(tree, 2, "validate", 5, 260 * US);
    made_diagnostics(tree, "out_of_cells", 2);
    made_diagnostics(tree, "forced_closes", 1);
}

void make_servers(struct made_diff *made)
{
    static const struct made_interval intervals[] = {
        {"main", 0.9012, 0.9641},
        {"main;serve", 0.8963, 1.0012},
        {"main;serve;handle_request", 0.8912, 0.9543},
        {"main;serve;handle_request;render", 1.0812, 1.1034},
        {"main;serve;handle_request;render;escape", 0.984, 1.0199},
        {"main;serve;handle_request;render;lookup", 0.95, 1.062},
        {"main;serve;handle_request;query", 0.41, 0.433},
        {"main;serve;handle_request;query;lookup", 0.002, 0.0091},
        {"main;serve;handle_request;parse_headers", 2.8, 3.6},
        {"main;serve;handle_request;free_request", 0, 1.7},
        {"main;serve;accept", 0.8, INFINITY},
        {"main;read_configuration", 0.99, 1.14},
        {NULL, 0, 0}};
    *made = (struct made_diff){.files = {10, 10}, .intervals = intervals};
    make_server_tree(&made->trees[EP_DIFF_BEFORE]);
    made_instance(&made->trees[EP_DIFF_AFTER], even_instance(0, "connections", 24, 700 * US));
    make_server_after(&made->trees[EP_DIFF_AFTER]);
    made_compare(made);
    made->diff.sides[EP_DIFF_BEFORE]->command = "./server --port 80";
    made->diff.sides[EP_DIFF_AFTER]->command = "./server --port 80 --cache";
}

void make_server_pair(struct made_diff *made)
{
    *made = (struct made_diff){.files = {1, 1}};
    make_server_tree(&made->trees[EP_DIFF_BEFORE]);
    make_server_after(&made->trees[EP_DIFF_AFTER]);
    made_compare(made);
}

void make_hostile_pair(struct made_diff *made)
{
    *made = (struct made_diff){.files = {1, 1}};
    make_hostile_tree(&made->trees[EP_DIFF_BEFORE]);
    make_hostile_tree(&made->trees[EP_DIFF_AFTER]);
    made_scope(&made->trees[EP_DIFF_AFTER], 1, "a;b\\c", 1, 500 * US);
    made_diagnostics(&made->trees[EP_DIFF_AFTER], "\033\"new\",\xFF\n", 7);
    made_compare(made);
    made->diff.sides[EP_DIFF_BEFORE]->source = "my \"clock\"\n\xFF";
    made->diff.sides[EP_DIFF_BEFORE]->command = "./\033[2Jserver";
}

/* ---- reports in memory ---- */

char *reported_diff(const struct ep_diff *diff, const char *format, size_t top)
{
    static const char *const names[EP_DIFF_SIDES] = {"old.eprof", "new.eprof"};
    struct ep_report_diff_options options = {.top = top};
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        options.names[side] = diff->files[side] == 1 ? names[side] : NULL;
    const struct ep_report_diff *report = ep_report_diff_find(format);
    assert_non_null(report);
    struct test_text text;
    assert_return_code(ep_report_diff_write(report, diff, &options, test_text_begin(&text)), errno);
    return test_text_end(&text);
}

void assert_golden_diff(void (*make_one)(struct made_diff *made), const char *format,
                        const char *file)
{
    struct made_diff made;
    make_one(&made);
    assert_string_equal(reported_diff(&made.diff, format, 0), golden(file));
}
