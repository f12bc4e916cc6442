/* Each word of a small image is set to each of several bad values: an image that passes the check
 * can be shown. */
#include "support/fake_profile.h"

#include "image/check.h"

static union ep_cell *whole; /* the original image */
static uint32_t count;

static int begin(void **state)
{
    int result = fake_begin(state);
    fake_profile();
    count = ep_image_root(&fake)->cells_used;
    whole = malloc((size_t)count * EP_CELL_BYTES);
    assert_non_null(whole);
    memcpy(whole, fake.cells, (size_t)count * EP_CELL_BYTES);
    return result;
}

static int end(void **state)
{
    free(whole);
    return fake_end(state);
}

static bool is_sound(void)
{
    int error;
    const char *fault = ep_image_check(&fake, &error);
    assert_int_equal(error, 0);
    return !fault;
}

/* It also uses the options threads and raw, in turn: all combinations each time would take too
 * long. */
static void show(unsigned turn)
{
    const struct ep_snapshot_options options = {.threads = turn % 2, .raw = turn / 2 % 2};
    image_report(&fake, options);
    test_release();
}

static void restore(void)
{
    memcpy(fake.cells, whole, (size_t)count * EP_CELL_BYTES);
}

struct tally {
    unsigned shown, refused;
};

static void try(struct tally *tally, uint32_t *word, uint32_t value)
{
    *word = value;
    if (is_sound())
        show(tally->shown++);
    else
        tally->refused++;
    restore();
}

static void try_all(struct tally *tally, ep_ref cell, uint32_t *word)
{
    const uint32_t value = *word;
    const uint32_t evil[] = {0,          1,         cell,      count - 1, count,
                             UINT32_MAX, INT32_MAX, value + 1, value - 1};
    for (size_t i = 0; i < sizeof evil / sizeof evil[0]; i++)
        try(tally, word, evil[i]);
}

/* An empty cell after another empty cell gives the same results as that one. */
static bool is_like_the_one_before(ep_ref cell)
{
    static const union ep_cell empty;
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): of all bytes */
    return cell && memcmp(&fake.cells[cell], &empty, sizeof empty) == 0 &&
           /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): of all bytes */
           memcmp(&fake.cells[cell - 1], &empty, sizeof empty) == 0;
}

TEST(image_with_any_evil_word_is_refused_or_shown)
{
    struct tally tally = {0, 0};
    assert_true(is_sound());
    for (ep_ref cell = 0; cell < count; cell++)
        for (unsigned i = 0; i < EP_CELL_BYTES / 4 && !is_like_the_one_before(cell); i++)
            try_all(&tally, cell, (uint32_t *)&fake.cells[cell] + i);
    print_message("%u shown, %u refused\n", tally.shown, tally.refused);
    assert_in_range(tally.refused, 1000, UINT32_MAX);
    assert_in_range(tally.shown, 1000, UINT32_MAX);
}

TEST_EACH(begin, end)
