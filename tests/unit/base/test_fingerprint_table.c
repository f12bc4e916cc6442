#include "base/hash.h"
#include "support/test.h"

struct row {
    struct ep_wide print;
    uint64_t value;
};

static uint32_t find(struct ep_fingerprint_table *table, uint64_t low, uint64_t high)
{
    return ep_hash_table_find(table, sizeof(struct row), (struct ep_wide){low, high});
}

static struct row *at(const struct ep_fingerprint_table *table, uint32_t row)
{
    return (struct row *)table->rows + row;
}

TEST(row_is_made_once_and_found_again)
{
    enum { MANY = 10000 };
    struct ep_fingerprint_table table = {.rows = NULL};
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(find(&table, i * UINT64_C(0x9E3779B97F4A7C15), i), i);
        assert_int_equal(at(&table, i)->value, 0);
        at(&table, i)->value = 3 * i;
    }
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(find(&table, i * UINT64_C(0x9E3779B97F4A7C15), i), i);
        assert_int_equal(at(&table, i)->value, 3 * i);
        assert_int_equal(at(&table, i)->print.high, i);
    }
    assert_int_equal(table.count, MANY);
    ep_hash_table_free(&table);
}

/* Both halves of a key count, and no value is special: a key of 0 is allowed. */
TEST(rows_of_one_lower_half_are_distinct)
{
    static const uint64_t lows[] = {0, 1, 2, UINT64_MAX, UINT64_MAX - 1};
    enum { LOWS = sizeof lows / sizeof lows[0], HIGHS = 7 };
    struct ep_fingerprint_table table = {.rows = NULL};
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < LOWS * HIGHS; i++)
            assert_int_equal(find(&table, lows[i % LOWS], i / LOWS), i);
    assert_int_equal(table.count, LOWS * HIGHS);
    ep_hash_table_free(&table);
}

TEST(freed_table_makes_rows_anew)
{
    struct ep_fingerprint_table table = {.rows = NULL};
    find(&table, 5, 5);
    at(&table, find(&table, 7, 7))->value = 1;
    ep_hash_table_free(&table);
    assert_int_equal(find(&table, 7, 7), 0);
    assert_int_equal(at(&table, 0)->value, 0);
    ep_hash_table_free(&table);
}
