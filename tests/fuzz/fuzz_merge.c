#include "fuzz_merge.h"

#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "image/read.h"
#include "memory_file.h"
#include "merge/merge.h"
#include "require.h"
#include "snapshot_text.h"

/* ---- sums ---- */

/* Adds the second image after the first one. second: NULL if there is none. */
static struct ep_merge *add_up_as(bool is_raw, const struct ep_image *first,
                                  const struct ep_image *second)
{
    const struct ep_image *const images[] = {first, second};
    size_t count = second ? 2 : 1;
    struct ep_merge *merge = ep_merge_begin(is_raw);
    require(merge != NULL, "there is memory for a merge");
    for (size_t i = 0; i < count; i++)
        ep_merge_inspect(merge, images[i]->cells);
    for (size_t i = 0; i < count; i++)
        require(ep_merge_add(merge, images[i]) == 0, "there is memory for a sum");
    return merge;
}

static struct ep_merge *add_up(const struct ep_image *first, const struct ep_image *second)
{
    return add_up_as(false, first, second);
}

static const struct ep_image *sum_of(struct ep_merge *merge)
{
    const struct ep_image *sum = ep_merge_image(merge);
    require(sum != NULL, "there is memory for the image of a sum");
    return sum;
}

static size_t bytes_of(const struct ep_image *image)
{
    return (size_t)ep_image_root(image)->cells_used * EP_CELL_BYTES;
}

/* Prints the first cell in which the images differ, since their snapshots may be equal. */
static void tell_cell(const struct ep_image *one, const struct ep_image *other)
{
    size_t cell = 0, cells = ep_image_root(one)->cells_used;
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): of all bytes */
    while (cell < cells && memcmp(&one->cells[cell], &other->cells[cell], EP_CELL_BYTES) == 0)
        cell++;
    for (const struct ep_image *image = one;; image = other) {
        fprintf(stderr, "cell %zu of %" PRIu32 ":", cell, ep_image_root(image)->cells_used);
        for (size_t i = 0; i < EP_CELL_BYTES / sizeof(uint64_t); i++)
            fprintf(stderr, " %016" PRIx64, ((const uint64_t *)&image->cells[cell])[i]);
        fprintf(stderr, "\n");
        if (image == other)
            break;
    }
}

static void require_same_bytes(const struct ep_image *one, const struct ep_image *other,
                               const char *what)
{
    if (bytes_of(one) == bytes_of(other) && memcmp(one->cells, other->cells, bytes_of(one)) == 0)
        return;
    tell_cell(one, other);
    require_same_text(snapshot_text_of_image(one, true), snapshot_text_of_image(other, true), what);
    require(false, what);
}

/* ---- sums that are written and read again ---- */

/* The comparison is not byte by byte: a damaged image may have counts of kinds that do not exist,
 * which the sum keeps. */
static void say_the_same(const struct ep_image *one, const struct ep_image *other, const char *what)
{
    require_same_text(snapshot_text_of_image(one, true), snapshot_text_of_image(other, true), what);
}

/* The magnitude of a negative number in two's complement. */
static uint64_t extent_of(uint64_t ticks)
{
    return ticks >> 63 ? 0 - ticks : ticks;
}

static uint64_t bits_of(const struct ep_statistics *stats)
{
    return stats->calls | stats->nested | stats->errors | stats->total_ticks | stats->max_ticks;
}

/* The bits that are set in any cell: sums in rows may have wrapped around to small numbers. */
static uint64_t bits_of_threads(const struct ep_image *image)
{
    uint64_t all = 0;
    const struct ep_thread_cell *thread;
    for (ep_ref at = ep_image_root(image)->threads; at; at = thread->next) {
        thread = &ep_image_cell(image, at)->thread;
        const struct ep_instance_cells *pair;
        for (ep_ref ref = thread->pairs; ref; ref = pair->next) {
            pair = (const struct ep_instance_cells *)ep_image_cell(image, ref);
            all |= bits_of(&pair->stats);
        }
        const struct ep_node_cell *node;
        for (ep_ref ref = thread->nodes; ref; ref = node->next) {
            node = (const struct ep_node_cell *)ep_image_cell(image, ref);
            all |= bits_of(&node->stats) | extent_of(node->self_ticks) | node->owed_ticks;
        }
    }
    return all;
}

/* Whether times and counts are small enough that a sum of a few images does not exceed 64 bits, for
 * which nothing is guaranteed. A damaged image may have larger ones. */
static bool is_of_this_world(const struct ep_image *image)
{
    struct eprof_snapshot *snapshot =
        ep_snapshot_take_stored(image, (struct ep_snapshot_options){.ticks = true});
    require(snapshot != NULL, "there is memory for a snapshot");
    uint64_t all = bits_of_threads(image);
    for (size_t i = 0; i < snapshot->diagnostic_first; i++)
        for (size_t k = 0; k < EP_FIELDS; k++)
            if (!ep_columns_is_unknown(&snapshot->rows[i], &ep_columns[k]))
                all |= ep_columns_value(&snapshot->rows[i], ep_columns[k].offset);
    ep_snapshot_free(snapshot);
    return all >> 56 == 0;
}

static void add_again(const struct ep_image *sum)
{
    struct ep_merge *merge = add_up(sum, NULL);
    say_the_same(sum, sum_of(merge), "the sum of a sum alone is that sum");
    ep_merge_end(merge);
}

static void read_again(const struct ep_image *sum, bool is_of_world)
{
    struct ep_image again;
    struct ep_image_file_state state;
    const char *why;
    require(ep_image_read(memory_file_of(sum->cells, bytes_of(sum)), &again, &state, &why) == 0,
            "a sum is sound");
    say_the_same(sum, &again, "a sum says the same when it is read");
    if (is_of_world)
        add_again(&again);
    ep_image_destroy(&again);
}

/* ---- one image alone ---- */

/* Sums over the rows, and over those of diagnostics: another order of the rows makes no
 * difference. */
struct told {
    size_t rows;
    uint64_t sum, diagnostics;
    uint64_t saturated; /* the diagnostic that counts rows */
};

/* A row is identified by its name and not its path, since the paths of a deep tree would fill the
 * memory. A function is identified by its address, and a sum keeps the best of its names and
 * places. Percentiles need counts that lie between the shortest and the longest call, which a
 * damaged image need not have. And a program cannot have four thousand million open calls, for
 * which a sum has no room. */
static uint64_t number_of(const struct eprof_row *row)
{
    struct eprof_row bounded = *row;
    bounded.open = row->open < UINT32_MAX ? row->open : UINT32_MAX;
    bool is_named = strcmp(row->kind, "function") != 0;
    const char *const texts[] = {row->kind, is_named ? row->name : "", row->thread,
                                 is_named ? row->file : ""};
    uint64_t figures[EP_FIELDS + 1] = {is_named ? row->line : 0};
    for (size_t i = 0; i < EP_FIELDS; i++)
        if (ep_columns[i].name[0] != 'p')
            figures[i + 1] = ep_columns_value(&bounded, ep_columns[i].offset);
    struct ep_wide number = ep_hash_begin();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        number = ep_hash_add(number, texts[i], strlen(texts[i]) + 1);
    return ep_hash_add(number, figures, sizeof figures).low;
}

static struct told told_of(const struct ep_image *image, bool by_threads)
{
    const struct ep_snapshot_options options = {.raw = true, .threads = by_threads};
    struct eprof_snapshot *snapshot = ep_snapshot_take_stored(image, options);
    require(snapshot != NULL, "there is memory for a snapshot");
    struct told told = {.rows = snapshot->diagnostic_first};
    for (size_t i = 0; i < snapshot->row_count; i++) {
        bool is_saturated = i >= told.rows && strcmp(snapshot->rows[i].name, "saturated") == 0;
        *(is_saturated    ? &told.saturated
          : i < told.rows ? &told.sum
                          : &told.diagnostics) += number_of(&snapshot->rows[i]);
    }
    ep_snapshot_free(snapshot);
    return told;
}

static void tell(const struct ep_image *image, bool by_threads)
{
    const struct ep_snapshot_options options = {.raw = true, .threads = by_threads};
    struct eprof_snapshot *snapshot = ep_snapshot_take_stored(image, options);
    char *text = snapshot_text(snapshot);
    fprintf(stderr, "%s\n", text);
    free(text);
    ep_snapshot_free(snapshot);
}

/* If several rows have been joined into one, their sum is different. */
static void require_same_rows(const struct ep_image *image, const struct ep_image *sum,
                              bool by_threads)
{
    struct told before = told_of(image, by_threads), after = told_of(sum, by_threads);
    bool are_same = after.rows < before.rows ||
                    (after.sum == before.sum && after.saturated == before.saturated);
    if (!are_same) {
        tell(image, by_threads);
        tell(sum, by_threads);
    }
    require(after.rows <= before.rows, "a sum has no row more");
    require(are_same, "a raw sum of one says what that says");
    require(after.diagnostics == before.diagnostics, "and has all its diagnostics");
}

/* In a raw sum each figure must be equal; in another sum the figures may differ by rounding. */
static void add_alone(const struct ep_image *image, bool is_of_world)
{
    struct ep_merge *raw = add_up_as(true, image, NULL), *net = add_up(image, NULL);
    if (is_of_world) {
        require_same_rows(image, sum_of(raw), false);
        require_same_rows(image, sum_of(raw), true);
    }
    read_again(sum_of(net), is_of_world);
    ep_merge_end(raw);
    ep_merge_end(net);
}

/* ---- with other images ---- */

static void add_to_itself(const struct ep_image *image, bool is_of_world)
{
    struct ep_merge *merge = add_up(image, image);
    read_again(sum_of(merge), is_of_world);
    ep_merge_end(merge);
}

static void add_in_both_orders(const struct ep_image *image, const struct ep_image *other,
                               bool is_of_world)
{
    struct ep_merge *before = add_up(image, other), *behind = add_up(other, image);
    const struct ep_image *sum = sum_of(before);
    require_same_bytes(sum, sum_of(behind), "a sum is the same in either order");
    read_again(sum, is_of_world);
    ep_merge_end(before);
    ep_merge_end(behind);
}

void fuzz_merge(const struct ep_image *image, const struct ep_image *other)
{
    bool is_of_world = is_of_this_world(image);
    add_alone(image, is_of_world);
    add_to_itself(image, is_of_world);
    add_in_both_orders(image, other, is_of_world);
}
