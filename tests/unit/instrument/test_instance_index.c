/* The index is compared with a list that is searched from end to end. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "instrument/instance_set.h"
#include "support/fake_image.h"
#include "support/random.h"

static void give_label(uint32_t slot, const char *label, uint32_t bytes)
{
    assert_return_code(ep_image_instance_add(&fake, slot), errno);
    struct ep_instance_cell *instance = ep_image_instance(&fake, slot);
    instance->label = ep_image_text(&fake, label, bytes, &instance->label_cells);
    assert_int_not_equal(instance->label, 0);
    instance->label_bytes = bytes;
    instance->label_hash = ep_image_label_hash(label, bytes);
}

static void add(uint32_t slot, const char *label)
{
    give_label(slot, label, (uint32_t)strlen(label));
    ep_instance_index_add(&fake, slot);
}

static void take_out(uint32_t slot)
{
    struct ep_instance_cell *instance = ep_image_instance(&fake, slot);
    ep_instance_index_remove(&fake, slot);
    ep_image_text_free(&fake, instance->label, instance->label_cells);
    instance->label = 0;
}

static uint32_t lowest(const char *label)
{
    return ep_instance_index_lowest(&fake, label, (uint32_t)strlen(label));
}

/* The length of the longest path from the root. */
static uint32_t depth(uint32_t link)
{
    enum { DEEPER_THAN_ANY = 1000 };
    static uint32_t level;
    if (!link || level > DEEPER_THAN_ANY)
        return 0;
    level++;
    const struct ep_instance_cell *instance = ep_image_instance(&fake, link - 1);
    uint32_t smaller = depth(instance->smaller), larger = depth(instance->larger);
    level--;
    return 1 + (smaller > larger ? smaller : larger);
}

/* A balanced tree of n nodes has a depth of log2(n); a random tree has about 3 times that. */
static void assert_is_not_deep(uint32_t count)
{
    uint32_t levels = depth(ep_image_root(&fake)->index_root), doublings = 0;
    while (count >> doublings)
        doublings++;
    if (levels > 5 * doublings)
        fail_msg("%u instances are %u levels deep", count, levels);
}

/* ------------------------------------------------------------- few of them -- */

TEST(empty_index_finds_nothing)
{
    assert_int_equal(lowest(""), UINT32_MAX);
    assert_int_equal(lowest("a"), UINT32_MAX);
    assert_return_code(ep_image_instance_add(&fake, 0), errno);
    ep_instance_index_remove(&fake, 0); /* which is not in it */
    assert_int_equal(ep_image_root(&fake)->index_root, 0);
}

TEST(label_is_found_until_it_is_removed)
{
    add(3, "three");
    add(1, "one");
    add(2, "");
    assert_int_equal(lowest("three"), 3);
    assert_int_equal(lowest("one"), 1);
    assert_int_equal(lowest(""), 2);
    assert_int_equal(lowest("thre"), UINT32_MAX);
    assert_int_equal(lowest("three "), UINT32_MAX);
    take_out(3);
    assert_int_equal(lowest("three"), UINT32_MAX);
    assert_int_equal(lowest("one"), 1);
    take_out(1);
    take_out(2);
    assert_int_equal(lowest(""), UINT32_MAX);
    assert_int_equal(ep_image_root(&fake)->index_root, 0);
}

TEST(lowest_of_equal_labels_comes_first)
{
    add(7, "same");
    add(5, "same");
    add(9, "same");
    assert_int_equal(lowest("same"), 5);
    take_out(5);
    assert_int_equal(lowest("same"), 7);
    add(6, "same");
    assert_int_equal(lowest("same"), 6);
    take_out(7);
    take_out(6);
    assert_int_equal(lowest("same"), 9);
}

/* Labels with the same 32-bit FNV-1a hash: the comparison of the bytes decides. */
TEST(labels_of_one_hash_are_distinct)
{
    static const char *const pairs[][2] = {
        {"costarring", "liquid"}, {"declinate", "macallums"}, {"altarage", "zinke"}};
    for (uint32_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *one = pairs[i][0], *other = pairs[i][1];
        assert_int_equal(ep_image_label_hash(one, (uint32_t)strlen(one)),
                         ep_image_label_hash(other, (uint32_t)strlen(other)));
        add(2 * i, one);
        assert_int_equal(lowest(other), UINT32_MAX);
        add(2 * i + 1, other);
        assert_int_equal(lowest(one), 2 * i);
        assert_int_equal(lowest(other), 2 * i + 1);
    }
}

TEST(labels_are_compared_by_all_their_bytes)
{
    give_label(0, "a\0b", 3);
    ep_instance_index_add(&fake, 0);
    give_label(1, "a\0c", 3);
    ep_instance_index_add(&fake, 1);
    assert_int_equal(ep_instance_index_lowest(&fake, "a\0b", 3), 0);
    assert_int_equal(ep_instance_index_lowest(&fake, "a\0c", 3), 1);
    assert_int_equal(ep_instance_index_lowest(&fake, "a", 1), UINT32_MAX);
}

/* ------------------------------------------------------------ many of them -- */

enum { SLOTS = 300, LABELS = 40, STEPS = 40000 };

/* Searches the list from end to end. */
static const char *labels[SLOTS];

static uint32_t lowest_in_the_list(const char *label)
{
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        if (labels[slot] && strcmp(labels[slot], label) == 0)
            return slot;
    return UINT32_MAX;
}

TEST(index_finds_the_same_as_a_list)
{
    static char texts[LABELS][128];
    uint32_t count = 0;
    for (int i = 0; i < LABELS; i++)
        memset(texts[i], 'a' + i % 3, random_next() % (sizeof texts[i] - 1));
    memset(labels, 0, sizeof labels);
    for (int step = 0; step < STEPS; step++) {
        uint32_t slot = (uint32_t)(random_next() % SLOTS);
        if (labels[slot]) {
            take_out(slot);
            labels[slot] = NULL;
            count--;
        } else {
            labels[slot] = texts[random_next() % LABELS];
            add(slot, labels[slot]);
            count++;
        }
        const char *wanted = texts[random_next() % LABELS];
        uint32_t found = lowest(wanted), expected = lowest_in_the_list(wanted);
        if (found != expected)
            fail_msg("step %d: \"%s\" found in slot %u instead of %u", step, wanted, found,
                     expected);
    }
    assert_is_not_deep(count);
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        if (labels[slot])
            take_out(slot);
    assert_int_equal(ep_image_root(&fake)->index_root, 0);
}

enum { MANY = 100000 };

TEST(hundred_thousand_equal_labels_are_freed_from_the_lowest)
{
    for (uint32_t i = 0; i < MANY; i++)
        add(i, "equal");
    assert_is_not_deep(MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t slot = lowest("equal");
        if (slot != i)
            fail_msg("slot %u instead of %u", slot, i);
        take_out(slot);
    }
    assert_int_equal(lowest("equal"), UINT32_MAX);
}

TEST(equal_labels_added_from_the_highest_are_no_deeper)
{
    for (uint32_t i = MANY; i-- > 0;)
        add(i, "equal");
    assert_is_not_deep(MANY);
    assert_int_equal(lowest("equal"), 0);
    for (uint32_t i = 0; i < MANY; i += 2)
        take_out(i);
    assert_is_not_deep(MANY / 2);
    assert_int_equal(lowest("equal"), 1);
}

TEST(hundred_thousand_different_labels_are_each_found)
{
    char label[16];
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(label, sizeof label, "%u", i);
        add(i, label);
    }
    assert_is_not_deep(MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(label, sizeof label, "%u", i);
        if (lowest(label) != i)
            fail_msg("label %u in slot %u", i, lowest(label));
    }
}

TEST_EACH(fake_begin, fake_end)
