/*
 * figures.h - from the cells of a region to the figures of a row
 *
 * The same for the cells of an instance and for the nodes of the call tree: summed over threads in
 * ticks, then corrected for the probe's cost and converted once.
 */
#ifndef EP_SNAPSHOT_FIGURES_H
#define EP_SNAPSHOT_FIGURES_H

#include "base/wide.h"
#include "image/image.h"
#include "snapshot/snapshot.h"

/* The figures of finished calls; only `open` counts unfinished ones. Some of these are `begun`:
 * they are under a budget, and a row adds them to its calls. */
struct ep_figures {
    uint64_t calls, nested, errors, open;
    uint64_t begun, begun_nested;
    uint64_t self_ticks, min_ticks, max_ticks;
    struct ep_wide total;   /* ticks */
    struct ep_wide squares; /* all ones: 2^128 or more */
    bool is_beyond;         /* `total` is not known exactly: it is more than 2^67 */
    /* under a budget: the figures above are estimates that represent all calls */
    bool is_estimate;
    uint64_t untimed;        /* outermost calls that were not timed */
    uint64_t untimed_nested; /* nested calls that were not timed */
    /* timed calls that represent more than themselves, and all calls of which they are a sample */
    uint64_t sampled, represented;
    struct ep_wide variance; /* of the total, in ticks^2; all ones: unknown */
    /* the processor time as measured of so many calls: of those that the total is of, or fewer */
    uint64_t cpu_ns, cpu_calls;
};

/* The figures of no call. */
extern const struct ep_figures ep_figures_none;

/* Whether the cells belong to the present use of the instance's slot, after the last reset. */
bool ep_snapshot_instances_is_valid(const struct ep_image *image,
                                    const struct ep_instance_cells *cells,
                                    const struct ep_instance_cell *instance);
/* Reads these cells and unwraps the figures; open pairs are included. */
struct ep_figures ep_snapshot_instances_read(const struct ep_image *image,
                                             const struct ep_instance_cells *cells);

/* The processor time of an instance without probes, in ns. */
uint64_t ep_snapshot_instances_cpu_ns(const struct ep_figures *figures,
                                      const struct ep_conversion *conversion);

/* What the probes of an instance cost. */
uint64_t ep_snapshot_instances_probe_milliticks(const struct ep_figures *figures,
                                                const struct ep_conversion *conversion);

/*
 * The cells of a region at one moment, except possibly for one call that ends meanwhile. The caller
 * compares the generation before and after: the owner may clear the cells meanwhile. `open` is the
 * number of abandoned calls. self_ticks NULL: no region is inside, so all time is self time. Self
 * time may be negative, in two's complement.
 */
struct ep_figures ep_figures_read(const struct ep_statistics *stats, const uint64_t *self_ticks);
void ep_figures_add(struct ep_figures *figures, const struct ep_figures *more);

/*
 * Restores the high part of the total, which the cells have modulo 2^64 (spans may overlap, and a
 * tick may be a femtosecond), and detects squares of 2^128 or more. The number of overflows follows
 * from the histogram, whose estimate of the total is off by less than half of 2^64 up to 2^67. To
 * be called with what was read, before it is used.
 */
void ep_figures_unwrap(struct ep_figures *figures, const struct ep_image *image,
                       const struct ep_statistics *stats);

/* Adds the histogram of a region, including its pending call, and returns the number of calls in
 * it. Reads only the octaves between the shortest and the longest time of `figures`. `histogram`
 * may be NULL, since it takes a third of the smallest stack of a thread. */
uint64_t ep_figures_add_counts(struct ep_histogram *histogram, const struct ep_image *image,
                               const struct ep_statistics *stats, const struct ep_figures *figures);

/* The counts of one octave of a sum. Most sums have one or two of them: a whole histogram for each
 * would take more memory than all else. */
struct ep_octave {
    uint64_t count[EP_OCTAVE_BUCKETS];
    uint32_t number;
    uint32_t next; /* of the same sum, with a higher number: its index + 1; 0: none */
};

/* The octaves of many sums. All zero: empty. */
struct ep_octaves {
    struct ep_octave *at;
    size_t count, room;
};

/* The counts of an octave of a sum; those of a new one are 0. *first: the index + 1 of its first
 * octave; 0: none yet. NULL: no memory. */
uint64_t *ep_figures_octave(struct ep_octaves *octaves, uint32_t *first, unsigned number);

/* Calls that were not inside another call of their region. */
EP_INLINE uint64_t ep_figures_outermost(const struct ep_figures *figures)
{
    return figures->calls > figures->nested ? figures->calls - figures->nested : 0;
}

/* Calls whose time counts; under a budget, those that the timed ones represent. */
EP_INLINE uint64_t ep_figures_timed(const struct ep_figures *figures)
{
    uint64_t untimed = figures->nested + figures->errors;
    return figures->calls > untimed ? figures->calls - untimed : 0;
}

/* The processor time in ns, less what probes took of it. */
uint64_t ep_figures_cpu_ns(const struct ep_figures *figures, uint64_t probes_ns);

/* Sets the processor time of a row, whose total is set, and the time that is left for waiting. They
 * stay unknown unless processor time was read in all of the `calls` calls that the total is of, or
 * if there are none. */
void ep_figures_set_cpu(const struct ep_figures *figures, const struct ep_conversion *conversion,
                        uint64_t cpu_ns, uint64_t calls, struct eprof_row *row);

/* Whether the squares are 2^128 or more. */
EP_INLINE bool ep_figures_lack_squares(const struct ep_figures *figures)
{
    return (figures->squares.low & figures->squares.high) == UINT64_MAX;
}

/* The sum of the squared deviations from the mean of n timed calls. */
struct ep_wide ep_figures_around_mean(const struct ep_figures *figures, uint64_t n);

/* The correction and conversion of each call's time, the same for all: their order is kept. */
struct ep_correction {
    struct ep_scale scale;
    uint64_t inside_milliticks;         /* is subtracted from each timed call; */
    uint64_t kept_ticks, of_milliticks; /* the rest is multiplied by kept / of; of is 0: by 1 */
};

/* `ticks` less `times` times so many thousandths of a tick; at least 0. */
uint64_t ep_figures_take_off(uint64_t ticks, uint64_t milliticks, uint64_t times);

/* The correction for calls whose time, including that of open calls, is `measured_ticks` as
 * measured and `total_ticks` without probes. */
struct ep_correction ep_figures_correction(const struct ep_figures *figures, struct ep_scale scale,
                                           uint64_t inside_milliticks, uint64_t measured_ticks,
                                           uint64_t total_ticks);

/* The time in ns of `calls` calls that took `ticks` together, rounded down. */
struct ep_wide ep_figures_convert(const struct ep_correction *correction, struct ep_wide ticks,
                                  uint64_t calls);

/* The same for one call. */
uint64_t ep_figures_convert_call(const struct ep_correction *correction, uint64_t ticks);

/* The time of the calls in a bucket: its middle, limited to min and max, outside of which it may
 * lie. */
uint64_t ep_figures_convert_bucket(const struct ep_figures *figures,
                                   const struct ep_correction *correction, unsigned bucket);

/* Sets the durations and counts of `row`, whose total and self time are set. `finished_ns` is the
 * part of the total that belongs to finished calls. `is_estimate`: only a part of the calls was
 * timed; the errors are not known then. */
void ep_figures_finish(const struct ep_figures *figures, const struct ep_histogram *histogram,
                       const struct ep_correction *correction, struct ep_wide finished_ns,
                       struct eprof_row *row);

/* Half of the 95 % interval of a time with this variance, in ticks^2, rounded up; EPROF_UNKNOWN if
 * the variance is negative. */
uint64_t ep_figures_error_ns(double variance, struct ep_scale scale);

#endif /* EP_SNAPSHOT_FIGURES_H */
