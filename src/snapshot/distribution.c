#include "snapshot/distribution.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/figures.h"
#include "snapshot/making.h"
#include "snapshot/regions.h"
#include "snapshot/row_sum.h"

/* ---- one row ---- */

static uint64_t between(uint64_t value, uint64_t least, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* No call took less than the shortest one or more than the longest one. */
static struct ep_distribution_piece piece_of(const struct eprof_row *row,
                                             const struct ep_histogram *histogram, unsigned bucket,
                                             const struct ep_correction *correction)
{
    uint64_t lower = ep_histogram_lower(bucket), middle = ep_histogram_middle(bucket);
    uint64_t upper = bucket + 1 < EP_BUCKETS ? ep_histogram_lower(bucket + 1) : UINT64_MAX;
    uint64_t beyond_ns = ep_saturating_add(row->max_ns, 1);
    struct ep_distribution_piece piece = {
        .lower_ns = between(ep_figures_convert_call(correction, lower), row->min_ns, row->max_ns),
        .middle_ns = between(ep_figures_convert_call(correction, middle), row->min_ns, row->max_ns),
        .calls = histogram->counts[bucket]};
    piece.upper_ns = between(ep_figures_convert_call(correction, upper),
                             ep_saturating_add(piece.lower_ns, 1), beyond_ns);
    return piece;
}

static size_t count_pieces(const struct ep_histogram *histogram)
{
    size_t count = 0;
    for (unsigned bucket = 0; bucket < EP_BUCKETS; bucket++)
        count += histogram->counts[bucket] > 0;
    return count;
}

/* NULL: no memory. */
static struct ep_distribution *add(struct eprof_snapshot *snapshot, size_t count)
{
    struct ep_distribution *made = malloc(sizeof *made + count * sizeof *made->pieces);
    if (!made)
        return NULL;
    made->count = 0;
    made->next = snapshot->distributions;
    snapshot->distributions = made;
    return made;
}

static struct ep_distribution *make(struct eprof_snapshot *snapshot, const struct eprof_row *row,
                                    const struct ep_histogram *histogram,
                                    const struct ep_correction *correction)
{
    struct ep_distribution *made = add(snapshot, count_pieces(histogram));
    for (unsigned bucket = 0; made && bucket < EP_BUCKETS; bucket++)
        if (histogram->counts[bucket] > 0)
            made->pieces[made->count++] = piece_of(row, histogram, bucket, correction);
    return made;
}

_Static_assert(_Alignof(struct ep_sparkline) == 1, "a sparkline is stored as a text");

bool ep_distribution_set(struct eprof_snapshot *snapshot, const struct eprof_row *row,
                         const struct ep_histogram *histogram,
                         const struct ep_correction *correction,
                         union ep_row_distribution *distribution)
{
    distribution->sparkline = NULL;
    if (snapshot->options.sparklines) {
        struct ep_sparkline made = ep_figures_sparkline(histogram);
        const char *text = ep_rows_text(snapshot, (const char *)&made, sizeof made);
        distribution->sparkline = (const struct ep_sparkline *)text;
        return text != NULL;
    }
    if (!snapshot->options.histogram_of || !ep_rows_is_called(row, snapshot->options.histogram_of))
        return true;
    distribution->whole = make(snapshot, row, histogram, correction);
    return distribution->whole != NULL;
}

/* ---- values ---- */

static uint64_t biased(uint64_t value)
{
    return value + EP_DISTRIBUTION_ZERO;
}

/* No value is less than the least one or more than the largest one. */
static struct ep_distribution_piece
piece_of_value(const struct eprof_row *row, const struct ep_histogram *histogram, unsigned bucket,
               const struct ep_correction *correction, bool is_negative)
{
    uint64_t min = biased(row->min_ns), max = biased(row->max_ns), most = UINT64_MAX >> 1;
    uint64_t lower = ep_figures_convert_call(correction, ep_histogram_lower(bucket));
    uint64_t middle = ep_figures_convert_call(correction, ep_histogram_middle(bucket));
    uint64_t upper = bucket + 1 < EP_BUCKETS
                         ? ep_figures_convert_call(correction, ep_histogram_lower(bucket + 1))
                         : most;
    lower = between(lower, 0, most);
    middle = between(middle, 0, most);
    upper = between(upper, lower + 1, most);
    struct ep_distribution_piece piece = {.lower_ns = biased(lower),
                                          .middle_ns = biased(middle),
                                          .upper_ns = biased(upper),
                                          .calls = histogram->counts[bucket]};
    if (is_negative) {
        piece.lower_ns = biased(1 - upper);
        piece.middle_ns = biased(0 - middle);
        piece.upper_ns = biased(1 - lower);
    }
    piece.lower_ns = between(piece.lower_ns, min, max);
    piece.middle_ns = between(piece.middle_ns, min, max);
    piece.upper_ns =
        between(piece.upper_ns, ep_saturating_add(piece.lower_ns, 1), ep_saturating_add(max, 1));
    return piece;
}

bool ep_distribution_set_of_value(struct eprof_snapshot *snapshot, const struct eprof_row *row,
                                  const struct ep_histogram *positive,
                                  const struct ep_histogram *negative,
                                  const struct ep_correction *correction)
{
    const struct ep_histogram *const sides[] = {positive, negative};
    if (!snapshot->options.histogram_of || !ep_rows_is_called(row, snapshot->options.histogram_of))
        return true;
    struct ep_distribution *made = add(snapshot, count_pieces(positive) + count_pieces(negative));
    for (int side = 0; made && side < 2; side++)
        for (unsigned bucket = 0; bucket < EP_BUCKETS; bucket++)
            if (sides[side]->counts[bucket] > 0)
                made->pieces[made->count++] =
                    piece_of_value(row, sides[side], bucket, correction, side == 1);
    snapshot->value_marks[snapshot->value_count - 1].distribution = made;
    return made != NULL;
}

void ep_distribution_free(struct ep_distribution *newest)
{
    for (struct ep_distribution *next; newest; newest = next) {
        next = newest->next;
        free(newest);
    }
}

/* ---- all rows of a region ---- */

/* NULL: no row of the region that was asked for. */
static const struct ep_distribution *distribution_of(const struct eprof_snapshot *snapshot,
                                                     size_t row)
{
    return row < snapshot->scope_first ? snapshot->instance_slots[row].distribution.whole
                                       : ep_rows_position(snapshot, row)->distribution.whole;
}

static int by_middle(const void *a, const void *b)
{
    const struct ep_distribution_piece *x = a, *y = b;
    return (x->middle_ns > y->middle_ns) - (x->middle_ns < y->middle_ns);
}

static void add_row(struct ep_distribution_sum *sum, struct ep_row_sum_part *parts,
                    const struct eprof_row *row, const struct ep_distribution *distribution)
{
    parts[sum->row_count++].row = row;
    memcpy(&sum->pieces[sum->count], distribution->pieces,
           distribution->count * sizeof *distribution->pieces);
    sum->count += distribution->count;
}

static bool is_of(const struct eprof_row *row, const struct ep_distribution *distribution,
                  const struct eprof_row *region)
{
    return distribution && ep_regions_are_one(row, region);
}

static void collect(struct ep_distribution_sum *sum, const struct eprof_snapshot *snapshot,
                    const struct eprof_row *region, struct ep_row_sum_part *parts)
{
    for (size_t row = 0; row < snapshot->diagnostic_first; row++)
        if (is_of(&snapshot->rows[row], distribution_of(snapshot, row), region))
            add_row(sum, parts, &snapshot->rows[row], distribution_of(snapshot, row));
    for (size_t i = 0; i < snapshot->value_count; i++)
        if (is_of(&snapshot->values[i], snapshot->value_marks[i].distribution, region))
            add_row(sum, parts, &snapshot->values[i], snapshot->value_marks[i].distribution);
    for (size_t i = 0; i < sum->count; i++)
        sum->calls = ep_saturating_add(sum->calls, sum->pieces[i].calls);
    if (sum->count)
        qsort(sum->pieces, sum->count, sizeof *sum->pieces, by_middle);
    sum->row = ep_row_sum_of(parts, sum->row_count);
}

/* How many rows there are, and how many pieces they have. */
static void count(const struct eprof_snapshot *snapshot, const struct eprof_row *region,
                  size_t *rows, size_t *pieces)
{
    *rows = *pieces = 0;
    for (size_t row = 0; row < snapshot->diagnostic_first; row++)
        if (is_of(&snapshot->rows[row], distribution_of(snapshot, row), region)) {
            ++*rows;
            *pieces += distribution_of(snapshot, row)->count;
        }
    for (size_t i = 0; i < snapshot->value_count; i++)
        if (is_of(&snapshot->values[i], snapshot->value_marks[i].distribution, region)) {
            ++*rows;
            *pieces += snapshot->value_marks[i].distribution->count;
        }
}

int ep_distribution_sum_make(struct ep_distribution_sum *sum, const struct eprof_snapshot *snapshot,
                             const struct eprof_row *region)
{
    size_t rows, pieces;
    count(snapshot, region, &rows, &pieces);
    struct ep_row_sum_part *parts = calloc(rows + 1, sizeof *parts);
    *sum = (struct ep_distribution_sum){
        .pieces = malloc((pieces + 1) * sizeof *sum->pieces),
        .zero = ep_columns_is_of_values(region) ? EP_DISTRIBUTION_ZERO : 0};
    if (parts && sum->pieces && rows)
        collect(sum, snapshot, region, parts);
    free(parts);
    errno = ENOMEM;
    return sum->row_count ? 0 : -1;
}

void ep_distribution_sum_free(struct ep_distribution_sum *sum)
{
    free(sum->pieces);
}

uint64_t ep_distribution_sum_below(const struct ep_distribution_sum *sum, uint64_t ns)
{
    double calls = 0.5;
    for (size_t i = 0; i < sum->count; i++) {
        const struct ep_distribution_piece *piece = &sum->pieces[i];
        double wide_ns = (double)(piece->upper_ns - piece->lower_ns);
        if (ns >= piece->upper_ns)
            calls += (double)piece->calls;
        else if (ns > piece->lower_ns)
            calls += (double)piece->calls * (double)(ns - piece->lower_ns) / wide_ns;
    }
    /* in a damaged file it may exceed 64 bits */
    return calls < (double)UINT64_MAX ? (uint64_t)calls : UINT64_MAX;
}

uint64_t ep_distribution_sum_percentile(const struct ep_distribution_sum *sum, unsigned per_mille)
{
    uint64_t rank = ep_histogram_rank(sum->calls, per_mille), below = 0;
    for (size_t i = 0; i < sum->count; i++) {
        if (rank - below <= sum->pieces[i].calls)
            return sum->pieces[i].middle_ns;
        below += sum->pieces[i].calls;
    }
    return sum->row.max_ns + sum->zero;
}
