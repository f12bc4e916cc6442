/* Functions and their modules: each kind of fault is found, and incomplete data that a kill or a
 * full disk left is not a fault. */
#include "support/fake_profile.h"

#define BEYOND "a module beyond its end"
#define SHARED "a module in cells that are in use already"

/* ----------------------------------------------------------------- modules -- */

static void check_link(ep_ref *link)
{
    const ep_ref right = *link;
    const ep_ref beyond[] = {end_cell(), UINT32_MAX};
    const ep_ref shared[] = {1, EP_HEADER_CELLS - 1, made.main->diagnostics,
                             fake_ref(made.inner) + 1, ep_image_tree(&fake)->modules};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        *link = beyond[i];
        check_fault(BEYOND);
    }
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
        if (shared[i] == right)
            continue;
        *link = shared[i];
        check_fault(SHARED);
    }
    *link = right;
    check_sound();
}

TEST(list_of_modules_is_checked)
{
    check_link(&ep_image_tree(&fake)->modules);
    check_link(&made.module->next);
    check_link(&made.second_module->next);
}

TEST(list_of_modules_that_comes_back_to_itself_is_found)
{
    made.second_module->next = fake_ref(made.second_module);
    check_fault(SHARED);
}

TEST(build_id_is_bounded)
{
    made.module->build_id_bytes = 0;
    check_sound();
    made.module->build_id_bytes = EP_BUILD_ID_BYTES + 1;
    check_fault("a build-id that is too long");
    made.module->build_id_bytes = UINT32_MAX;
    check_fault("a build-id that is too long");
}

TEST(path_is_checked)
{
    const struct ep_module_cell right = *made.module;
    const ep_ref wrong[] = {
        0, end_cell(), UINT32_MAX, 1, made.main->diagnostics, made.second_module->path};
    const uint32_t wrong_bytes[] = {0, right.path_bytes - 1, right.path_bytes + 1,
                                    EP_LABEL_BYTES + 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        made.module->path = wrong[i];
        check_fault("a module whose path");
        *made.module = right;
    }
    for (size_t i = 0; i < sizeof wrong_bytes / sizeof wrong_bytes[0]; i++) {
        made.module->path_bytes = wrong_bytes[i];
        check_fault("a module whose path");
        *made.module = right;
    }
    made.module->path = made.module->path_bytes = 0; /* it is not known */
    check_sound();
}

TEST(path_that_a_site_has_as_well_is_found)
{
    made.site->label = made.module->path;
    made.site->label_bytes = made.module->path_bytes;
    check_fault("a site whose name");
}

/* --------------------------------------------------------------- functions -- */

TEST(module_of_a_function_is_checked)
{
    const ep_ref wrong[] = {end_cell(),        UINT32_MAX,          1, made.main->diagnostics,
                            made.module->path, fake_ref(made.named)};
    struct ep_site_cell *before = &fake.cells[made.site->next].site; /* the list ends after it */
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        made.named->module = wrong[i];
        check_fault("a function in no module");
        before->next = fake_ref(made.named);
    }
    made.named->module = fake_ref(made.module);
    check_sound();
}

TEST(naming_is_bounded)
{
    made.named->naming = EP_NAMING_DYNAMIC;
    check_sound();
    made.named->naming = EP_NAMING_WHOLE + 1;
    check_fault("a function named in a way that there is not");
    made.named->naming = UINT16_MAX;
    check_fault("a function named in a way that there is not");
}

TEST(name_of_a_function_is_checked)
{
    const struct ep_site_cell right = *made.named;
    const uint32_t wrong_bytes[] = {0, right.label_bytes - 1, right.label_bytes + 1,
                                    EP_LABEL_BYTES + 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong_bytes / sizeof wrong_bytes[0]; i++) {
        made.named->label_bytes = wrong_bytes[i];
        check_fault("a site whose name");
        *made.named = right;
    }
    const ep_ref wrong[] = {
        0, end_cell(), UINT32_MAX, 1, made.main->diagnostics, made.module->path};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        made.named->file = wrong[i];
        check_fault("a site whose name");
        *made.named = right;
    }
    check_sound();
}

/* The kill came while the function was given another name. */
TEST(name_without_a_naming_is_none)
{
    const struct ep_site_cell none = {.number = made.named->number,
                                      .function = made.named->function,
                                      .module = made.named->module,
                                      .next = made.named->next};
    struct ep_site_cell wrong[4] = {none, none, none, none};
    wrong[0].label = made.named->label;
    wrong[1].label_bytes = made.named->label_bytes;
    wrong[2].file = made.named->file;
    wrong[3].file_bytes = made.named->file_bytes;
    for (int i = 0; i < 4; i++) {
        *made.named = wrong[i];
        check_sound();
        assert_memory_equal(made.named, &none, sizeof none);
    }
}

TEST(functions_may_share_a_file)
{
    fake_name(made.nameless, "twice", EP_NAMING_WHOLE);
    made.nameless->file = made.named->file;
    made.nameless->file_bytes = made.named->file_bytes;
    check_sound();
}

/* If a site is not a function, its fields for functions are not checked. */
TEST(scope_is_in_no_module)
{
    made.site->is_sampled = UINT16_MAX;
    made.site->budget_ns = UINT64_MAX;
    for (int kind = EP_SITE_SCOPE; kind <= EP_SITE_OVER; kind++) {
        made.site->kind = (uint16_t)kind;
        check_sound();
    }
    made.site->kind = EP_SITE_OVER + 1;
    check_fault("a site of a kind that there is not");
}

/* ------------------------------------------------------- incomplete names -- */

static void leave_locked(void)
{
    fake.cells[EP_CELL_LOCK].lock.changes = 7;
}

static void check_is_nameless(const struct ep_site_cell *function)
{
    assert_int_equal(function->naming, EP_NAMING_NONE);
    assert_int_equal(function->label, 0);
    assert_int_equal(function->label_bytes, 0);
    assert_int_equal(function->file, 0);
    assert_int_equal(function->file_bytes, 0);
    assert_int_equal(function->line, 0);
}

TEST(function_that_was_being_named_has_no_name)
{
    leave_locked();
    made.named->naming = EP_NAMING_NONE;
    check_sound();
    check_is_nameless(made.named);
    assert_int_equal(made.named->function, 0x1139);
    assert_int_equal(made.named->next, fake_ref(made.nameless));
}

/* The longer text is there, with the length of the shorter one. */
TEST(function_that_was_being_renamed_has_no_name)
{
    leave_locked();
    made.named->naming = EP_NAMING_DYNAMIC;
    made.named->label_bytes = 3;
    check_sound();
    check_is_nameless(made.named);
}

/* The shorter text is there, with a length that by chance ends where another text does. */
TEST(half_a_name_does_not_affect_others)
{
    leave_locked();
    uint32_t bytes;
    made.named->label = fake_text("short", &bytes);
    ep_ref other = fake_text("another", &bytes);
    made.nameless->label = other;
    made.nameless->label_bytes = bytes;
    made.nameless->naming = EP_NAMING_DYNAMIC;
    made.named->label_bytes = (other - made.named->label) * EP_CELL_BYTES + bytes;
    check_sound();
    check_is_nameless(made.named);
    assert_int_equal(made.nameless->label, other);
}

TEST(function_whose_module_was_cut_off_is_none)
{
    fake.cells[EP_CELL_IDENTITY].identity.cut_short = 1;
    fake.cells[EP_CELL_IDENTITY].identity.state = EP_STATE_RUNNING;
    made.module->next = end_cell();
    check_sound();
    assert_int_equal(made.module->next, 0);
    assert_int_equal(made.named->next, 0);
    assert_int_equal(ep_image_tree(&fake)->site_count, made.named->number);
}

TEST(path_that_was_cut_off_is_not_known)
{
    fake.cells[EP_CELL_IDENTITY].identity.cut_short = 1;
    fake.cells[EP_CELL_IDENTITY].identity.state = EP_STATE_RUNNING;
    made.module->path = end_cell();
    made.named->label = end_cell();
    check_sound();
    assert_int_equal(made.module->path, 0);
    assert_int_equal(made.module->path_bytes, 0);
    check_is_nameless(made.named);
}

TEST_EACH(fault_begin, fake_end)
