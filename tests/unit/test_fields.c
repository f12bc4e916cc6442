/* Texts one after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdint.h>
#include <stdlib.h>

#include "fields.h"

static void fields_are_read_as_they_were_added(void **state)
{
    (void)state;
    struct ep_fields fields = {.bytes = NULL};
    ep_fields_add(&fields, "M");
    ep_fields_add(&fields, "");
    ep_fields_print(&fields, "%x", 0xBEEFu);
    struct ep_fields_reader reader = ep_fields_read(&fields);
    assert_string_equal(ep_fields_next(&reader), "M");
    assert_string_equal(ep_fields_next(&reader), "");
    assert_string_equal(ep_fields_next(&reader), "beef");
    assert_null(ep_fields_next(&reader));
    assert_false(fields.is_incomplete);
    ep_fields_free(&fields);
}

static void field_without_its_nul_is_none(void **state)
{
    (void)state;
    static const char text[] = "name\0file";
    struct ep_fields_reader reader = {text, text + sizeof text - 1};
    assert_string_equal(ep_fields_next(&reader), "name");
    assert_null(ep_fields_next(&reader));
}

static void nothing_has_no_field(void **state)
{
    (void)state;
    const struct ep_fields none = {.bytes = NULL};
    struct ep_fields_reader reader = ep_fields_read(&none);
    assert_null(ep_fields_next(&reader));
}

static void fields_grow_with_what_is_added(void **state)
{
    enum { FIELDS = 3000, FIELD_BYTES = 40 };
    struct ep_fields fields = {.bytes = NULL};
    (void)state;
    for (unsigned i = 0; i < FIELDS; i++)
        ep_fields_print(&fields, "%0*u", FIELD_BYTES - 1, i);
    assert_int_equal(fields.count, FIELDS * FIELD_BYTES);
    struct ep_fields_reader reader = ep_fields_read(&fields);
    for (unsigned i = 0; i < FIELDS; i++)
        assert_int_equal(strtoul(ep_fields_next(&reader), NULL, 10), i);
    ep_fields_free(&fields);
}

static void field_longer_than_all_memory_makes_them_incomplete(void **state)
{
    (void)state;
    struct ep_fields fields = {.bytes = NULL};
    ep_fields_add(&fields, "M");
    assert_int_equal(ep_fields_need(&fields, SIZE_MAX / 2), -1);
    assert_true(fields.is_incomplete);
    assert_int_equal(fields.count, 2);
    assert_string_equal(fields.bytes, "M");
    ep_fields_free(&fields);
}

static void text_that_no_memory_holds_makes_them_incomplete(void **state)
{
    (void)state;
    for (int is_printed = 0; is_printed < 2; is_printed++) {
        /* as large as they come, and full but for one byte */
        struct ep_fields fields = {.room = SIZE_MAX / 2 + 1, .count = SIZE_MAX / 2};
        if (is_printed)
            ep_fields_print(&fields, "%d", 1);
        else
            ep_fields_add(&fields, "1");
        assert_true(fields.is_incomplete);
        assert_true(fields.count == SIZE_MAX / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_read_as_they_were_added),
        cmocka_unit_test(field_without_its_nul_is_none),
        cmocka_unit_test(nothing_has_no_field),
        cmocka_unit_test(fields_grow_with_what_is_added),
        cmocka_unit_test(field_longer_than_all_memory_makes_them_incomplete),
        cmocka_unit_test(text_that_no_memory_holds_makes_them_incomplete),
    };
    return cmocka_run_group_tests_name("fields", tests, NULL, NULL);
}
