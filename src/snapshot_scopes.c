#include "snapshot_scopes.h"

#include <errno.h>
#include <stdlib.h>

#include "analyzer.h"
#include "snapshot_order.h"
#include "snapshot_rows.h"
#include "snapshot_sites.h"
#include "snapshot_tops.h"
#include "snapshot_tree.h"

struct scopes {
    struct eprof_snapshot *snapshot;
    const struct ep_image *image;
    struct ep_snapshot_tree tree;
    struct ep_named_sites sites;
    struct ep_tops tops;
    struct ep_histogram *histogram; /* of the row that is being made */
};

/* ---- names ---- */

/* A number that no site has is a path that cannot be told either. */
static int name_sites(struct scopes *scopes)
{
    if (ep_sites_find(&scopes->sites, scopes->image) != 0)
        return -1;
    for (size_t i = 0; i < scopes->tree.count; i++) {
        struct ep_branch *branch = &scopes->tree.branches[i];
        if (branch->site >= scopes->sites.count)
            branch->site = EP_SITE_OTHER;
        if (branch->site != EP_SITE_NONE &&
            ep_sites_name(&scopes->sites, branch->site, scopes->snapshot, scopes->image) != 0)
            return -1;
    }
    ep_sites_compare(&scopes->sites);
    return 0;
}

static void fill_names(struct eprof_row *row, const struct ep_named_site *site, const char *thread)
{
    row->kind = site->cell && site->cell->module ? "function" : "scope";
    row->name = site->name;
    row->path = NULL;
    row->file = site->file;
    row->line = site->line;
    row->thread = thread;
}

/* ---- figures ---- */

/* Read after the figures: of somewhat more calls, where they go on. Nothing is cleared in
 * between: a reset waits for the lock. */
static void read_counts(struct ep_histogram *histogram, const struct scopes *scopes,
                        const struct ep_branch *branch)
{
    const struct ep_branch_member *member;
    for (uint32_t i = branch->first_member; i != EP_MAP_NONE; i = member->next) {
        member = &scopes->tree.members[i];
        const struct ep_node_cell *node =
            (const struct ep_node_cell *)ep_image_cell(scopes->image, member->node);
        if (ep_nodes_are_valid(scopes->image, node))
            ep_figures_add_counts(histogram, scopes->image, &node->stats, &branch->figures);
    }
}

/*
 * A call's time is shortened by the probe's own reading; what else the probes inside have
 * added, nobody knows of each call, so each is shortened alike. So their order stays,
 * and none becomes negative.
 */
static struct ep_correction correction_of(const struct scopes *scopes,
                                          const struct ep_branch *branch)
{
    uint64_t inside = scopes->snapshot->conversion.costs[branch->probe].inside_milliticks;
    uint64_t measured =
        ep_figures_take_off(branch->total.ticks, inside, ep_figures_timed(&branch->figures));
    struct ep_correction correction = {.total_ticks = branch->total_ticks,
                                       .self_ticks = branch->self_ticks,
                                       .inside_milliticks = inside,
                                       .kept = 1};
    if (branch->total_ticks < measured)
        correction.kept = (double)branch->total_ticks / (double)measured;
    return correction;
}

static void finish(const struct scopes *scopes, const struct ep_branch *branch,
                   const struct ep_histogram *histogram, struct eprof_row *row)
{
    struct ep_correction correction = correction_of(scopes, branch);
    ep_figures_finish(&branch->figures, histogram, &correction, scopes->snapshot->conversion.scale,
                      row);
}

/* ---- rows ---- */

static bool fill_row(struct scopes *scopes, const struct ep_branch *branch,
                     const struct ep_branch_root *root, const char *thread)
{
    size_t first = scopes->snapshot->scope_first;
    const struct ep_outline *outline;
    const struct ep_named_site *site = &scopes->sites.at[branch->site];
    struct eprof_row *row = &scopes->snapshot->rows[first + branch->row];
    fill_names(row, site, thread);
    finish(scopes, branch, scopes->histogram, row);
    if (!ep_rows_outline(scopes->snapshot, scopes->histogram, &outline))
        return false;
    scopes->snapshot->places[branch->row] = (struct ep_tree_place){
        .site = branch->site,
        .depth = branch->depth,
        .parent = branch->depth ? first + scopes->tree.branches[branch->parent].row : SIZE_MAX,
        .end = first + branch->row + branch->rows,
        .mark = site->mark,
        .outline = outline,
        .thread = scopes->snapshot->options.threads ? root->thread->number : 0,
    };
    scopes->snapshot->clock_errors += row->errors;
    return true;
}

static int fill_rows(struct scopes *scopes, const struct ep_branch_root *root, const char *thread)
{
    for (uint32_t i = root->branch + 1; i < root->end; i++) {
        const struct ep_branch *branch = &scopes->tree.branches[i];
        ep_histogram_clear(scopes->histogram);
        read_counts(scopes->histogram, scopes, branch);
        if (!fill_row(scopes, branch, root, thread) ||
            ep_tops_add(&scopes->tops, branch, scopes->histogram) != 0)
            return -1;
    }
    return 0;
}

/* ---- tops ---- */

static int by_self_time(const void *a, const void *b)
{
    const struct ep_top *x = a, *y = b;
    if (x->sum.self_ns != y->sum.self_ns)
        return x->sum.self_ns > y->sum.self_ns ? -1 : 1;
    return (x->sum.site > y->sum.site) - (x->sum.site < y->sum.site);
}

EP_ANALYZER_KEPT_BEGIN /* in the snapshot */
static int need_tops(struct eprof_snapshot *snapshot, size_t count)
{
    struct eprof_row *rows = realloc(snapshot->tops, count * sizeof *rows);
    if (rows)
        snapshot->tops = rows;
    struct ep_site_mark *marks = realloc(snapshot->top_marks, count * sizeof *marks);
    if (marks)
        snapshot->top_marks = marks;
    return rows && marks ? 0 : -1;
}

static int fill_tops(struct scopes *scopes, const char *thread)
{
    struct eprof_snapshot *snapshot = scopes->snapshot;
    struct ep_tops *tops = &scopes->tops;
    if (need_tops(snapshot, snapshot->top_count + tops->count) != 0)
        return -1;
    for (size_t i = 0; i < tops->count; i++)
        tops->at[i].sum.self_ns =
            ep_scale_ns(snapshot->conversion.scale, tops->at[i].sum.self_ticks);
    qsort(tops->at, tops->count, sizeof *tops->at, by_self_time);
    for (size_t i = 0; i < tops->count; i++) {
        const struct ep_top *top = &tops->at[i];
        const struct ep_named_site *site = &scopes->sites.at[top->sum.site];
        struct eprof_row *row = &snapshot->tops[snapshot->top_count];
        snapshot->top_marks[snapshot->top_count++] = site->mark;
        *row = ep_rows_empty;
        fill_names(row, site, thread);
        ep_histogram_clear(scopes->histogram);
        ep_tops_add_counts(tops, top, scopes->histogram);
        finish(scopes, &top->sum, scopes->histogram, row);
    }
    ep_tops_clear(tops);
    return 0;
}
EP_ANALYZER_KEPT_END

/* ---- the whole ---- */

static int fill_tree(struct scopes *scopes, const struct ep_branch_root *root)
{
    const char *thread = "*";
    if (scopes->snapshot->options.threads)
        thread = ep_rows_thread_name(scopes->snapshot, scopes->image, root->thread);
    if (!thread || fill_rows(scopes, root, thread) != 0)
        return -1;
    return fill_tops(scopes, thread);
}

EP_ANALYZER_KEPT_BEGIN /* in the snapshot, and in `scopes` */
static int prepare(struct scopes *scopes)
{
    size_t rows = scopes->tree.count - scopes->tree.root_count;
    scopes->histogram = calloc(1, sizeof *scopes->histogram);
    scopes->snapshot->places = malloc(rows * sizeof *scopes->snapshot->places);
    return scopes->histogram && scopes->snapshot->places && ep_rows_add(scopes->snapshot, rows)
               ? ep_tops_begin(&scopes->tops, scopes->sites.count)
               : -1;
}
EP_ANALYZER_KEPT_END

static int fill_all(struct scopes *scopes)
{
    if (name_sites(scopes) != 0 || prepare(scopes) != 0)
        return -1;
    if (ep_order_correct(&scopes->tree, &scopes->snapshot->conversion) != 0 ||
        ep_order_rows(&scopes->tree) != 0)
        return -1;
    for (size_t i = 0; i < scopes->tree.root_count; i++)
        if (fill_tree(scopes, &scopes->tree.roots[i]) != 0)
            return -1;
    return 0;
}

int ep_snapshot_scopes_add(struct eprof_snapshot *snapshot, const struct ep_image *image,
                           const struct ep_present *present)
{
    struct scopes scopes = {.snapshot = snapshot, .image = image};
    snapshot->scope_first = snapshot->row_count;
    int result = ep_snapshot_tree_read(&scopes.tree, image, present, snapshot->options.threads);
    if (result == 0 && scopes.tree.count)
        result = fill_all(&scopes);
    ep_snapshot_tree_free(&scopes.tree);
    ep_sites_free(&scopes.sites);
    ep_tops_free(&scopes.tops);
    free(scopes.histogram);
    if (result != 0)
        errno = ENOMEM;
    return result;
}
