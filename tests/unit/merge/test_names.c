/* Texts are found by their bytes. */
#include <stdio.h>
#include <string.h>

#include "merge/tables.h"
#include "support/test.h"

static uint32_t find(struct ep_merge_names *names, const char *text)
{
    return ep_merge_tables_names_find(names, text, (uint32_t)strlen(text));
}

TEST(text_is_found_again_by_its_bytes)
{
    struct ep_merge_names names = {.table = {.rows = NULL}};
    char other_place[] = "load";
    uint32_t load = find(&names, "load"), empty = find(&names, "");
    assert_int_equal(find(&names, other_place), load);
    assert_int_equal(find(&names, ""), empty);
    assert_int_not_equal(load, empty);
    assert_int_not_equal(ep_merge_tables_names_find(&names, "load\0", 5), load);
    assert_string_equal(ep_merge_names_at(&names, load)->text, "load");
    assert_int_equal(names.table.count, 3);
    ep_merge_tables_names_free(&names);
}

TEST(many_texts_are_distinct)
{
    enum { TEXTS = 300000 };
    struct ep_merge_names names = {.table = {.rows = NULL}};
    char text[20];
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < TEXTS; i++) {
            snprintf(text, sizeof text, "%016llx", i * 0x9E3779B97F4A7C15ull);
            uint32_t found = find(&names, text);
            if (found != i)
                fail_msg("%s is number %u", text, (unsigned)found);
        }
    assert_int_equal(names.table.count, TEXTS);
    ep_merge_tables_names_free(&names);
}

static int compare(const char *a, const char *b)
{
    struct ep_merge_name x = {.text = a, .bytes = (uint32_t)strlen(a)};
    struct ep_merge_name y = {.text = b, .bytes = (uint32_t)strlen(b)};
    int order = ep_merge_tables_names_compare(&x, &y);
    return (order > 0) - (order < 0);
}

TEST(names_are_in_the_order_of_their_bytes)
{
    assert_int_equal(compare("a", "b"), -1);
    assert_int_equal(compare("\xFF", "a"), 1);
    assert_int_equal(compare("ab", "a"), 1);
    assert_int_equal(compare("", "a"), -1);
    assert_int_equal(compare("a", "a"), 0);
}
