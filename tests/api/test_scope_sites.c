/*
 * Which scopes are one row and which are two: a site is file, line and label.
 *
 * The measured functions are in two files that look alike, in a header, in a shared library and in
 * a plug-in.
 */
#include "hand_clock.h"
#include "scratch.h"
#include "site_shared.h"
#include "tree_text.h"

#include <dlfcn.h>
#include <sys/mman.h>

void pass(uint64_t ticks)
{
    hand_ticks += ticks;
}

/* Returns how many rows have this name, and checks their file, calls and time. */
static size_t rows_named(const char *name, const char *file, uint64_t calls, uint64_t total_ns)
{
    size_t found = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        assert_int_equal(eprof_snapshot_row(snapshot, i, &row), 0);
        const char *base = strrchr(row.file, '/');
        base = base ? base + 1 : row.file;
        found += strcmp(row.name, name) == 0 && strcmp(base, file) == 0 && row.calls == calls &&
                 (has_counts_only() || row.total_ns == total_ns);
    }
    eprof_snapshot_free(snapshot);
    return found;
}

TEST(equal_names_at_equal_lines_of_two_files_are_two_rows)
{
    twin_one(1);
    twin_other(10);
    twin_other(10);
    assert_tree(
        "twin 1/1 1 0\ntwin 2/2 20 0\ntwin;twin block 1/1 1 1\ntwin;twin block 2/2 20 20\n");
    assert_int_equal(rows_named("twin", "site_twin_one.c", 1, 1), 1);
    assert_int_equal(rows_named("twin", "site_twin_other.c", 2, 20), 1);
    assert_int_equal(rows_named("twin block", "site_twin_one.c", 1, 1), 1);
    assert_int_equal(rows_named("twin block", "site_twin_other.c", 2, 20), 1);
}

TEST(inline_function_of_a_header_is_one_row_whoever_calls_it)
{
    twin_one_calls_inline(1);
    twin_other_calls_inline(10);
    shared_inline(100);
    assert_tree("shared_inline 3/3 222 111\nshared_inline;in a header 3/3 111 111\n");
    assert_int_equal(rows_named("shared_inline", "site_shared.h", 3, 222), 1);
}

TEST(two_sites_with_one_label_are_two_rows_with_their_lines)
{
    struct eprof_row first, second = {.size = sizeof second};
    if (has_counts_only())
        skip(); /* the rows are told apart by their order, which is that of times */
    EPROF_BLOCK("same") pass(100);
    unsigned line = __LINE__ - 1;
    EPROF_BLOCK("same") pass(1);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    first = second;
    assert_int_equal(eprof_snapshot_rows(snapshot), 2);
    assert_int_equal(eprof_snapshot_row(snapshot, 0, &first), 0);
    assert_int_equal(eprof_snapshot_row(snapshot, 1, &second), 0);
    assert_string_equal(first.path, "same");
    assert_string_equal(second.path, "same");
    assert_int_equal(first.line, line);
    assert_int_equal(second.line, line + 2);
    assert_string_equal(first.file, __FILE__);
    assert_string_equal(second.file, __FILE__);
    eprof_snapshot_free(snapshot);
}

TEST(two_labels_on_one_line_are_two_rows)
{
    for (int i = 0; i < 3; i++) {
        EPROF_BLOCK("a") EPROF_BLOCK("b") pass(1);
    }
    assert_tree("a 3/3 3 0\na;b 3/3 3 3\n");
}

static void one_site(uint64_t ticks)
{
    EPROF_SCOPE("one site");
    pass(ticks);
}

TEST(one_site_that_is_called_from_two_places_is_one_row)
{
    one_site(1);
    one_site(10);
    assert_tree("one site 2/2 11 11\n");
}

/* ------------------------------------------------- several parts of a program -- */

static void scope_of_the_program(uint64_t ticks)
{
    EPROF_SCOPE("scope");
    pass(10 * ticks);
}

TEST(scopes_of_a_library_and_of_the_program_nest)
{
    scope_of_the_program(1);
    library_scope(1, scope_of_the_program);
    assert_tree("scope 1/1 10 10\nscope 1/1 13 1\nscope;scope 1/1 10 10\n"
                "scope;shared_inline 1/1 2 1\nscope;shared_inline;in a header 1/1 1 1\n");
    assert_int_equal(rows_named("scope", "site_library.c", 1, 13), 1);
}

TEST(inline_function_is_one_row_in_library_and_program)
{
    EPROF_BLOCK("around")
    {
        shared_inline(1);
        library_scope(10, shared_inline);
    }
    assert_tree("around 1/1 52 0\naround;scope 1/1 50 10\n"
                "around;scope;shared_inline 2/2 40 20\n"
                "around;scope;shared_inline;in a header 2/2 20 20\n"
                "around;shared_inline 1/1 2 1\naround;shared_inline;in a header 1/1 1 1\n");
}

/* Calls a plug-in, closes it for good, and maps memory in its place, so that it will be loaded
 * elsewhere. */
static void call_plugin(const char *path, uint64_t ticks)
{
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin)
        fail_msg("%s", dlerror());
    plugin_act act;
    *(void **)&act = dlsym(plugin, "plugin_main");
    assert_non_null(act);
    act(ticks);
    Dl_info info;
    assert_int_not_equal(dladdr(*(void **)&act, &info), 0);
    assert_int_equal(dlclose(plugin), 0);
    assert_null(dlopen(path, RTLD_NOW | RTLD_NOLOAD));
    void *place = mmap(info.dli_fbase, 4096, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    assert_ptr_equal(place, info.dli_fbase);
}

TEST(plugin_that_is_closed_and_opened_again_is_one_row)
{
    for (int i = 0; i < 5; i++)
        call_plugin(EPROF_TEST_PLUGIN, 1);
    assert_tree("plugin_main 5/5 10 5\nplugin_main;in the plug-in 5/5 5 5\n");
    assert_int_equal(rows_named("plugin_main", "site_plugin.c", 5, 10), 1);
    assert_diagnostics("");
}

/* ---------------------------------------------------------------------- csv -- */

static int begin_in_scratch(void **state)
{
    return hand_clock_begin(state) || scratch_enter(state);
}

TEST_BETWEEN(csv_has_file_and_line, begin_in_scratch, scratch_leave)
{
    char expected[2][256];
    if (has_counts_only())
        skip(); /* the line that is expected has times */
    EPROF_BLOCK("same") pass(1);
    EPROF_BLOCK("same") pass(10);
    int line = __LINE__ - 2;
    FILE *out = fopen("figures", "w");
    assert_non_null(out);
    assert_int_equal(eprof_report(out, "csv"), 0);
    fclose(out);
    snprintf(expected[0], sizeof expected[0], "scope,same,same,*,%s,%d,1,1,0,0,1,1,", __FILE__,
             line);
    snprintf(expected[1], sizeof expected[1], "scope,same,same,*,%s,%d,1,1,0,0,10,10,", __FILE__,
             line + 1);
    const char *csv = scratch_read("figures");
    for (int i = 0; i < 2; i++)
        if (!strstr(csv, expected[i]))
            fail_msg("%s is not in:\n%s", expected[i], csv);
}

TEST_EACH(hand_clock_begin, NULL)
