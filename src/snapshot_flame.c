#include "snapshot_flame.h"

#include <errno.h>
#include <stdlib.h>

/* What is worked with while the boxes are made. */
struct making {
    const struct eprof_snapshot *snapshot;
    const struct ep_part *part;
    const uint64_t *wide_ns; /* by row, from part->first on */
    uint64_t narrowest_ns;
    size_t levels;
};

static const struct ep_tree_place *place_of(const struct eprof_snapshot *snapshot, size_t row)
{
    return &snapshot->places[row - snapshot->scope_first];
}

/* What is around what a view asked for was not asked for. */
static uint64_t own_of(const struct eprof_snapshot *snapshot, size_t row, unsigned halvings)
{
    return place_of(snapshot, row)->is_around ? 0 : snapshot->rows[row].self_ns >> halvings;
}

/* A damaged image may have times that no sum holds; halved so often, it does. */
static unsigned find_halvings(const struct eprof_snapshot *snapshot, const struct ep_part *part)
{
    unsigned halvings = 0;
    uint64_t sum_ns = 0;
    for (size_t row = part->first; row < part->end; row++)
        if (__builtin_add_overflow(sum_ns, own_of(snapshot, row, halvings), &sum_ns)) {
            halvings++;
            sum_ns = 0;
            row = part->first - 1;
        }
    return halvings;
}

/* Children stand behind their parents. Returns the width of the whole. */
static uint64_t find_widths(const struct eprof_snapshot *snapshot, const struct ep_part *part,
                            uint64_t *wide_ns)
{
    unsigned halvings = find_halvings(snapshot, part);
    uint64_t whole_ns = 0;
    for (size_t row = part->end; row-- > part->first;) {
        size_t parent = place_of(snapshot, row)->parent;
        uint64_t *own_ns = &wide_ns[row - part->first];
        *own_ns += own_of(snapshot, row, halvings);
        if (parent == SIZE_MAX)
            whole_ns += *own_ns;
        else
            wide_ns[parent - part->first] += *own_ns;
    }
    return whole_ns;
}

/* No box is wider than the one that it stands in: below a row that has none, none has. */
static bool has_box(const struct making *making, size_t row)
{
    return making->wide_ns[row - making->part->first] >= making->narrowest_ns &&
           place_of(making->snapshot, row)->depth < making->levels;
}

/* Of rows that have a box; `found_ns` may be NULL. Returns how many there are. */
static size_t find_boxes(const struct making *making, uint64_t *found_ns)
{
    size_t count = 0;
    for (size_t row = making->part->first; row < making->part->end;) {
        if (!has_box(making, row)) {
            row = place_of(making->snapshot, row)->end;
            continue;
        }
        if (found_ns)
            found_ns[count] = making->wide_ns[row - making->part->first];
        count++;
        row++;
    }
    return count;
}

/* Rounded up; not 0, since what has no width has no box. */
static uint64_t least_of(double part, uint64_t whole_ns)
{
    double ns = part * (double)whole_ns;
    uint64_t down_ns = (uint64_t)ns;
    return down_ns + (down_ns == 0 || ns > (double)down_ns);
}

static int widest_first(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* Each box has to be wider than the first that is too many. */
static int keep_widest(struct making *making, size_t count, size_t most)
{
    uint64_t *found_ns = malloc(count * sizeof *found_ns);
    if (!found_ns)
        return -1;
    find_boxes(making, found_ns);
    qsort(found_ns, count, sizeof *found_ns, widest_first);
    making->narrowest_ns = found_ns[most] + 1;
    free(found_ns);
    return 0;
}

static void put_box(struct ep_flame *flame, struct ep_flame_box box)
{
    flame->boxes[flame->count++] = box;
    if (flame->levels <= box.level)
        flame->levels = box.level + 1;
}

/* `next_ns` has, by level, where the next row begins, whether it has a box or not. */
static void put_boxes(struct ep_flame *flame, const struct making *making, uint64_t *next_ns)
{
    for (size_t row = making->part->first; row < making->part->end;) {
        const struct ep_tree_place *place = place_of(making->snapshot, row);
        if (place->depth >= making->levels) {
            flame->further += place->end - row;
            row = place->end;
            continue;
        }
        uint64_t start_ns = next_ns[place->depth];
        uint64_t wide_ns = making->wide_ns[row - making->part->first];
        next_ns[place->depth] += wide_ns;
        if (has_box(making, row)) {
            put_box(flame, (struct ep_flame_box){row, place->depth, start_ns, wide_ns});
            next_ns[place->depth + 1] = start_ns;
            row++;
        } else {
            flame->narrower += place->end - row;
            row = place->end;
        }
    }
}

static int make_boxes(struct ep_flame *flame, struct making *making, struct ep_flame_limits limits)
{
    making->narrowest_ns = least_of(limits.narrowest, flame->whole_ns);
    flame->narrowest = limits.narrowest;
    size_t count = find_boxes(making, NULL);
    if (count > limits.boxes) {
        if (keep_widest(making, count, limits.boxes) != 0)
            return -1;
        flame->narrowest = (double)making->narrowest_ns / (double)flame->whole_ns;
        count = limits.boxes;
    }
    uint64_t *next_ns = calloc(making->levels + 1, sizeof *next_ns);
    flame->boxes = malloc((count + 1) * sizeof *flame->boxes);
    if (next_ns && flame->boxes)
        put_boxes(flame, making, next_ns);
    free(next_ns);
    return next_ns && flame->boxes ? 0 : -1;
}

int ep_flame_make(struct ep_flame *flame, const struct eprof_snapshot *snapshot,
                  const struct ep_part *part, struct ep_flame_limits limits)
{
    uint64_t *wide_ns = calloc(part->end - part->first + 1, sizeof *wide_ns);
    struct making making = {
        .snapshot = snapshot, .part = part, .wide_ns = wide_ns, .levels = limits.levels};
    int result = -1;
    *flame = (struct ep_flame){.boxes = NULL};
    if (wide_ns) {
        flame->whole_ns = find_widths(snapshot, part, wide_ns);
        result = make_boxes(flame, &making, limits);
    }
    free(wide_ns);
    if (result != 0)
        errno = ENOMEM;
    return result;
}

void ep_flame_free(struct ep_flame *flame)
{
    free(flame->boxes);
    *flame = (struct ep_flame){.boxes = NULL};
}
