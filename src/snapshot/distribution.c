#include "snapshot/distribution.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/figures.h"
#include "snapshot/making.h"
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

static struct ep_distribution *make(const struct eprof_row *row,
                                    const struct ep_histogram *histogram,
                                    const struct ep_correction *correction)
{
    size_t count = 0;
    for (unsigned bucket = 0; bucket < EP_BUCKETS; bucket++)
        count += histogram->counts[bucket] > 0;
    struct ep_distribution *made = malloc(sizeof *made + count * sizeof *made->pieces);
    if (!made)
        return NULL;
    made->count = 0;
    for (unsigned bucket = 0; bucket < EP_BUCKETS; bucket++)
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
    struct ep_distribution *made = make(row, histogram, correction);
    if (!made)
        return false;
    made->next = snapshot->distributions;
    snapshot->distributions = made;
    distribution->whole = made;
    return true;
}

void ep_distribution_free(struct ep_distribution *newest)
{
    for (struct ep_distribution *next; newest; newest = next) {
        next = newest->next;
        free(newest);
    }
}

/* ---- all rows of the region ---- */

/* NULL: a row of another region. */
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

static void collect(struct ep_distribution_sum *sum, const struct eprof_snapshot *snapshot,
                    struct ep_row_sum_part *parts)
{
    for (size_t row = 0; row < snapshot->diagnostic_first; row++) {
        const struct ep_distribution *one = distribution_of(snapshot, row);
        if (!one)
            continue;
        parts[sum->row_count++].row = &snapshot->rows[row];
        memcpy(&sum->pieces[sum->count], one->pieces, one->count * sizeof *one->pieces);
        sum->count += one->count;
    }
    for (size_t i = 0; i < sum->count; i++)
        sum->calls = ep_saturating_add(sum->calls, sum->pieces[i].calls);
    if (sum->count)
        qsort(sum->pieces, sum->count, sizeof *sum->pieces, by_middle);
    sum->row = ep_row_sum_of(parts, sum->row_count);
}

int ep_distribution_sum_make(struct ep_distribution_sum *sum, const struct eprof_snapshot *snapshot)
{
    size_t rows = 0, pieces = 0;
    for (size_t row = 0; row < snapshot->diagnostic_first; row++) {
        const struct ep_distribution *one = distribution_of(snapshot, row);
        rows += one != NULL;
        pieces += one ? one->count : 0;
    }
    struct ep_row_sum_part *parts = calloc(rows + 1, sizeof *parts);
    *sum = (struct ep_distribution_sum){.pieces = malloc((pieces + 1) * sizeof *sum->pieces)};
    if (parts && sum->pieces && rows)
        collect(sum, snapshot, parts);
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
    return sum->row.max_ns;
}
