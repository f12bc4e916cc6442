#include "snapshot_figures.h"

#include <string.h>

void ep_figures_clear(struct ep_figures *figures)
{
    memset(figures, 0, sizeof *figures);
    figures->min_ticks = UINT64_MAX;
}

/* ---- reading a pair that its owner may be writing ---- */

static void add_value(struct ep_figures *figures, uint64_t value)
{
    figures->squares = ep_wide_add(figures->squares, ep_wide_square(value));
    figures->counts[ep_histogram_bucket(value)]++;
}

static void add_octaves(struct ep_figures *figures, const struct ep_image *image,
                        const struct ep_pair_cell *pair)
{
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++) {
        ep_ref counts = ep_cell_octave(image->cells, pair, octave);
        for (unsigned step = 0; counts && step < EP_OCTAVE_BUCKETS; step++)
            figures->counts[octave * EP_OCTAVE_BUCKETS + step] +=
                ep_load_acquire(&ep_image_cell(image, counts)->octave.count[step]);
    }
}

/* `calls` is read first, as it is written last: no call is counted whose time is
 * not there. All are acquires, so that the stamp is looked at after them. */
static struct ep_pair_cell read_pair(const struct ep_pair_cell *pair)
{
    struct ep_pair_cell copy;
    copy.calls = ep_load_acquire(&pair->calls);
    copy.depth = ep_load_acquire(&pair->depth);
    copy.nested = ep_load_acquire(&pair->nested);
    copy.errors = ep_load_acquire(&pair->errors);
    copy.abandoned = ep_load_acquire(&pair->abandoned);
    copy.total_ticks = ep_load_acquire(&pair->total_ticks);
    copy.min_ticks = ep_load_acquire(&pair->min_ticks);
    copy.max_ticks = ep_load_acquire(&pair->max_ticks);
    copy.pending = ep_load_acquire(&pair->pending);
    copy.square_low = ep_load_acquire(&pair->square_low);
    copy.square_high = ep_load_acquire(&pair->square_high);
    return copy;
}

/* Reads until at most one call has ended meanwhile, and no carry of the squares:
 * then the fields are apart by one call at most. A reading takes less than a pair, so
 * that comes soon even where calls end all the time. */
static struct ep_pair_cell read_settled(const struct ep_pair_cell *pair)
{
    struct ep_pair_cell copy = read_pair(pair);
    for (int tries = 0; tries < 1000; tries++) {
        uint64_t ended = ep_load_acquire(&pair->calls) - copy.calls;
        if (ended <= 1 && ep_load(&pair->square_high) == copy.square_high)
            break;
        copy = read_pair(pair);
    }
    return copy;
}

static bool is_valid(const struct ep_image *image, const struct ep_pair_cell *pair,
                     const struct ep_instance_cell *instance, uint64_t stamp)
{
    uint64_t generation = stamp & EP_STAMP_GENERATION;
    return generation >= ep_load(&ep_image_control(image)->reset_generation) &&
           generation >= ep_load(&instance->born) &&
           ep_load(&pair->handle) == ep_load(&instance->handle);
}

bool ep_figures_add(struct ep_figures *figures, const struct ep_image *image,
                    const struct ep_pair_cell *pair, const struct ep_instance_cell *instance)
{
    uint64_t stamp = ep_load_acquire(&pair->stamp);
    if (!is_valid(image, pair, instance, stamp))
        return true;
    struct ep_pair_cell copy = read_settled(pair);
    add_octaves(figures, image, pair);
    /* pairs with clear() in pair.c: has its owner begun to clear it meanwhile? */
    if (!is_valid(image, pair, instance, ep_load(&pair->stamp)))
        return false;
    figures->calls += copy.calls;
    figures->nested += copy.nested;
    figures->errors += copy.errors;
    figures->open += copy.depth + (uint64_t)copy.abandoned;
    figures->total_ticks += copy.total_ticks;
    if (copy.min_ticks < figures->min_ticks)
        figures->min_ticks = copy.min_ticks;
    if (copy.max_ticks > figures->max_ticks)
        figures->max_ticks = copy.max_ticks;
    struct ep_wide squares = {copy.square_low, copy.square_high};
    figures->squares = ep_wide_add(figures->squares, squares);
    if (copy.pending)
        add_value(figures, copy.pending - 1);
    return true;
}

/* ---- figures ---- */

/* What the probe itself was read as, in `calls` calls. */
static uint64_t probe_ticks(const struct ep_conversion *conversion, uint64_t calls)
{
    return ep_wide_divide(ep_wide_multiply(conversion->inside_milliticks, calls), 1000);
}

static uint64_t convert(const struct ep_conversion *conversion, uint64_t ticks, uint64_t calls)
{
    uint64_t probe = probe_ticks(conversion, calls);
    return ep_calibrate_ns(conversion->scale, ticks > probe ? ticks - probe : 0);
}

static double root(uint64_t value)
{
    return (double)ep_wide_root((struct ep_wide){0, value}) / 4294967296.0;
}

/*
 * sqrt(sum((x - mean)^2) / n), from sum(x) and sum(x^2) in integers, so that
 * nothing cancels: 100 s that vary by 10 ns are told apart. With sum(x) = q n + r,
 * sum((x - q)^2) = sum(x^2) - q sum(x) - q r, and r^2 / n more than that about the mean.
 */
static double deviation_ticks(const struct ep_figures *figures, uint64_t n)
{
    uint64_t q = figures->total_ticks / n, r = figures->total_ticks % n;
    struct ep_wide sum =
        ep_wide_subtract(figures->squares, ep_wide_multiply(q, figures->total_ticks));
    sum = ep_wide_subtract(sum, ep_wide_multiply(q, r));
    uint64_t around_q = ep_wide_divide(ep_wide_multiply(r, r), n);
    sum = ep_wide_subtract(sum, (struct ep_wide){around_q, 0});
    if (sum.high >> 63)
        return 0; /* negative: the fields were read a call apart */
    double root_of_sum = sum.high ? (double)ep_wide_root(sum) : root(sum.low);
    return root_of_sum / root(n);
}

static uint64_t percentile(const struct ep_figures *figures, unsigned per_mille)
{
    uint64_t ticks = ep_histogram_percentile(figures->counts, per_mille);
    if (ticks < figures->min_ticks)
        return figures->min_ticks;
    return ticks > figures->max_ticks ? figures->max_ticks : ticks;
}

void ep_figures_finish(const struct ep_figures *figures, const struct ep_conversion *conversion,
                       struct eprof_row *row)
{
    uint64_t untimed = figures->nested + figures->errors;
    row->calls = figures->calls;
    row->timed = figures->calls > untimed ? figures->calls - untimed : 0;
    row->errors = figures->errors;
    row->open = figures->open;
    if (row->timed == 0 || figures->min_ticks == UINT64_MAX)
        return;
    row->total_ns = convert(conversion, figures->total_ticks, row->timed);
    row->self_ns = row->total_ns;
    row->mean_ns = (row->total_ns + row->timed / 2) / row->timed;
    row->stddev_ns =
        (uint64_t)(deviation_ticks(figures, row->timed) *
                       ((double)conversion->scale.ns / (double)conversion->scale.ticks) +
                   0.5);
    row->min_ns = convert(conversion, figures->min_ticks, 1);
    row->p50_ns = convert(conversion, percentile(figures, 500), 1);
    row->p90_ns = convert(conversion, percentile(figures, 900), 1);
    row->p99_ns = convert(conversion, percentile(figures, 990), 1);
    row->p999_ns = convert(conversion, percentile(figures, 999), 1);
    row->max_ns = convert(conversion, figures->max_ticks, 1);
}
