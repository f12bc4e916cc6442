/*
 * snapshot/thread_tree_node.c - the figures of one node of a thread's call tree, read from its
 * cells: those of its calls, and what its timed calls say about the others
 */
#include "snapshot/tree.h"

bool ep_thread_tree_node_is_valid(const struct ep_image *image, const struct ep_node_cell *node)
{
    uint64_t generation = ep_load_acquire(&node->generation) & EP_GENERATION_NUMBER;
    return generation >= ep_load(&ep_image_control(image)->reset_generation);
}

/* ---- reading what was sampled ---- */

static const struct ep_wide unknown = {UINT64_MAX, UINT64_MAX};

static struct ep_wide to_wide(double a)
{
    const double beyond = 18446744073709551616.0; /* 2^64 */
    if (!(a > 0))
        return (struct ep_wide){0, 0};
    if (a >= beyond * beyond / 2)
        return unknown;
    uint64_t high = (uint64_t)(a / beyond);
    return (struct ep_wide){(uint64_t)(a - (double)high * beyond), high};
}

/* An interval from fewer sampled calls means nothing, nor does one if a single call makes up much
 * of the sum: a call as long may be among the untimed ones. */
static bool has_too_few(const struct ep_sampling_cells *cells, const struct ep_figures *figures)
{
    enum { LEAST_SAMPLED = 30, MOST_PART = 10 };
    return cells->sampled < LEAST_SAMPLED ||
           cells->largest_ticks > ep_wide_saturated(figures->total) / MOST_PART;
}

/*
 * The variance of the total: the sum of w^2 (d - mean)^2 over the sampled calls, of weight w and
 * time d, scaled as the total is. Calls of weight 1 add none. For a draw per block, the exact
 * factor of each square is w (w - 1); with it the intervals of short blocks are too narrow.
 *
 * If a few long calls make up the sum, it is itself uncertain, and too low where by chance fewer of
 * them were timed. n calls like the longest one would give the sum; the factor 1 + 2 / n^2 makes
 * intervals wide enough down to n = 1 (proofs.md), and is 1.02 for n = 10.
 */
static struct ep_wide variance_of(const struct ep_sampling_cells *cells,
                                  const struct ep_figures *figures)
{
    double mean = ep_wide_to_double(figures->total) / (double)cells->weight;
    double scale = (double)ep_figures_timed(figures) / (double)cells->weight;
    double sum = ep_wide_to_double(cells->square_square_ticks) -
                 2 * mean * ep_wide_to_double(cells->square_ticks) +
                 mean * mean * (double)cells->squares;
    double largest = (double)cells->largest_ticks - (double)cells->largest_weight * mean;
    double part = cells->largest_weight && sum > 0 ? largest * largest / sum : 0; /* 1 / n */
    part = part < 1 ? part : 1;
    return to_wide(sum * (1 + 2 * part * part) * scale * scale);
}

static void add_sampling(struct ep_node *node, const struct ep_sampling_cells *cells)
{
    struct ep_figures *figures = &node->figures;
    uint64_t calls = ep_figures_timed(figures);
    node->timed = cells->timed < calls ? cells->timed : calls;
    node->weight = cells->weight;
    node->cpu = cells->cpu;
    node->sampled = cells->sampled < node->timed ? cells->sampled : node->timed;
    node->sampled_weight =
        cells->sampled_weight < cells->weight ? cells->sampled_weight : cells->weight;
    figures->untimed = calls - node->timed;
    figures->untimed_nested =
        figures->nested > cells->timed_nested ? figures->nested - cells->timed_nested : 0;
    figures->is_estimate = figures->untimed || node->sampled;
    if (node->is_timed) { /* in a merged image */
        figures->untimed = cells->weight > cells->timed ? cells->weight - cells->timed : 0;
        figures->is_estimate = !(cells->merged & EP_MERGED_EXACT);
        figures->variance = cells->variance;
        node->self.is_rest = cells->merged & EP_MERGED_REST;
        node->total.is_of_parts = cells->merged & EP_MERGED_PARTS;
    } else if (figures->is_estimate) {
        figures->variance = has_too_few(cells, figures) ? unknown : variance_of(cells, figures);
    }
}

/* In images before EP_FORMAT_SAMPLING `samples` calls counted EP_SAMPLE_WEIGHT times in all figures
 * but the calls. */
static void add_older_sampling(struct ep_node *node, const struct ep_image *image, uint64_t samples)
{
    struct ep_figures *figures = &node->figures;
    const struct ep_statistics *stats = &ep_image_node(image, node->ref)->stats;
    uint64_t calls = ep_figures_timed(figures);
    node->weight = ep_figures_add_counts(NULL, image, stats, figures);
    uint64_t others = node->weight - samples * EP_SAMPLE_WEIGHT; /* each was timed */
    if (calls / 2 > node->weight)
        node->weight = 0; /* most buckets are missing: no memory */
    if (others > calls)
        others = 0; /* damaged */
    node->timed = others + samples < calls ? others + samples : calls;
    node->sampled = samples < node->timed ? samples : node->timed;
    node->sampled_weight = node->weight - others;
    figures->untimed = calls - node->timed;
    figures->is_estimate = calls > 0;
    if (calls > 0)
        figures->variance = unknown;
}

/* The sampling cells are beyond the end of a file that could not grow, or newer than the copy of an
 * image. The figures represent all calls; which of them were timed is not known. */
static void add_lost_sampling(struct ep_node *node)
{
    node->figures.is_estimate = ep_figures_timed(&node->figures) > 0;
    if (node->figures.is_estimate)
        node->figures.variance = unknown;
}

static struct ep_wide read_wide(const struct ep_wide *sum)
{
    uint64_t low = ep_load_acquire(&sum->low);
    return (struct ep_wide){low, ep_load_acquire(&sum->high)};
}

static void read_sums(struct ep_sampling_cells *sums, const struct ep_sampling_cells *cells)
{
    sums->timed = ep_load_acquire(&cells->timed);
    sums->weight = ep_load_acquire(&cells->weight);
    sums->nested_calls = ep_load_acquire(&cells->nested_calls);
    sums->own_calls = ep_load_acquire(&cells->own_calls);
    sums->timed_nested = ep_load_acquire(&cells->timed_nested);
    sums->sampled = ep_load_acquire(&cells->sampled);
    sums->sampled_weight = ep_load_acquire(&cells->sampled_weight);
    sums->squares = ep_load_acquire(&cells->squares);
    sums->square_ticks = read_wide(&cells->square_ticks);
    sums->square_square_ticks = read_wide(&cells->square_square_ticks);
    sums->largest_ticks = ep_load_acquire(&cells->largest_ticks);
    sums->largest_weight = ep_load_acquire(&cells->largest_weight);
    sums->variance = read_wide(&cells->variance);
    sums->merged = ep_load(&cells->merged);
    sums->cpu.weight = ep_load_acquire(&cells->cpu.weight);
    sums->cpu.cpu_ns = ep_load_acquire(&cells->cpu.cpu_ns);
    sums->cpu.start_cpu_ns = ep_load_acquire(&cells->cpu.start_cpu_ns);
}

/* Figures and sums of the same calls: `changes` is odd while a timed call is added. */
static struct ep_figures read_with_sums(struct ep_sampling_cells *sums,
                                        const struct ep_sampling_cells *cells,
                                        const struct ep_node_cell *cell)
{
    struct ep_figures figures;
    for (int tries = 0;; tries++) {
        uint32_t changes = ep_load_acquire(&cells->changes);
        figures = ep_figures_read(&cell->stats, &cell->self_ticks);
        read_sums(sums, cells);
        figures.calls += sums->nested_calls + sums->own_calls;
        figures.nested += sums->nested_calls + sums->own_calls;
        if (tries == 1000 || (changes % 2 == 0 && ep_load(&cells->changes) == changes))
            return figures;
    }
}

/* In a merged image. In another, the owner stores other numbers there. */
static void read_begun(struct ep_figures *figures, const struct ep_sampling_cells *cells)
{
    figures->begun = cells->begun < figures->open ? cells->begun : figures->open;
    figures->begun_nested =
        cells->begun_nested < figures->begun ? cells->begun_nested : figures->begun;
}

static bool has_budget(const struct ep_image *image)
{
    const struct ep_sampled_probe_cell *cell =
        &ep_image_cell(image, EP_CELL_SAMPLED_PROBE)->sampled_probe;
    return ep_load(&cell->budget_millionths) || ep_load(&cell->period) > 1;
}

void ep_thread_tree_node_read(struct ep_node *node, const struct ep_image *image)
{
    const struct ep_node_cell *cell = ep_image_node(image, node->ref);
    bool is_older = ep_image_cell(image, EP_CELL_IDENTITY)->identity.version < EP_FORMAT_SAMPLING;
    bool has_no_cells = is_older || cell->level || node->is_value;
    ep_ref ref = has_no_cells ? 0 : ep_load_acquire(&cell->sampling);
    struct ep_sampling_cells sums = {.timed = 0};
    struct ep_figures figures;
    node->figures = ep_figures_none;
    if (!ep_thread_tree_node_is_valid(image, cell))
        return;
    if (!ref) {
        figures = ep_figures_read(&cell->stats, &cell->self_ticks);
        /* it may have got its cells, and untimed calls, meanwhile */
        ref = has_no_cells ? 0 : ep_load_acquire(&cell->sampling);
    }
    if (ref)
        figures = read_with_sums(&sums, (const void *)ep_image_cell(image, ref), cell);
    uint64_t owed_ticks = ep_load_acquire(&cell->owed_ticks);
    ep_figures_unwrap(&figures, image, &cell->stats);
    if (!ep_thread_tree_node_is_valid(image, cell))
        return;
    node->figures = figures;
    node->is_timed = owed_ticks != 0;
    node->counts_begun = !has_no_cells && has_budget(image) && ep_load(&cell->stats.until_timed);
    node->total.ticks = owed_ticks ? owed_ticks - 1 : 0;
    if (ref && node->is_timed)
        read_begun(&node->figures, (const void *)ep_image_cell(image, ref));
    if (ref)
        add_sampling(node, &sums);
    else if (is_older && node->is_throttled)
        add_older_sampling(node, image, ep_load(&cell->sampling));
    else if (!has_no_cells && ep_load(&cell->stats.until_timed) > 1)
        add_lost_sampling(node);
}
