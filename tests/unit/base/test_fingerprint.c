#include <string.h>

#include "base/hash.h"
#include "support/test.h"

static void assert_print(struct ep_wide print, uint64_t high, uint64_t low)
{
    assert_int_equal(print.high, high);
    assert_int_equal(print.low, low);
}

static struct ep_wide print_of(const char *bytes, size_t count)
{
    return ep_hash_add(ep_hash_begin(), bytes, count);
}

/* The values that hash/fnv of Go 1.19 computes. */
TEST(fingerprint_is_fnv_1a_of_128_bits)
{
    assert_print(print_of("", 0), UINT64_C(0x6C62272E07BB0142), UINT64_C(0x62B821756295C58D));
    assert_print(print_of("a", 1), UINT64_C(0xD228CB696F1A8CAF), UINT64_C(0x78912B704E4A8964));
    assert_print(print_of("foobar", 6), UINT64_C(0x343E1662793C64BF), UINT64_C(0x6F0D3597BA446F18));
    assert_print(print_of("\xFF\0\x80", 3), UINT64_C(0xA68B38F0638B5822),
                 UINT64_C(0x836DBC7894F5D456));
}

TEST(fingerprint_continues_after_a_part)
{
    struct ep_wide whole = print_of("foobar", 6);
    struct ep_wide parts = ep_hash_add(print_of("foo", 3), "bar", 3);
    assert_print(parts, whole.high, whole.low);
}

static void assert_same_text(const char *a, const char *b, bool same)
{
    struct ep_wide of_a = ep_hash_add_text(ep_hash_begin(), a);
    struct ep_wide of_b = ep_hash_add_text(ep_hash_begin(), b);
    if ((of_a.low == of_b.low && of_a.high == of_b.high) != same)
        fail_msg("\"%s\" and \"%s\" are%s one", a, b, same ? " not" : "");
}

TEST(texts_that_look_alike_are_one)
{
    assert_same_text("a\xFF", "a\\xff", true);
    assert_same_text("\xC3(", "\\xc3(", true);
    assert_same_text("\xC3\xBC", "\\xc3\\xbc", false);
    assert_same_text("a", "b", false);
}

TEST(texts_end)
{
    struct ep_wide begin = ep_hash_begin();
    struct ep_wide one = ep_hash_add_text(ep_hash_add_text(begin, "ab"), "c");
    struct ep_wide other = ep_hash_add_text(ep_hash_add_text(begin, "a"), "bc");
    assert_int_not_equal(one.low, other.low);
}
