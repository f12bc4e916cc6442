#include "snapshot/flame.h"

#include <errno.h>
#include <stdlib.h>

/* The state while the boxes are made. */
struct making {
    const struct eprof_snapshot *snapshot;
    const struct ep_part *part;
    const uint64_t *wide_ns; /* by row, from part->first on */
    uint64_t narrowest_ns;
    size_t levels;
};

/* The self time; 0 for a row that is only an ancestor of those a view selects. */
static uint64_t own_of(const struct eprof_snapshot *snapshot, size_t row, unsigned halvings)
{
    return ep_rows_position(snapshot, row)->is_around ? 0 : snapshot->rows[row].self_ns >> halvings;
}

/* How often times are halved, so that their sum does not overflow: 0 but for a damaged image. */
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

/* Children come after their parents. Returns the width of the whole. */
static uint64_t find_widths(const struct eprof_snapshot *snapshot, const struct ep_part *part,
                            uint64_t *wide_ns)
{
    unsigned halvings = find_halvings(snapshot, part);
    uint64_t whole_ns = 0;
    for (size_t row = part->end; row-- > part->first;) {
        size_t parent = ep_rows_position(snapshot, row)->parent;
        uint64_t *own_ns = &wide_ns[row - part->first];
        *own_ns += own_of(snapshot, row, halvings);
        if (parent == SIZE_MAX)
            whole_ns += *own_ns;
        else
            wide_ns[parent - part->first] += *own_ns;
    }
    return whole_ns;
}

/* No box is wider than its parent, so below a row without a box there is none. */
static bool has_box(const struct making *making, size_t row)
{
    return making->wide_ns[row - making->part->first] >= making->narrowest_ns &&
           ep_rows_position(making->snapshot, row)->depth < making->levels;
}

/* Collects the widths of the boxes. Returns how many there are. */
static size_t find_boxes(const struct making *making, uint64_t *found_ns)
{
    size_t count = 0;
    for (size_t row = making->part->first; row < making->part->end;) {
        if (!has_box(making, row)) {
            row = ep_rows_position(making->snapshot, row)->end;
            continue;
        }
        found_ns[count++] = making->wide_ns[row - making->part->first];
        row++;
    }
    return count;
}

/* Rounded up; not 0, since a row without width has no box. */
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

/* `next_ns` has, by level, the start of the next row, whether it has a box or not. */
static void put_boxes(struct ep_flame *flame, const struct making *making, uint64_t *next_ns)
{
    for (size_t row = making->part->first; row < making->part->end;) {
        const struct ep_tree_position *position = ep_rows_position(making->snapshot, row);
        if (position->depth >= making->levels) {
            flame->further += position->end - row;
            row = position->end;
            continue;
        }
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): each row has a level */
        uint64_t start_ns = next_ns[position->depth];
        uint64_t wide_ns = making->wide_ns[row - making->part->first];
        next_ns[position->depth] += wide_ns;
        if (has_box(making, row)) {
            flame->boxes[flame->count++] =
                (struct ep_flame_box){row, position->depth, start_ns, wide_ns};
            if (flame->levels <= position->depth)
                flame->levels = position->depth + 1;
            next_ns[position->depth + 1] = start_ns;
            row++;
        } else {
            flame->narrower += position->end - row;
            row = position->end;
        }
    }
}

/* If there would be too many boxes, each is to be wider than the first that is too many. */
static int make_boxes(struct ep_flame *flame, struct making *making, struct ep_flame_limits limits)
{
    uint64_t *found_ns = malloc((making->part->end - making->part->first + 1) * sizeof *found_ns);
    uint64_t *next_ns = calloc(making->levels + 1, sizeof *next_ns);
    making->narrowest_ns = least_of(limits.narrowest, flame->whole_ns);
    flame->narrowest = limits.narrowest;
    if (found_ns && next_ns) {
        size_t count = find_boxes(making, found_ns);
        if (count > limits.boxes) {
            qsort(found_ns, count, sizeof *found_ns, widest_first);
            making->narrowest_ns = found_ns[limits.boxes] + 1;
            flame->narrowest = (double)making->narrowest_ns / (double)flame->whole_ns;
            count = limits.boxes;
        }
        flame->boxes = malloc((count + 1) * sizeof *flame->boxes);
    }
    if (flame->boxes)
        put_boxes(flame, making, next_ns);
    free(found_ns);
    free(next_ns);
    return flame->boxes ? 0 : -1;
}

int ep_flame_make(struct ep_flame *flame, const struct eprof_snapshot *snapshot,
                  const struct ep_part *part, struct ep_flame_limits limits)
{
    uint64_t *wide_ns = calloc(part->end - part->first + 1, sizeof *wide_ns);
    struct making making = {
        .snapshot = snapshot, .part = part, .wide_ns = wide_ns, .levels = limits.levels};
    *flame = (struct ep_flame){.whole_ns = wide_ns ? find_widths(snapshot, part, wide_ns) : 0};
    int result = wide_ns ? make_boxes(flame, &making, limits) : -1;
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
