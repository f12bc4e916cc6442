/*
 * image-2.eprof has the first version of the format that has functions, and is never changed.
 * tests/golden/record_functions.c recorded it, and describes how.
 */
#include <stdlib.h>

#include "image/read.h"
#include "merge/merge.h"
#include "support/made_snapshot.h"

static struct ep_image image;

static int begin_test(void **state)
{
    (void)state;
    struct ep_image_file_state file;
    const char *why = NULL;
    int result = ep_image_read(EPROF_GOLDEN_DIR "/image-2.eprof", &image, &file, &why);
    if (result != 0)
        print_error("%s\n", why);
    return result;
}

static int end_test(void **state)
{
    (void)state;
    ep_image_destroy(&image);
    return 0;
}

static void assert_report(const char *format, const char *file)
{
    assert_string_equal(reported_image(&image, format), golden(file));
}

TEST(functions_are_read_as_table)
{
    assert_report("table", "image-2.txt");
}

TEST(functions_are_read_as_tree)
{
    assert_report("tree", "image-2.tree");
}

TEST(functions_are_read_as_csv)
{
    assert_report("csv", "image-2.csv");
}

TEST(functions_are_read_as_json)
{
    assert_report("json", "image-2.json");
}

TEST(second_version_identifies_its_writer)
{
    const struct ep_identity_cell *identity = &image.cells[EP_CELL_IDENTITY].identity;
    assert_int_equal(identity->version, 2);
    assert_int_equal(identity->state, EP_STATE_CLOSED);
    assert_int_equal(identity->not_closed, 0);
}

/* The program and its library, which was already removed when names were looked up. */
TEST(functions_lie_in_two_modules)
{
    ep_ref first = ep_image_tree(&image)->modules;
    const struct ep_module_cell *module = &image.cells[first].module;
    const struct ep_module_cell *second = &image.cells[module->next].module;
    const char *paths[2] = {ep_image_string(&image, module->path),
                            ep_image_string(&image, second->path)};
    assert_string_equal(strrchr(paths[0], '/'), "/record_functions");
    assert_string_equal(strrchr(paths[1], '/'), "/plugin.so");
    assert_int_equal(second->next, 0);
    assert_int_equal(module->build_id_bytes, EP_BUILD_ID_BYTES);
    assert_true(module->begin && module->bias && module->pages && module->modified_ns);
}

/* The functions in the order of their first use: with and without names, and one of them
 * sampled. */
TEST(functions_are_named_as_far_as_they_could_be)
{
    static const struct {
        const char *name;
        enum ep_site_naming naming;
        bool is_sampled;
    } expected[] = {{"call_plugin", EP_NAMING_WHOLE, false},
                    {"plugin_run", EP_NAMING_DYNAMIC, false},
                    {"", EP_NAMING_NONE, false},
                    {"work", EP_NAMING_WHOLE, false},
                    {"brief", EP_NAMING_WHOLE, true}};
    size_t found = 0;
    const struct ep_site_cell *site;
    for (ep_ref ref = ep_image_tree(&image)->sites; ref; ref = site->next) {
        site = &image.cells[ref].site;
        if (!site->module)
            continue;
        assert_in_range(found, 0, 4);
        assert_string_equal(ep_image_string(&image, site->label), expected[found].name);
        assert_int_equal(site->naming, expected[found].naming);
        assert_int_equal(site->is_sampled, expected[found].is_sampled);
        found++;
    }
    assert_int_equal(found, 5);
}

TEST(sum_of_it_has_twice_its_calls)
{
    struct ep_merge *merge = ep_merge_begin(false);
    assert_non_null(merge);
    for (int i = 0; i < 2; i++)
        ep_merge_inspect(merge, image.cells);
    for (int i = 0; i < 2; i++)
        assert_return_code(ep_merge_add(merge, &image), errno);
    const struct ep_snapshot_options none = {.threads = false};
    struct eprof_snapshot *one = snapshot_keep(ep_snapshot_take_stored(&image, none));
    struct eprof_snapshot *two =
        snapshot_keep(ep_snapshot_take_stored(ep_merge_image(merge), none));
    assert_int_equal(two->row_count, one->row_count);
    for (size_t i = 0; i < one->row_count; i++) {
        assert_string_equal(two->rows[i].name, one->rows[i].name);
        assert_string_equal(two->rows[i].kind, one->rows[i].kind);
        assert_int_equal(two->rows[i].calls, 2 * one->rows[i].calls);
        assert_int_equal(two->rows[i].total_ns, 2 * one->rows[i].total_ns);
    }
    assert_int_equal(two->sampled_count, 1);
    ep_merge_end(merge);
}

TEST_EACH(begin_test, end_test)
