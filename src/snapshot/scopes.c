#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/platform.h"
#include "snapshot/distribution.h"
#include "snapshot/making.h"
#include "snapshot/tree.h"

/* ---- the sites of one tree, each summed over its paths ---- */

/* The sum of the branches of one site. */
struct top {
    struct ep_branch sum;
    uint32_t first_octave;
};

struct tops {
    struct top *at; /* in the order of their first branch */
    struct ep_octaves octaves;
    uint32_t *top_of; /* by site, + 1; 0: none */
    size_t count, room;
};

static struct top *top_of(struct tops *tops, uint32_t site)
{
    if (tops->top_of[site])
        return &tops->at[tops->top_of[site] - 1];
    struct top *grown = ep_memory_room(tops->at, tops->count, &tops->room, sizeof *grown);
    if (!grown)
        return NULL;
    tops->at = grown;
    grown[tops->count] = (struct top){.sum = {.site = site, .figures = ep_figures_none}};
    tops->top_of[site] = (uint32_t)++tops->count;
    return &grown[tops->count - 1];
}

static int add_to_top(struct tops *tops, const struct ep_branch *branch,
                      const struct ep_histogram *histogram)
{
    struct top *top = top_of(tops, branch->site);
    if (!top)
        return -1;
    top->sum.has_estimates |= branch->has_estimates;
    top->sum.probe = branch->probe;
    ep_figures_add(&top->sum.figures, &branch->figures);
    ep_probed_add(&top->sum.total, &branch->total);
    top->sum.inside_milliticks =
        ep_saturating_add(top->sum.inside_milliticks, branch->inside_milliticks);
    top->sum.total_ticks = ep_saturating_add(top->sum.total_ticks, branch->total_ticks);
    top->sum.raise_ticks = ep_saturating_add(top->sum.raise_ticks, branch->raise_ticks);
    top->sum.lower_ticks = ep_saturating_add(top->sum.lower_ticks, branch->lower_ticks);
    top->sum.self_ticks = ep_saturating_add(top->sum.self_ticks, branch->self_ticks);
    top->sum.overhead_milliticks =
        ep_saturating_add(top->sum.overhead_milliticks, branch->overhead_milliticks);
    bool is_known = top->sum.self_variance >= 0 && branch->self_variance >= 0;
    top->sum.self_variance = is_known ? top->sum.self_variance + branch->self_variance : -1;
    top->sum.beyond += branch->beyond;
    for (uint64_t octaves = histogram->octaves; octaves; octaves &= octaves - 1) {
        unsigned octave = (unsigned)__builtin_ctzll(octaves);
        uint64_t *counts = ep_figures_octave(&tops->octaves, &top->first_octave, octave);
        if (!counts)
            return -1;
        for (unsigned step = 0; step < EP_OCTAVE_BUCKETS; step++)
            counts[step] += histogram->counts[octave * EP_OCTAVE_BUCKETS + step];
    }
    return 0;
}

static void add_counts_of_top(const struct tops *tops, const struct top *top,
                              struct ep_histogram *histogram)
{
    const struct ep_octave *octave;
    for (uint32_t at = top->first_octave; at; at = octave->next) {
        octave = &tops->octaves.at[at - 1];
        for (unsigned step = 0; step < EP_OCTAVE_BUCKETS; step++)
            ep_histogram_add(histogram, octave->number * EP_OCTAVE_BUCKETS + step,
                             octave->count[step]);
    }
}

/* ---- sites ---- */

struct named_site {
    const char *name; /* NULL: it is in no row. One copy for all rows */
    const char *kind;
    const char *file; /* "": none */
    uint32_t line;
    struct ep_site_mark mark;
};

struct scopes {
    struct eprof_snapshot *snapshot;
    struct ep_snapshot_tree tree;
    struct named_site *sites; /* by number */
    struct tops tops;
    struct ep_histogram *histogram; /* of the row in progress */
};

static int name_site(struct scopes *scopes, uint32_t number)
{
    const struct ep_site_cell *cell = scopes->tree.sites.at[number];
    struct named_site *site = &scopes->sites[number];
    *site = (struct named_site){
        .name = "(other)", .kind = "scope", .file = "", .mark = {.site = number}};
    if (!cell)
        return 0;
    site->kind = cell->module ? "function" : "scope";
    site->line = cell->line;
    return ep_sites_describe(scopes->snapshot, cell, &site->name, &site->file);
}

static int by_name(const void *a, const void *b)
{
    const struct named_site *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static void mark_ambiguous(struct named_site **sites, size_t count)
{
    qsort(sites, count, sizeof *sites, by_name);
    for (size_t i = 1; i < count; i++)
        if (by_name(&sites[i - 1], &sites[i]) == 0)
            sites[i - 1]->mark.is_ambiguous = sites[i]->mark.is_ambiguous = true;
}

/* Names the sites that are in a row. Sites with an unknown number are counted as EP_SITE_OTHER. */
static int name_sites(struct scopes *scopes)
{
    uint32_t count = scopes->tree.sites.count, named = 0;
    struct named_site **sorted = malloc(count * sizeof *sorted);
    scopes->sites = calloc(count, sizeof *scopes->sites);
    int result = sorted && scopes->sites ? 0 : -1;
    for (size_t i = 0; i < scopes->tree.count && result == 0; i++) {
        struct ep_branch *branch = &scopes->tree.branches[i];
        if (branch->site >= count)
            branch->site = EP_SITE_OTHER;
        if (branch->site == EP_SITE_NONE)
            continue;
        struct named_site *site = &scopes->sites[branch->site];
        scopes->tree.branches[branch->parent].has_estimates |= branch->figures.is_estimate;
        if (!site->name) {
            sorted[named++] = site;
            result = name_site(scopes, branch->site);
        }
        if (branch->figures.is_estimate && !site->mark.is_sampled)
            scopes->snapshot->sampled_count++;
        site->mark.is_sampled |= branch->figures.is_estimate;
    }
    if (result == 0)
        mark_ambiguous(sorted, named);
    free(sorted);
    return result;
}

static void fill_names(struct eprof_row *row, const struct named_site *site, const char *thread)
{
    row->kind = site->kind;
    row->name = site->name;
    row->path = NULL;
    row->file = site->file;
    row->line = site->line;
    row->thread = thread;
}

/* ---- rows ---- */

/* The counts are read after the figures, so they may include a few later calls. No cell is cleared
 * in between, since a reset waits for the lock. */
static void read_counts(struct ep_histogram *histogram, const struct scopes *scopes,
                        const struct ep_branch *branch)
{
    const struct ep_image *image = scopes->snapshot->image;
    const struct ep_branch_member *member;
    for (uint32_t i = branch->first_member; i != EP_MAP_NONE; i = member->next) {
        member = &scopes->tree.members[i];
        const struct ep_node_cell *node = ep_image_node(image, member->node);
        if (ep_thread_tree_node_is_valid(image, node))
            ep_figures_add_counts(histogram, image, &node->stats, &branch->figures);
    }
}

/* Sets the figures of a row, and returns the correction of its calls. */
static struct ep_correction finish(const struct scopes *scopes, const struct ep_branch *branch,
                                   const struct ep_histogram *histogram, struct eprof_row *row)
{
    const struct ep_conversion *conversion = &scopes->snapshot->conversion;
    const struct ep_figures *figures = &branch->figures;
    struct ep_correction correction = ep_figures_correction(
        figures, conversion->scale, ep_snapshot_tree_inside(branch, conversion),
        branch->total.ticks, ep_snapshot_tree_calls_ticks(branch));
    row->total_ns = ep_wide_scale_ns(conversion->scale, branch->total_ticks);
    row->self_ns = ep_wide_scale_ns(conversion->scale, branch->self_ticks);
    struct ep_wide finished_ns = {row->total_ns, 0};
    /* unless the total contains open calls, or is saturated */
    if (figures->total.high || figures->total.low != branch->total.ticks ||
        row->total_ns == UINT64_MAX) {
        struct ep_wide raise_ns = {ep_wide_scale_ns(conversion->scale, branch->raise_ticks), 0};
        struct ep_wide lower_ns = {ep_wide_scale_ns(conversion->scale, branch->lower_ticks), 0};
        finished_ns = ep_figures_convert(&correction, figures->total, ep_figures_timed(figures));
        finished_ns = ep_wide_add(finished_ns, raise_ns);
        finished_ns = ep_wide_is_less(lower_ns, finished_ns)
                          ? ep_wide_subtract(finished_ns, lower_ns)
                          : (struct ep_wide){0, 0};
    }
    ep_figures_finish(figures, histogram, &correction, finished_ns, row);
    ep_figures_set_cpu(figures, conversion, ep_snapshot_tree_cpu_ns(branch, conversion),
                       ep_figures_timed(figures) + figures->open, row);
    row->calls += branch->beyond;
    return correction;
}

static uint64_t overhead_ns(const struct eprof_snapshot *snapshot, uint64_t milliticks)
{
    return ep_wide_scale_ns(snapshot->conversion.cpu_scale, milliticks / 1000);
}

static struct ep_site_mark mark_of(const struct scopes *scopes, const struct ep_branch *branch)
{
    const struct eprof_snapshot *snapshot = scopes->snapshot;
    struct ep_site_mark mark = scopes->sites[branch->site].mark;
    double pair_ns = branch->probe == EP_PROBE_FUNCTION && snapshot->function_pair_ns > 0
                         ? snapshot->function_pair_ns
                         : snapshot->scope_pair_ns;
    mark.is_self_rest = branch->has_estimates;
    mark.is_corrected = !snapshot->options.raw && pair_ns > snapshot->resolution_ns;
    mark.overhead_ns = overhead_ns(snapshot, branch->overhead_milliticks);
    mark.uncounted = branch->figures.open - branch->figures.begun;
    mark.self_error_ns = ep_figures_error_ns(branch->self_variance, snapshot->conversion.scale);
    return mark;
}

static void set_frame_rate(const struct scopes *scopes, const struct ep_branch *branch,
                           struct eprof_row *row)
{
    const struct ep_site_cell *site = ep_sites_at(&scopes->tree.sites, branch->site);
    bool is_frame = site && !site->module && site->kind == EP_SITE_FRAME;
    if (is_frame && row->timed && row->total_ns && !scopes->snapshot->options.ticks)
        row->per_second = ep_wide_divide(ep_wide_multiply(row->timed, 1000000000), row->total_ns);
}

static bool fill_row(struct scopes *scopes, const struct ep_branch *branch,
                     const struct ep_branch_root *root, const char *thread)
{
    size_t first = scopes->snapshot->scope_first;
    union ep_row_distribution distribution;
    struct ep_ladder *ladder;
    const struct named_site *site = &scopes->sites[branch->site];
    struct eprof_row *row = &scopes->snapshot->rows[first + branch->row];
    *row = ep_rows_empty;
    fill_names(row, site, thread);
    struct ep_correction correction = finish(scopes, branch, scopes->histogram, row);
    set_frame_rate(scopes, branch, row);
    if (!ep_distribution_set(scopes->snapshot, row, scopes->histogram, &correction,
                             &distribution) ||
        !ep_rows_take_ladder(scopes->snapshot, &branch->figures, scopes->histogram, &correction,
                             row, &ladder))
        return false;
    uint64_t *overhead_milliticks = &scopes->snapshot->run.overhead_milliticks;
    *overhead_milliticks =
        ep_saturating_add(*overhead_milliticks, ep_saturating_add(branch->overhead_milliticks,
                                                                  branch->values_milliticks));
    scopes->snapshot->positions[branch->row] = (struct ep_tree_position){
        .site = branch->site,
        .depth = branch->depth,
        .parent = branch->depth ? first + branch->parent_row : SIZE_MAX,
        .end = first + branch->row + branch->rows,
        .mark = mark_of(scopes, branch),
        .distribution = distribution,
        .ladder = ladder,
        .thread = scopes->snapshot->options.threads ? root->thread->number : 0,
    };
    scopes->snapshot->positions[branch->row].mark.is_sampled = branch->figures.is_estimate;
    scopes->snapshot->clock_errors += row->errors;
    scopes->snapshot->saturated += branch->figures.is_beyond || row->total_ns == UINT64_MAX ||
                                   ep_probed_is_saturated(&branch->total);
    return true;
}

/* The branches, in the order of the rows, give their memory back while the rows take theirs. */
static int fill_rows(struct scopes *scopes, const struct ep_branch_root *root, const char *thread)
{
    char *done = (char *)&scopes->tree.branches[root->branch];
    for (uint32_t i = root->branch + 1; i < root->end; i++) {
        const struct ep_branch *branch = &scopes->tree.branches[i];
        ep_platform_forget(&done, (const char *)branch);
        ep_histogram_clear(scopes->histogram);
        read_counts(scopes->histogram, scopes, branch);
        if (!fill_row(scopes, branch, root, thread))
            return -1;
        if (!scopes->snapshot->options.no_tops &&
            add_to_top(&scopes->tops, branch, scopes->histogram) != 0)
            return -1;
    }
    return 0;
}

/* ---- tops ---- */

static int by_self_time(const void *a, const void *b)
{
    const struct top *x = a, *y = b;
    if (x->sum.self_ns != y->sum.self_ns)
        return x->sum.self_ns > y->sum.self_ns ? -1 : 1;
    return (x->sum.site > y->sum.site) - (x->sum.site < y->sum.site);
}

EP_ANALYZER_KEPT_BEGIN /* in the snapshot */
static int need_tops(struct eprof_snapshot *snapshot, size_t count)
{
    struct eprof_row *rows = realloc(snapshot->tops, (count + 1) * sizeof *rows);
    if (rows)
        snapshot->tops = rows;
    struct ep_site_mark *marks = realloc(snapshot->top_marks, (count + 1) * sizeof *marks);
    if (marks)
        snapshot->top_marks = marks;
    return rows && marks ? 0 : -1;
}

static int fill_tops(struct scopes *scopes, const char *thread)
{
    struct eprof_snapshot *snapshot = scopes->snapshot;
    struct tops *tops = &scopes->tops;
    if (need_tops(snapshot, snapshot->top_count + tops->count) != 0)
        return -1;
    for (size_t i = 0; i < tops->count; i++)
        tops->at[i].sum.self_ns =
            ep_wide_scale_ns(snapshot->conversion.scale, tops->at[i].sum.self_ticks);
    if (tops->count)
        qsort(tops->at, tops->count, sizeof *tops->at, by_self_time);
    for (size_t i = 0; i < tops->count; i++) {
        const struct top *top = &tops->at[i];
        const struct named_site *site = &scopes->sites[top->sum.site];
        struct eprof_row *row = &snapshot->tops[snapshot->top_count];
        struct ep_site_mark *mark = &snapshot->top_marks[snapshot->top_count++];
        *mark = mark_of(scopes, &top->sum);
        *row = ep_rows_empty;
        fill_names(row, site, thread);
        ep_histogram_clear(scopes->histogram);
        add_counts_of_top(tops, top, scopes->histogram);
        finish(scopes, &top->sum, scopes->histogram, row);
    }
    for (size_t i = 0; i < tops->count; i++)
        tops->top_of[tops->at[i].sum.site] = 0;
    tops->count = tops->octaves.count = 0;
    return 0;
}
EP_ANALYZER_KEPT_END

/* ---- all trees ---- */

static int fill_tree(struct scopes *scopes, const struct ep_branch_root *root)
{
    const char *thread = "*";
    if (scopes->snapshot->options.threads)
        thread = ep_rows_thread_name(scopes->snapshot, root->thread);
    if (!thread || fill_rows(scopes, root, thread) != 0)
        return -1;
    if (ep_snapshot_values_add(scopes->snapshot, &scopes->tree, root, thread) != 0)
        return -1;
    return scopes->snapshot->options.no_tops ? 0 : fill_tops(scopes, thread);
}

EP_ANALYZER_KEPT_BEGIN /* in the snapshot, and in `scopes` */
static int prepare(struct scopes *scopes)
{
    size_t rows = scopes->tree.count - scopes->tree.root_count;
    scopes->histogram = calloc(1, sizeof *scopes->histogram);
    scopes->tops.top_of = calloc(scopes->tree.sites.count, sizeof *scopes->tops.top_of);
    scopes->snapshot->positions = malloc((rows + 1) * sizeof *scopes->snapshot->positions);
    return scopes->histogram && scopes->tops.top_of && scopes->snapshot->positions &&
                   (!rows || ep_rows_add_unset(scopes->snapshot, rows))
               ? 0
               : -1;
}
EP_ANALYZER_KEPT_END

static int fill_all(struct scopes *scopes)
{
    if (name_sites(scopes) != 0 || ep_snapshot_tree_correct(&scopes->tree) != 0 ||
        ep_snapshot_tree_rows(&scopes->tree) != 0 || prepare(scopes) != 0)
        return -1;
    for (size_t i = 0; i < scopes->tree.root_count; i++)
        if (fill_tree(scopes, &scopes->tree.roots[i]) != 0)
            return -1;
    return 0;
}

int ep_snapshot_scopes_add(struct eprof_snapshot *snapshot, const struct ep_present *present)
{
    struct scopes scopes = {.snapshot = snapshot, .tree.conversion = &snapshot->conversion};
    snapshot->scope_first = snapshot->row_count;
    int result =
        ep_snapshot_tree_read(&scopes.tree, snapshot->image, present, snapshot->options.threads);
    if (result == 0 && scopes.tree.count)
        result = fill_all(&scopes);
    snapshot->run.threads = scopes.tree.thread_count;
    ep_snapshot_tree_free(&scopes.tree);
    free(scopes.sites);
    free(scopes.tops.at);
    free(scopes.tops.octaves.at);
    free(scopes.tops.top_of);
    free(scopes.histogram);
    return result;
}
