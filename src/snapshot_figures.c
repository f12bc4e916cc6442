#include "snapshot_figures.h"

const struct ep_figures ep_figures_none = {.min_ticks = UINT64_MAX};

/* ---- reading a region that its owner may be writing ---- */

/* `calls` is read first, as it is written last: no call is counted whose time is
 * not there. All are acquires, so that the stamp is looked at after them. */
static struct ep_figures read_once(const struct ep_statistics *stats, const uint64_t *self_ticks)
{
    struct ep_figures figures;
    figures.calls = ep_load_acquire(&stats->calls);
    figures.nested = ep_load_acquire(&stats->nested);
    figures.errors = ep_load_acquire(&stats->errors);
    figures.open = ep_load_acquire(&stats->abandoned);
    figures.total_ticks = ep_load_acquire(&stats->total_ticks);
    figures.self_ticks = self_ticks ? ep_load_acquire(self_ticks) : figures.total_ticks;
    figures.min_ticks = ep_load_acquire(&stats->min_ticks);
    figures.max_ticks = ep_load_acquire(&stats->max_ticks);
    uint64_t pending = ep_load_acquire(&stats->pending);
    figures.squares.low = ep_load_acquire(&stats->square_low);
    figures.squares.high = ep_load_acquire(&stats->square_high);
    if (pending)
        figures.squares = ep_wide_add(figures.squares, ep_wide_square(pending - 1));
    return figures;
}

/* Reads until no call has ended meanwhile, and no carry of the squares: of the next one some of the
 * figures may be there, and so the fields are apart by one call at most. A reading takes less than
 * a pair, so that comes soon even where calls end all the time. */
struct ep_figures ep_figures_read(const struct ep_statistics *stats, const uint64_t *self_ticks)
{
    uint64_t square_high = ep_load_acquire(&stats->square_high);
    struct ep_figures figures = read_once(stats, self_ticks);
    for (int tries = 0; tries < 1000; tries++) {
        if (ep_load_acquire(&stats->calls) == figures.calls &&
            ep_load(&stats->square_high) == square_high)
            break;
        square_high = ep_load_acquire(&stats->square_high);
        figures = read_once(stats, self_ticks);
    }
    return figures;
}

void ep_figures_add(struct ep_figures *figures, const struct ep_figures *more)
{
    figures->calls += more->calls;
    figures->nested += more->nested;
    figures->errors += more->errors;
    figures->open += more->open;
    figures->total_ticks += more->total_ticks;
    figures->self_ticks += more->self_ticks;
    if (more->min_ticks < figures->min_ticks)
        figures->min_ticks = more->min_ticks;
    if (more->max_ticks > figures->max_ticks)
        figures->max_ticks = more->max_ticks;
    figures->squares = ep_wide_add(figures->squares, more->squares);
}

static void add_octave(struct ep_histogram *histogram, const union ep_cell *cells, ep_ref counts,
                       unsigned octave)
{
    for (unsigned step = 0; step < EP_OCTAVE_BUCKETS; step++)
        ep_histogram_add(histogram, octave * EP_OCTAVE_BUCKETS + step,
                         ep_load_acquire(&cells[counts].octave.count[step]));
}

static unsigned octave_of(uint64_t ticks)
{
    return ep_histogram_bucket(ticks) / EP_OCTAVE_BUCKETS;
}

void ep_figures_add_counts(struct ep_histogram *histogram, const struct ep_image *image,
                           const struct ep_statistics *stats, const struct ep_figures *figures)
{
    uint64_t pending = ep_load_acquire(&stats->pending);
    unsigned first = octave_of(figures->min_ticks), last = octave_of(figures->max_ticks);
    for (unsigned octave = first; octave <= last; octave++) {
        ep_ref counts = ep_cell_octave(image->cells, stats, octave);
        if (counts)
            add_octave(histogram, image->cells, counts, octave);
    }
    if (pending)
        ep_histogram_add(histogram, ep_histogram_bucket(pending - 1), 1);
}

/* ---- figures ---- */

uint64_t ep_figures_take_off(uint64_t ticks, uint64_t milliticks, uint64_t times)
{
    uint64_t probe = ep_wide_divide(ep_wide_multiply(milliticks, times), 1000);
    return ticks > probe ? ticks - probe : 0;
}

/*
 * sum((x - mean)^2), from sum(x) and sum(x^2) in integers, so that nothing cancels: 100 s
 * that vary by 10 ns are told apart. With sum(x) = q n + r,
 * sum((x - q)^2) = sum(x^2) - q sum(x) - q r, and r^2 / n more than that about the mean.
 */
struct ep_wide ep_figures_around_mean(const struct ep_figures *figures, uint64_t n)
{
    uint64_t q = figures->total_ticks / n, r = figures->total_ticks % n;
    struct ep_wide sum =
        ep_wide_subtract(figures->squares, ep_wide_multiply(q, figures->total_ticks));
    sum = ep_wide_subtract(sum, ep_wide_multiply(q, r));
    uint64_t around_q = ep_wide_divide(ep_wide_multiply(r, r), n);
    sum = ep_wide_subtract(sum, (struct ep_wide){around_q, 0});
    if (n == 1 || sum.high >> 63)
        return (struct ep_wide){0, 0}; /* negative: the fields were read a call apart */
    return sum;
}

/* What is beyond all numbers is the highest: figures of a spoilt image. */
static uint64_t rounded(double value)
{
    const double beyond = 18446744073709551616.0; /* 2^64 */
    /* cppcheck-suppress floatConversionOverflow; what is compared is what is converted */
    return value + 0.5 < beyond ? (uint64_t)(value + 0.5) : UINT64_MAX;
}

/* Of a call that took `ticks`. */
static uint64_t convert(const struct ep_correction *correction, struct ep_scale scale,
                        uint64_t ticks)
{
    uint64_t probe = correction->inside_milliticks / 1000;
    uint64_t rest = ticks > probe ? ticks - probe : 0;
    if (correction->kept == 1)
        return ep_scale_ns(scale, rest);
    return rounded(correction->kept * (double)ep_scale_ns(scale, rest));
}

/* All finished calls. */
static uint64_t finished_ns(const struct ep_figures *figures,
                            const struct ep_correction *correction, struct ep_scale scale,
                            uint64_t timed)
{
    uint64_t rest = ep_figures_take_off(figures->total_ticks, correction->inside_milliticks, timed);
    if (correction->kept == 1)
        return ep_scale_ns(scale, rest);
    return rounded(correction->kept * (double)ep_scale_ns(scale, rest));
}

static uint64_t deviation_ns(const struct ep_figures *figures,
                             const struct ep_correction *correction, struct ep_scale scale,
                             uint64_t timed)
{
    double ns_per_tick = (double)scale.ns / (double)scale.ticks;
    double ticks = ep_wide_root_of(ep_figures_around_mean(figures, timed), timed);
    return rounded(ticks * ns_per_tick * correction->kept);
}

/* All between min and max, whatever the middles of their buckets are. */
static void finish_percentiles(const struct ep_figures *figures,
                               const struct ep_histogram *histogram,
                               const struct ep_correction *correction, struct ep_scale scale,
                               struct eprof_row *row)
{
    static const unsigned per_mille[] = {500, 900, 990, 999};
    uint64_t *const fields[] = {&row->p50_ns, &row->p90_ns, &row->p99_ns, &row->p999_ns};
    uint64_t ticks[4];
    ep_histogram_percentiles(histogram, per_mille, ticks, 4);
    row->min_ns = convert(correction, scale, figures->min_ticks);
    row->max_ns = convert(correction, scale, figures->max_ticks);
    for (int i = 0; i < 4; i++) {
        if (ticks[i] <= figures->min_ticks)
            *fields[i] = row->min_ns;
        else if (ticks[i] >= figures->max_ticks)
            *fields[i] = row->max_ns;
        else
            *fields[i] = i && ticks[i] == ticks[i - 1] ? *fields[i - 1]
                                                       : convert(correction, scale, ticks[i]);
    }
}

void ep_figures_finish(const struct ep_figures *figures, const struct ep_histogram *histogram,
                       const struct ep_correction *correction, struct ep_scale scale,
                       struct eprof_row *row)
{
    row->calls = figures->calls;
    row->timed = ep_figures_timed(figures);
    row->errors = figures->errors;
    row->open = figures->open;
    row->total_ns = ep_scale_ns(scale, correction->total_ticks);
    row->self_ns = ep_scale_ns(scale, correction->self_ticks);
    if (row->timed == 0 || figures->min_ticks == UINT64_MAX)
        return;
    uint64_t ns = finished_ns(figures, correction, scale, row->timed);
    row->mean_ns = (ns + row->timed / 2) / row->timed;
    row->stddev_ns = deviation_ns(figures, correction, scale, row->timed);
    finish_percentiles(figures, histogram, correction, scale, row);
}
