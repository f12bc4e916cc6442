/*
 * monotonic.h - figures that never fall between two reports of a series
 *
 * Figures may become lower without a reset: the length of a tick and the probe's cost become known
 * better; estimates inside a region are subtracted from its self time; an instance was freed. A
 * reader that keeps figures over time takes such a fall for a restart of the program. So the
 * highest value of each row is remembered, and for each series the sum over all its rows, including
 * those that are gone.
 *
 * A row is the same row as long as it has the same thread and the same use of an instance's slot.
 * The figures of a later row of the same name are added.
 */
#ifndef EP_SNAPSHOT_MONOTONIC_H
#define EP_SNAPSHOT_MONOTONIC_H

#include <stdio.h>

#include "base/hash.h"
#include "snapshot/snapshot.h"

/* A row that was in none of so many snapshots is forgotten, since a program may create labels for
 * ever. A reader considers a series that was absent so long as ended. If more rows are gone, those
 * that are gone for longest are forgotten earlier: each takes 280 bytes, and a program may allocate
 * and free thousands of instances between two snapshots. */
enum { EP_MONOTONIC_SNAPSHOTS = 1000, EP_MONOTONIC_GONE = 4096 };

/* All zero: nothing was reported. */
struct ep_monotonic {
    uint64_t epoch;
    uint64_t snapshots;                /* reported so far */
    size_t kept;                       /* marks after old ones were forgotten last */
    struct ep_fingerprint_table marks; /* of rows and of series */
};

/* Raises figures of the rows so that no series has less than in an earlier snapshot of this epoch.
 * With another epoch, the earlier snapshots are forgotten. 0; -1 and ENOMEM, and the rows are
 * unchanged. */
int ep_monotonic_raise(struct ep_monotonic *monotonic, uint64_t epoch,
                       struct eprof_snapshot *snapshot);

/* For a reader that keeps what it has reported in a file, which is its own. 0, or -1 and errno:
 * when reading EINVAL, and nothing is to be freed. */
int ep_monotonic_write(const struct ep_monotonic *monotonic, FILE *to);
int ep_monotonic_read(struct ep_monotonic *monotonic, FILE *from);
void ep_monotonic_free(struct ep_monotonic *monotonic);

#endif /* EP_SNAPSHOT_MONOTONIC_H */
