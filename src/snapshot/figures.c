#include "snapshot/figures.h"

#include "base/memory.h"

const struct ep_figures ep_figures_none = {.min_ticks = UINT64_MAX};

/* ---- reading a region that its owner may be writing ---- */

/* `calls` is read first, since it is written last: the time of each counted call is there. All
 * loads are acquires, so that the generation is read after them. */
static struct ep_figures read_once(const struct ep_statistics *stats, const uint64_t *self_ticks)
{
    struct ep_figures figures = ep_figures_none;
    figures.calls = ep_load_acquire(&stats->calls);
    figures.nested = ep_load_acquire(&stats->nested);
    figures.errors = ep_load_acquire(&stats->errors);
    figures.open = ep_load_acquire(&stats->abandoned);
    figures.total = (struct ep_wide){ep_load_acquire(&stats->total_ticks), 0};
    figures.is_beyond = false;
    figures.self_ticks = self_ticks ? ep_load_acquire(self_ticks) : figures.total.low;
    figures.min_ticks = ep_load_acquire(&stats->min_ticks);
    figures.max_ticks = ep_load_acquire(&stats->max_ticks);
    uint64_t pending = ep_load_acquire(&stats->pending);
    figures.squares.low = ep_load_acquire(&stats->square_low);
    figures.squares.high = ep_load_acquire(&stats->square_high);
    if (pending)
        figures.squares = ep_wide_add(figures.squares, ep_wide_square(pending - 1));
    return figures;
}

/* Reads until no call ended and the squares had no carry meanwhile. Part of the next call may still
 * be included, so the fields differ by one call at most. A reading takes less time than a pair, so
 * few tries are needed even if calls end all the time. */
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

static const struct ep_wide beyond_all = {UINT64_MAX, UINT64_MAX};

static bool is_beyond_all(struct ep_wide sum)
{
    return (sum.low & sum.high) == UINT64_MAX;
}

/* All ones if one of them is, or the sum does not fit. */
static struct ep_wide add_below_all(struct ep_wide a, struct ep_wide b)
{
    struct ep_wide sum = ep_wide_add(a, b);
    bool is_beyond = is_beyond_all(a) || is_beyond_all(b) || ep_wide_is_less(sum, a);
    return is_beyond ? beyond_all : sum;
}

void ep_figures_add(struct ep_figures *figures, const struct ep_figures *more)
{
    figures->calls += more->calls;
    figures->nested += more->nested;
    figures->errors += more->errors;
    figures->open += more->open;
    figures->begun += more->begun;
    figures->begun_nested += more->begun_nested;
    figures->total = ep_wide_add(figures->total, more->total);
    figures->is_beyond |= more->is_beyond;
    figures->self_ticks += more->self_ticks;
    if (more->min_ticks < figures->min_ticks)
        figures->min_ticks = more->min_ticks;
    if (more->max_ticks > figures->max_ticks)
        figures->max_ticks = more->max_ticks;
    figures->squares = add_below_all(figures->squares, more->squares);
    figures->is_estimate |= more->is_estimate;
    figures->untimed += more->untimed;
    figures->untimed_nested += more->untimed_nested;
    figures->sampled += more->sampled;
    figures->represented += more->represented;
    figures->variance = add_below_all(figures->variance, more->variance);
    figures->cpu_ns = ep_saturating_add(figures->cpu_ns, more->cpu_ns);
    figures->cpu_calls += more->cpu_calls;
}

static unsigned octave_of(uint64_t ticks)
{
    return ep_histogram_bucket(ticks) / EP_OCTAVE_BUCKETS;
}

uint64_t ep_figures_add_counts(struct ep_histogram *histogram, const struct ep_image *image,
                               const struct ep_statistics *stats, const struct ep_figures *figures)
{
    uint64_t pending = ep_load_acquire(&stats->pending), total = pending != 0;
    unsigned first = octave_of(figures->min_ticks), last = octave_of(figures->max_ticks);
    for (unsigned octave = first; octave <= last; octave++) {
        ep_ref counts = ep_cell_octave(image->cells, stats, octave);
        for (unsigned step = 0; counts && step < EP_OCTAVE_BUCKETS; step++) {
            uint64_t count = ep_load_acquire(&image->cells[counts].octave.count[step]);
            total += count;
            if (histogram)
                ep_histogram_add(histogram, octave * EP_OCTAVE_BUCKETS + step, count);
        }
    }
    if (pending && histogram)
        ep_histogram_add(histogram, ep_histogram_bucket(pending - 1), 1);
    return total;
}

uint64_t *ep_figures_octave(struct ep_octaves *octaves, uint32_t *first, unsigned number)
{
    struct ep_octave *at = ep_memory_room(octaves->at, octaves->count, &octaves->room, sizeof *at);
    uint32_t *link = first;
    if (!at)
        return NULL;
    octaves->at = at;
    while (*link && at[*link - 1].number < number)
        link = &at[*link - 1].next;
    if (*link == 0 || at[*link - 1].number != number) {
        at[octaves->count] = (struct ep_octave){.number = number, .next = *link};
        *link = (uint32_t)++octaves->count;
    }
    return at[*link - 1].count;
}

/* ---- totals and squares that overflow the cells ---- */

/* Whether the sum of the times can overflow: whether the product of calls and the longest time
 * does. */
static bool may_wrap(uint64_t calls, uint64_t max_ticks)
{
    return ep_wide_multiply(calls, max_ticks).high != 0;
}

static bool may_squares_wrap(uint64_t calls, uint64_t max_ticks)
{
    struct ep_wide square = ep_wide_square(max_ticks);
    return square.high != 0 && calls > UINT64_MAX / 2 / square.high;
}

/* The total according to the histogram, which may lack calls for which there was no memory. */
static struct ep_wide total_of(const struct ep_histogram *histogram, uint64_t timed)
{
    struct ep_wide sum = {0, 0};
    for (unsigned bucket = 0; bucket < EP_BUCKETS; bucket++)
        if (histogram->counts[bucket])
            sum = ep_wide_add(
                sum, ep_wide_multiply(histogram->counts[bucket], ep_histogram_middle(bucket)));
    if (histogram->total && histogram->total < timed)
        sum = ep_wide_scale(sum, timed, histogram->total);
    return sum;
}

/* Takes the value nearest to the estimate of the histogram. */
static void unwrap_total(struct ep_figures *figures, const struct ep_histogram *histogram)
{
    enum { MOST_ROUNDS = 7 };
    struct ep_wide half = {UINT64_C(1) << 63, 0};
    struct ep_wide total = ep_wide_add(total_of(histogram, ep_figures_timed(figures)), half);
    if (!ep_wide_is_less(total, figures->total))
        figures->total.high = ep_wide_subtract(total, figures->total).high;
    figures->is_beyond = figures->total.high > MOST_ROUNDS || histogram->total == 0;
}

static __attribute__((noinline)) void
unwrap(struct ep_figures *figures, const struct ep_image *image, const struct ep_statistics *stats)
{
    struct ep_histogram histogram = {.octaves = 0};
    ep_figures_add_counts(&histogram, image, stats, figures);
    uint64_t timed = ep_figures_timed(figures);
    uint64_t calls = histogram.total > timed ? histogram.total : timed;
    if (may_wrap(calls, figures->max_ticks))
        unwrap_total(figures, &histogram);
    if (may_squares_wrap(calls, figures->max_ticks))
        figures->squares = beyond_all;
}

void ep_figures_unwrap(struct ep_figures *figures, const struct ep_image *image,
                       const struct ep_statistics *stats)
{
    /* a call may represent others, with the last of them up to a block more than there are */
    uint64_t calls = ep_wide_saturated(ep_wide_multiply(figures->calls, EP_SAMPLE_WEIGHT));
    if (figures->min_ticks <= figures->max_ticks &&
        (may_wrap(calls, figures->max_ticks) || may_squares_wrap(calls, figures->max_ticks)))
        unwrap(figures, image, stats);
}

/* ---- correction and conversion ---- */

uint64_t ep_figures_take_off(uint64_t ticks, uint64_t milliticks, uint64_t times)
{
    struct ep_wide all = {ticks, 0};
    struct ep_wide probe = ep_wide_scale((struct ep_wide){times, 0}, milliticks, 1000);
    return ep_wide_is_less(probe, all) ? ep_wide_subtract(all, probe).low : 0;
}

/*
 * sum((x - mean)^2) from sum(x) and sum(x^2) in integers, so that no digits cancel: times of 100 s
 * that vary by 10 ns are distinguished. With sum(x) = q n + r,
 * sum((x - q)^2) = sum(x^2) - q sum(x) - q r, which is r^2 / n more than the sum about the mean.
 */
struct ep_wide ep_figures_around_mean(const struct ep_figures *figures, uint64_t n)
{
    uint64_t q = ep_wide_divide(figures->total, n);
    uint64_t r = figures->total.low - q * n;
    if (ep_figures_lack_squares(figures))
        return beyond_all;
    struct ep_wide sum = ep_wide_subtract(figures->squares, ep_wide_multiply_by(figures->total, q));
    sum = ep_wide_subtract(sum, ep_wide_multiply(q, r));
    uint64_t around_q = ep_wide_divide(ep_wide_multiply(r, r), n);
    sum = ep_wide_subtract(sum, (struct ep_wide){around_q, 0});
    if (n == 1 || sum.high >> 63)
        return (struct ep_wide){0, 0}; /* negative: the fields were read one call apart */
    return sum;
}

/* `ticks` less the inner part of the probes, in thousandths of a tick. */
static struct ep_wide rest_of(struct ep_wide ticks, uint64_t inside_milliticks, uint64_t calls)
{
    struct ep_wide all = ep_wide_multiply_by(ticks, 1000);
    struct ep_wide probe = ep_wide_multiply(inside_milliticks, calls);
    return ep_wide_is_less(probe, all) ? ep_wide_subtract(all, probe) : (struct ep_wide){0, 0};
}

/*
 * Each call is shortened by the inner part of its probe, then all by the same factor, since it is
 * not known how much the probes inside added to each. So their order is kept and none becomes
 * negative. If less was subtracted from all calls than their inner parts, since some calls were
 * shorter than that, the inner part is not subtracted from each call either.
 */
struct ep_correction ep_figures_correction(const struct ep_figures *figures, struct ep_scale scale,
                                           uint64_t inside_milliticks, uint64_t measured_ticks,
                                           uint64_t total_ticks)
{
    struct ep_correction correction = {.scale = scale, .inside_milliticks = inside_milliticks};
    struct ep_wide measured = {measured_ticks, 0};
    struct ep_wide rest = rest_of(measured, inside_milliticks, ep_figures_timed(figures));
    struct ep_wide kept = ep_wide_multiply(total_ticks, 1000);
    if (ep_wide_is_less(ep_wide_add(rest, (struct ep_wide){1000, 0}), kept)) {
        correction.inside_milliticks = 0;
        rest = ep_wide_multiply(measured_ticks, 1000);
    }
    if (rest.low == kept.low && rest.high == kept.high)
        return correction;
    for (; rest.high; total_ticks >>= 1) /* with the precision of 64 bits */
        rest = (struct ep_wide){rest.low >> 1 | rest.high << 63, rest.high >> 1};
    correction.kept_ticks = total_ticks;
    correction.of_milliticks = rest.low;
    return correction;
}

struct ep_wide ep_figures_convert(const struct ep_correction *correction, struct ep_wide ticks,
                                  uint64_t calls)
{
    struct ep_scale scale = correction->scale;
    struct ep_wide milliticks = rest_of(ticks, correction->inside_milliticks, calls);
    if (correction->of_milliticks) {
        milliticks = ep_wide_multiply_by(milliticks, 1000);
        milliticks = ep_wide_scale(milliticks, correction->kept_ticks, correction->of_milliticks);
    }
    return ep_wide_scale(ep_wide_scale(milliticks, scale.ns, scale.ticks), 1, 1000);
}
/* ---- rows ---- */

/* Saturated, for the figures of a corrupt image. */
static uint64_t rounded(double value)
{
    const double beyond = 18446744073709551616.0; /* 2^64 */
    /* cppcheck-suppress floatConversionOverflow; the compared value is the converted value */
    return value + 0.5 < beyond ? (uint64_t)(value + 0.5) : UINT64_MAX;
}

uint64_t ep_figures_convert_call(const struct ep_correction *correction, uint64_t ticks)
{
    struct ep_wide one = {ticks, 0};
    return ep_wide_saturated(ep_figures_convert(correction, one, 1));
}

/* From the histogram, if the squares exceed 128 bits. */
static double variance_of(const struct ep_histogram *histogram)
{
    double sum = 0, squares = 0, calls = (double)histogram->total;
    for (unsigned bucket = 0; bucket < EP_BUCKETS; bucket++)
        sum += (double)histogram->counts[bucket] * (double)ep_histogram_middle(bucket);
    for (unsigned bucket = 0; bucket < EP_BUCKETS; bucket++) {
        double apart = (double)ep_histogram_middle(bucket) - sum / calls;
        squares += (double)histogram->counts[bucket] * apart * apart;
    }
    return calls > 0 ? squares / calls : 0;
}

/* The root of a double; libc without libm has none. */
static double root_of(double value)
{
    const double beyond = 18446744073709551616.0; /* 2^64 */
    if (value < beyond)
        /* cppcheck-suppress floatConversionOverflow; the compared value is the converted value */
        return ep_wide_root_of((struct ep_wide){(uint64_t)value, 0}, 1);
    return ep_wide_root_of((struct ep_wide){0, (uint64_t)(value / beyond)}, 1);
}

static uint64_t deviation_ns(const struct ep_figures *figures, const struct ep_histogram *histogram,
                             const struct ep_correction *correction, uint64_t timed)
{
    struct ep_scale scale = correction->scale;
    double ns_per_tick = (double)scale.ns / (double)scale.ticks, kept = 1;
    double ticks = ep_figures_lack_squares(figures)
                       ? root_of(variance_of(histogram))
                       : ep_wide_root_of(ep_figures_around_mean(figures, timed), timed);
    if (correction->of_milliticks)
        kept = (double)correction->kept_ticks / (double)correction->of_milliticks * 1000;
    return rounded(ticks * ns_per_tick * kept);
}

static uint64_t convert_within(const struct ep_figures *figures,
                               const struct ep_correction *correction, uint64_t ticks)
{
    uint64_t least_ticks = ticks < figures->max_ticks ? ticks : figures->max_ticks;
    return ep_figures_convert_call(
        correction, least_ticks > figures->min_ticks ? least_ticks : figures->min_ticks);
}

uint64_t ep_figures_convert_bucket(const struct ep_figures *figures,
                                   const struct ep_correction *correction, unsigned bucket)
{
    return convert_within(figures, correction, ep_histogram_middle(bucket));
}

static void finish_percentiles(const struct ep_figures *figures,
                               const struct ep_histogram *histogram,
                               const struct ep_correction *correction, struct eprof_row *row)
{
    static const unsigned per_mille[] = {500, 900, 990, 999};
    uint64_t *const fields[] = {&row->p50_ns, &row->p90_ns, &row->p99_ns, &row->p999_ns};
    uint64_t ticks[4];
    ep_histogram_percentiles(histogram, per_mille, ticks, 4);
    row->min_ns = ep_figures_convert_call(correction, figures->min_ticks);
    row->max_ns = ep_figures_convert_call(correction, figures->max_ticks);
    for (int i = 0; i < 4; i++)
        *fields[i] = i && ticks[i] == ticks[i - 1] ? *fields[i - 1]
                                                   : convert_within(figures, correction, ticks[i]);
}

/* Limited to min and max, since the fields may be read one call apart. The mean of an estimate may
 * have been lowered below the shortest call that was timed. */
static uint64_t mean_ns(const struct eprof_row *row, struct ep_wide finished_ns, uint64_t calls)
{
    uint64_t mean = ep_wide_divide(finished_ns, calls);
    if (mean < row->min_ns && !row->estimated)
        return row->min_ns;
    return mean < row->max_ns ? mean : row->max_ns;
}

static uint64_t rounded_up(double value)
{
    uint64_t nearest = rounded(value);
    return nearest + ((double)nearest < value);
}

/* Half of the interval that contains the true value in 95 cases of 100, of a normal distribution,
 * in standard errors. */
#define HALF_INTERVAL 1.96

uint64_t ep_figures_error_ns(double variance, struct ep_scale scale)
{
    if (variance < 0)
        return EPROF_UNKNOWN;
    return rounded_up(HALF_INTERVAL * root_of(variance) * (double)scale.ns / (double)scale.ticks);
}

static void set_errors(const struct ep_figures *figures, const struct ep_correction *correction,
                       struct eprof_row *row)
{
    uint64_t calls = ep_figures_timed(figures);
    row->mean_error_ns = row->total_error_ns = figures->is_estimate ? EPROF_UNKNOWN : 0;
    if (is_beyond_all(figures->variance) || !figures->is_estimate || !calls)
        return;
    double error_ns = HALF_INTERVAL * ep_wide_root_of(figures->variance, 1) *
                      (double)correction->scale.ns / (double)correction->scale.ticks;
    if (correction->of_milliticks)
        error_ns *= (double)correction->kept_ticks / (double)correction->of_milliticks * 1000;
    row->total_error_ns = rounded_up(error_ns);
    row->mean_error_ns = rounded_up(error_ns / (double)calls);
}

void ep_figures_finish(const struct ep_figures *figures, const struct ep_histogram *histogram,
                       const struct ep_correction *correction, struct ep_wide finished_ns,
                       struct eprof_row *row)
{
    row->calls = figures->calls + figures->begun;
    row->outermost = ep_figures_outermost(figures) + figures->begun - figures->begun_nested;
    row->timed = ep_figures_timed(figures);
    row->timed -= figures->untimed < row->timed ? figures->untimed : row->timed;
    row->errors = figures->errors;
    row->open = figures->open;
    row->estimated = figures->is_estimate;
    set_errors(figures, correction, row);
    if (row->timed == 0 || figures->min_ticks == UINT64_MAX)
        return;
    row->stddev_ns = deviation_ns(figures, histogram, correction, ep_figures_timed(figures));
    finish_percentiles(figures, histogram, correction, row);
    row->mean_ns = mean_ns(row, finished_ns, ep_figures_timed(figures));
}

/* ---- processor time ---- */

uint64_t ep_figures_cpu_ns(const struct ep_figures *figures, uint64_t probes_ns)
{
    return figures->cpu_ns > probes_ns ? figures->cpu_ns - probes_ns : 0;
}

/* Not above the total: probes are subtracted by what they cost on the average. */
void ep_figures_set_cpu(const struct ep_figures *figures, const struct ep_conversion *conversion,
                        uint64_t cpu_ns, uint64_t calls, struct eprof_row *row)
{
    struct ep_scale to_ticks = {.ns = conversion->cpu_scale.ticks,
                                .ticks = conversion->cpu_scale.ns};
    if (!conversion->has_cpu || !calls || figures->cpu_calls < calls)
        return;
    row->cpu_ns = conversion->is_in_ticks ? ep_wide_scale_ns(to_ticks, cpu_ns) : cpu_ns;
    if (row->cpu_ns > row->total_ns)
        row->cpu_ns = row->total_ns;
    row->wait_ns = row->total_ns - row->cpu_ns;
}

/* ---- the distribution of times ---- */

/* Rounded up, so that a single call among millions is visible. */
static uint8_t height_of(uint64_t count, uint64_t most)
{
    return (uint8_t)((double)count / (double)most * (EP_SPARKLINE_HIGHEST - 1) + 1);
}

struct ep_sparkline ep_figures_sparkline(const struct ep_histogram *histogram)
{
    unsigned first = 0, last = EP_BUCKETS;
    uint64_t counts[EP_SPARKLINE_COLUMNS] = {0}, most = 0;
    while (first < last && histogram->counts[first] == 0)
        first++;
    while (last > first && histogram->counts[last - 1] == 0)
        last--;
    unsigned count = last - first;
    unsigned columns = count < EP_SPARKLINE_COLUMNS ? count : EP_SPARKLINE_COLUMNS;
    struct ep_sparkline sparkline = {.columns = (uint8_t)columns};
    for (unsigned i = 0; i < count; i++)
        counts[i * columns / count] += histogram->counts[first + i];
    for (unsigned i = 0; i < columns; i++)
        most = counts[i] > most ? counts[i] : most;
    for (unsigned i = 0; i < columns; i++)
        sparkline.heights[i] = counts[i] ? height_of(counts[i], most) : 0;
    return sparkline;
}
