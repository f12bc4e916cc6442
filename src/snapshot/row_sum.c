#include "snapshot/row_sum.h"

#include "base/wide.h"
#include "snapshot/series.h"

/* A position that was never timed has no shortest time. */
static void add_row(struct eprof_row *sum, const struct eprof_row *row)
{
    uint64_t *const longest[] = {&sum->max_ns, &sum->p50_ns, &sum->p90_ns, &sum->p99_ns,
                                 &sum->p999_ns};
    const uint64_t longer[] = {row->max_ns, row->p50_ns, row->p90_ns, row->p99_ns, row->p999_ns};
    struct eprof_row more = *row;
    if (row->timed > 0 && (sum->timed == 0 || row->min_ns < sum->min_ns))
        sum->min_ns = row->min_ns;
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++)
        if (*longest[i] < longer[i])
            *longest[i] = longer[i];
    for (int i = 0; i < EP_SERIES_FIGURES; i++) { /* a sum with an unknown figure is unknown */
        uint64_t *figure = ep_series_figure(sum, i);
        *figure = ep_saturating_add(*figure, *ep_series_figure(&more, i));
    }
    sum->outermost = ep_saturating_add(sum->outermost, row->outermost);
    sum->estimated |= row->estimated;
}

/* The calls that the total of a row is of. */
static uint64_t calls_of(const struct eprof_row *row)
{
    return row->estimated ? row->outermost : row->timed;
}

static uint64_t distance(uint64_t a, uint64_t b, bool is_signed)
{
    bool is_larger = is_signed ? (int64_t)a > (int64_t)b : a > b;
    return is_larger ? a - b : b - a;
}

/* Sets the deviation of all calls, whose mean is set: the variance of each position and the squared
 * distance of its mean from the common mean are added. */
static void set_deviation(struct eprof_row *sum, const struct ep_row_sum_part *parts, size_t count,
                          uint64_t calls, bool is_signed)
{
    struct ep_wide squares = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const struct eprof_row *row = parts[i].row;
        uint64_t off = distance(row->mean_ns, sum->mean_ns, is_signed);
        struct ep_wide square = ep_wide_add(ep_wide_square(row->stddev_ns), ep_wide_square(off));
        squares = ep_wide_add(squares, ep_wide_multiply_by(square, calls_of(row)));
    }
    double root = ep_wide_root_of(squares, calls);
    /* in a damaged file it may exceed 64 bits */
    sum->stddev_ns = root < (double)UINT64_MAX ? (uint64_t)(root + 0.5) : UINT64_MAX;
}

static void set_mean(struct eprof_row *sum, const struct ep_row_sum_part *parts, size_t count)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < count; i++)
        calls = ep_saturating_add(calls, calls_of(parts[i].row));
    if (calls == 0)
        return;
    struct ep_wide total = {calls / 2, 0};
    for (size_t i = 0; i < count; i++)
        total = ep_wide_add(total, ep_wide_multiply(parts[i].row->mean_ns, calls_of(parts[i].row)));
    sum->mean_ns = ep_wide_divide(total, calls);
    set_deviation(sum, parts, count, calls, false);
}

/* The calls of each position were drawn independently, so the squares of the errors are added. */
static void set_errors(struct eprof_row *sum, const struct ep_row_sum_part *parts, size_t count)
{
    const double almost_one = 0.999999; /* the root is not exact */
    struct ep_wide squares = {0, 0};
    bool is_known = true;
    for (size_t i = 0; i < count; i++) {
        is_known &= parts[i].row->total_error_ns != EPROF_UNKNOWN;
        squares = ep_wide_add(squares, ep_wide_square(parts[i].row->total_error_ns));
    }
    double root = ep_wide_root_of(squares, 1) + almost_one;
    is_known &= root < (double)UINT64_MAX;
    sum->mean_error_ns = sum->total_error_ns = sum->estimated ? EPROF_UNKNOWN : 0;
    if (!sum->estimated || !is_known || sum->outermost == 0)
        return;
    sum->total_error_ns = (uint64_t)root;
    sum->mean_error_ns =
        sum->total_error_ns / sum->outermost + (sum->total_error_ns % sum->outermost != 0);
}

/* ---- values ---- */

static void add_signed(uint64_t *sum, uint64_t more)
{
    int64_t result;
    if (__builtin_add_overflow((int64_t)*sum, (int64_t)more, &result))
        result = (int64_t)more < 0 ? INT64_MIN : INT64_MAX;
    *sum = (uint64_t)result;
}

/* Figures of values are signed. The percentiles stay those of the first row. */
static struct eprof_row sum_of_values(const struct ep_row_sum_part *parts, size_t count)
{
    struct eprof_row sum = *parts[0].row;
    sum.path = NULL;
    for (size_t i = 1; i < count; i++) {
        const struct eprof_row *row = parts[i].row;
        sum.calls = ep_saturating_add(sum.calls, row->calls);
        sum.timed = ep_saturating_add(sum.timed, row->timed);
        sum.outermost = ep_saturating_add(sum.outermost, row->outermost);
        add_signed(&sum.total_ns, row->total_ns);
        if ((int64_t)row->min_ns < (int64_t)sum.min_ns)
            sum.min_ns = row->min_ns;
        if ((int64_t)row->max_ns > (int64_t)sum.max_ns)
            sum.max_ns = row->max_ns;
    }
    uint64_t calls = sum.calls < INT64_MAX ? sum.calls : INT64_MAX;
    if (count == 1 || calls == 0)
        return sum;
    sum.mean_ns = (uint64_t)((int64_t)sum.total_ns / (int64_t)calls);
    set_deviation(&sum, parts, count, calls, true);
    sum.per_second = EPROF_UNKNOWN;
    return sum;
}

struct eprof_row ep_row_sum_of(const struct ep_row_sum_part *parts, size_t count)
{
    struct eprof_row sum = *parts[0].row;
    if (ep_columns_is_of_values(parts[0].row))
        return sum_of_values(parts, count);
    sum.path = NULL;
    for (size_t i = 1; i < count; i++)
        add_row(&sum, parts[i].row);
    if (count > 1) {
        set_mean(&sum, parts, count);
        set_errors(&sum, parts, count);
        sum.per_second = EPROF_UNKNOWN;
        ep_rows_without_processes(&sum);
    }
    return sum;
}

void ep_row_sum_add_mark(struct ep_site_mark *mark, const struct ep_site_mark *more)
{
    mark->is_sampled |= more->is_sampled;
    mark->is_self_rest |= more->is_self_rest;
    mark->self_error_ns = ep_saturating_add(mark->self_error_ns, more->self_error_ns);
    mark->overhead_ns = ep_saturating_add(mark->overhead_ns, more->overhead_ns);
    mark->uncounted = ep_saturating_add(mark->uncounted, more->uncounted);
}
