/* Texts that are stored one after the other. */
#include <stdint.h>
#include <stdlib.h>

#include "base/strings.h"
#include "support/test.h"

TEST(fields_are_read_as_they_were_added)
{
    struct ep_fields fields = {.bytes = NULL};
    ep_strings_add(&fields, "M");
    ep_strings_add(&fields, "");
    ep_strings_print(&fields, "%x", 0xBEEFu);
    struct ep_fields_reader reader = ep_strings_read(&fields);
    assert_string_equal(ep_strings_next(&reader), "M");
    assert_string_equal(ep_strings_next(&reader), "");
    assert_string_equal(ep_strings_next(&reader), "beef");
    assert_null(ep_strings_next(&reader));
    assert_false(fields.is_incomplete);
    ep_strings_free(&fields);
}

TEST(field_without_its_nul_is_left_out)
{
    static const char text[] = "name\0file";
    struct ep_fields_reader reader = {text, text + sizeof text - 1};
    assert_string_equal(ep_strings_next(&reader), "name");
    assert_null(ep_strings_next(&reader));
}

TEST(empty_fields_have_no_field)
{
    const struct ep_fields none = {.bytes = NULL};
    struct ep_fields_reader reader = ep_strings_read(&none);
    assert_null(ep_strings_next(&reader));
}

TEST(fields_grow_with_added_text)
{
    enum { FIELDS = 3000, FIELD_BYTES = 40 };
    struct ep_fields fields = {.bytes = NULL};
    for (unsigned i = 0; i < FIELDS; i++)
        ep_strings_print(&fields, "%0*u", FIELD_BYTES - 1, i);
    assert_int_equal(fields.count, FIELDS * FIELD_BYTES);
    struct ep_fields_reader reader = ep_strings_read(&fields);
    for (unsigned i = 0; i < FIELDS; i++)
        assert_int_equal(strtoul(ep_strings_next(&reader), NULL, 10), i);
    ep_strings_free(&fields);
}

TEST(field_longer_than_all_memory_makes_them_incomplete)
{
    struct ep_fields fields = {.bytes = NULL};
    ep_strings_add(&fields, "M");
    assert_int_equal(ep_strings_need(&fields, SIZE_MAX / 2), -1);
    assert_true(fields.is_incomplete);
    assert_int_equal(fields.count, 2);
    assert_string_equal(fields.bytes, "M");
    ep_strings_free(&fields);
}

TEST(text_that_no_memory_holds_makes_them_incomplete)
{
    for (int is_printed = 0; is_printed < 2; is_printed++) {
        /* texts of the largest size, in a buffer that is full except for one byte */
        struct ep_fields fields = {.room = SIZE_MAX / 2 + 1, .count = SIZE_MAX / 2};
        if (is_printed)
            ep_strings_print(&fields, "%d", 1);
        else
            ep_strings_add(&fields, "1");
        assert_true(fields.is_incomplete);
        assert_true(fields.count == SIZE_MAX / 2);
    }
}
