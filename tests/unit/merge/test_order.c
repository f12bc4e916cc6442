/* The sum of random images is the same for any order and grouping of them. */
#include "image/check.h"
#include "merging.h"
#include "sanitizer.h"
#include "support/random_image.h"

enum { SETS = TAKES_LONG ? 20 : 200, MOST_IMAGES = 5, GROUPINGS = 6 };

static void make_all(struct ep_image *images, size_t count)
{
    for (size_t i = 0; i < count; i++)
        images[i] = random_image(false);
}

static void destroy_all(struct ep_image *images, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ep_image_destroy(&images[i]);
}

static void shuffle(const struct ep_image **images, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = random_below((uint32_t)i);
        const struct ep_image *image = images[i - 1];
        images[i - 1] = images[other];
        images[other] = image;
    }
}

static void check_bytes_are_equal(const struct ep_image *a, const struct ep_image *b)
{
    uint32_t cells = ep_image_root(a)->cells_used;
    assert_int_equal(ep_image_root(b)->cells_used, cells);
    for (uint32_t cell = 0; cell < cells; cell++)
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): of all bytes */
        if (memcmp(&a->cells[cell], &b->cells[cell], EP_CELL_BYTES) != 0)
            fail_msg("cell %u is not the same", (unsigned)cell);
}

/* The same bytes make the same reports; some of the reports are compared all the same. */
static void check_is_same(struct ep_merge *expected, struct ep_merge *merge)
{
    const struct ep_image *a = ep_merge_image(expected), *b = ep_merge_image(merge);
    if (random_one_in(8))
        check_reports_are_equal(a, b);
    check_bytes_are_equal(a, b);
}

TEST(merge_is_equal_in_every_order)
{
    for (int set = 0; set < SETS; set++) {
        struct ep_image images[3];
        static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                         {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        struct ep_merge *first = NULL;
        make_all(images, 3);
        for (int i = 0; i < 6; i++) {
            const struct ep_image *order[3] = {&images[orders[i][0]], &images[orders[i][1]],
                                               &images[orders[i][2]]};
            struct ep_merge *merge = merge_all(order, 3);
            if (first)
                check_is_same(first, merge);
            if (first)
                ep_merge_end(merge);
            else
                first = merge;
        }
        ep_merge_end(first);
        destroy_all(images, 3);
    }
}

/* The images have different sources, or the same source at different rates: all their figures are
 * converted into ns before they are added up. */
static void give_clocks(struct ep_image *images, size_t count)
{
    static const struct ep_scale scales[MOST_IMAGES] = {
        {7, 3}, {1, 1}, {1000, 2299}, {5, 13}, {0, 0}};
    static const char *const names[MOST_IMAGES] = {"rdtsc", "clock_gettime", "rdtsc", "cntvct",
                                                   "gettimeofday"};
    for (size_t i = 0; i < count; i++) {
        struct ep_scale_cell *scale = &images[i].cells[EP_CELL_SCALE].scale;
        memcpy(images[i].cells[EP_CELL_SOURCE].source.name, names[i], strlen(names[i]) + 1);
        scale->scale[scale->current] = scales[i];
    }
}

/* How the images are added. */
struct way {
    bool has_clocks; /* each image has a clock of its own */
    bool is_raw;
};

/* Adds up two groups of images, each of which is added up in the same way. A single image is used
 * as it is, or is made into a sum of one: not if it is to be converted into ns, since that rounds
 * each figure. */
static struct ep_merge *merge_in_groups(const struct ep_image **images, size_t count,
                                        struct way way)
{
    struct ep_merge *groups[2] = {NULL, NULL};
    const struct ep_image *sums[2];
    if (count == 1)
        return merge_as(way.is_raw, images, 1);
    size_t left = 1 + random_below((uint32_t)count - 1);
    const struct {
        const struct ep_image **images;
        size_t count;
    } parts[2] = {{images, left}, {images + left, count - left}};
    for (int i = 0; i < 2; i++) {
        if (parts[i].count > 1 || (!way.has_clocks && random_one_in(2)))
            groups[i] = merge_in_groups(parts[i].images, parts[i].count, way);
        sums[i] = groups[i] ? ep_merge_image(groups[i]) : parts[i].images[0];
    }
    struct ep_merge *merge = merge_as(way.is_raw, sums, 2);
    ep_merge_end(groups[0]);
    ep_merge_end(groups[1]);
    return merge;
}

static void check_groupings(struct way way)
{
    for (int set = 0; set < SETS; set++) {
        struct ep_image images[MOST_IMAGES];
        const struct ep_image *order[MOST_IMAGES];
        size_t count = 2 + random_below(MOST_IMAGES - 1);
        make_all(images, count);
        if (way.has_clocks)
            give_clocks(images, count);
        for (size_t i = 0; i < count; i++)
            order[i] = &images[i];
        struct ep_merge *expected = merge_as(way.is_raw, order, count);
        for (int i = 0; i < GROUPINGS; i++) {
            shuffle(order, count);
            struct ep_merge *merge = merge_in_groups(order, count, way);
            check_is_same(expected, merge);
            ep_merge_end(merge);
        }
        ep_merge_end(expected);
        destroy_all(images, count);
    }
}

TEST(merge_of_merges_equals_one_merge)
{
    check_groupings((struct way){.is_raw = false});
}

TEST(raw_merge_of_raw_merges_equals_one_merge)
{
    check_groupings((struct way){.is_raw = true});
}

TEST(merge_of_merges_in_ns_equals_one_merge)
{
    check_groupings((struct way){.has_clocks = true});
}

TEST(raw_merge_of_one_image_equals_the_image)
{
    for (int set = 0; set < SETS; set++) {
        struct ep_image image = random_image(true);
        struct ep_merge *merge = merge_as(true, (const struct ep_image *const[]){&image}, 1);
        check_reports_are_equal(&image, ep_merge_image(merge));
        ep_merge_end(merge);
        ep_image_destroy(&image);
    }
}

static void check_is_sound(const struct ep_image *image)
{
    struct ep_image looked_at = *image;
    int error = 0;
    const char *why = ep_image_check(&looked_at, &error);
    if (why || error)
        fail_msg("%s (%d)", why, error);
}

TEST(merge_of_sound_images_is_sound)
{
    for (int set = 0; set < SETS; set++) {
        struct ep_image images[2];
        make_all(images, 2);
        for (int i = 0; i < 2; i++)
            check_is_sound(&images[i]);
        struct ep_merge *merge = merge_two(&images[0], &images[1]);
        check_is_sound(ep_merge_image(merge));
        ep_merge_end(merge);
        destroy_all(images, 2);
    }
}

TEST(merge_image_can_be_asked_for_between_additions)
{
    struct ep_image images[2];
    make_all(images, 2);
    struct ep_merge *expected = merge_two(&images[0], &images[1]);
    struct ep_merge *merge = ep_merge_begin(false);
    for (int i = 0; i < 2; i++)
        ep_merge_inspect(merge, images[i].cells);
    for (int i = 0; i < 2; i++) {
        assert_return_code(ep_merge_add(merge, &images[i]), errno);
        assert_non_null(ep_merge_image(merge));
    }
    check_is_same(expected, merge);
    ep_merge_end(merge);
    ep_merge_end(expected);
    destroy_all(images, 2);
}
