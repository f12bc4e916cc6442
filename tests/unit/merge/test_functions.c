/* The functions of two images: which of them are the same, and which data of them the sum keeps. */
#include "merge_fixture.h"
#include "support/fake_image.h"

/* A module whose build-id has the same byte everywhere; 0: it has none. */
static ep_ref module_of(const char *path, uint8_t build)
{
    ep_ref ref = fake_module(path);
    struct ep_module_cell *module = fake_module_cell(ref);
    module->begin = module->bias = UINT64_C(0x555555554000);
    module->pages = 4;
    if (build) {
        module->build_id_bytes = EP_BUILD_ID_BYTES;
        memset(module->build_id, build, EP_BUILD_ID_BYTES);
    }
    return ref;
}

static struct ep_site_cell *named(ep_ref module, uint64_t address, const char *name,
                                  const char *file, uint32_t line)
{
    struct ep_site_cell *function = fake_function(module, address);
    fake_name(function, name, EP_NAMING_WHOLE);
    if (file)
        function->file = fake_text(file, &function->file_bytes);
    function->line = line;
    return function;
}

/* Calls of this number of ticks, below the root. */
static void call(const struct ep_site_cell *site, uint64_t ticks)
{
    struct ep_root_cell *root = ep_image_root(&fake);
    struct ep_thread_cell *thread =
        root->threads ? &fake.cells[root->threads].thread : fake_thread(0, NULL);
    if (!thread->nodes)
        fake_root(thread);
    const struct ep_node_cell *top = (struct ep_node_cell *)&fake.cells[thread->nodes];
    fake_visit(fake_node(thread, top, site->number), ticks, ticks);
}

static const struct ep_image *sum(void)
{
    return ep_merge_image(merge);
}

static const struct ep_module_cell *module_of_sum(ep_ref ref)
{
    return &sum()->cells[ref].module;
}

/* The n-th site of the sum; NULL if there are fewer sites. */
static const struct ep_site_cell *site_of_sum(unsigned n)
{
    ep_ref ref = ep_image_tree(sum())->sites;
    while (ref && n-- > 0)
        ref = sum()->cells[ref].site.next;
    return ref ? &sum()->cells[ref].site : NULL;
}

static void check_sites(unsigned count)
{
    add_up(MERGED);
    unsigned found = 0;
    while (site_of_sum(found))
        found++;
    assert_int_equal(found, count);
}

/* ------------------------------------------------------------- with a name -- */

/* The function is in another library, which was built again: functions with the same name are the
 * same. */
TEST(functions_are_the_same_by_file_line_and_name)
{
    begin_image();
    call(named(module_of("/lib/two.so", 1), 0x10, "f(int)", "a.cc", 1), 100);
    end_image(0);
    begin_image();
    call(named(module_of("/lib/one.so", 2), 0x20, "f(int)", "a.cc", 1), 1000);
    end_image(1);
    struct eprof_snapshot *snapshot = add_up(MERGED);
    const struct eprof_row *row = fake_row(snapshot, "f(int)");
    assert_string_equal(row->kind, "function");
    assert_string_equal(row->file, "a.cc");
    assert_int_equal(row->line, 1);
    assert_int_equal(row->calls, 2);
    assert_int_equal(row->total_ns, 1100);
    const struct ep_site_cell *site = site_of_sum(0);
    assert_int_equal(site->naming, EP_NAMING_WHOLE);
    assert_int_equal(site->function, 0x20);
    assert_string_equal(ep_image_string(sum(), module_of_sum(site->module)->path), "/lib/one.so");
}

TEST(functions_of_another_line_file_or_name_are_others)
{
    begin_image();
    call(named(module_of("/bin/p", 1), 0x10, "f", "a.c", 1), 100);
    end_image(0);
    begin_image();
    ep_ref module = module_of("/bin/p", 1);
    call(named(module, 0x10, "f", "a.c", 2), 100);
    call(named(module, 0x20, "f", "b.c", 1), 100);
    call(named(module, 0x30, "g", "a.c", 1), 100);
    call(named(module, 0x40, "f", NULL, 0), 100);
    end_image(1);
    check_sites(5);
}

TEST(scope_is_no_function_of_the_same_file_line_and_name)
{
    for (int i = 0; i < 2; i++) {
        begin_image();
        call(named(module_of("/bin/p", 1), 0x10, "f", "a.c", 1), 300);
        struct ep_root_cell *root = ep_image_root(&fake);
        struct ep_thread_cell *thread = &fake.cells[root->threads].thread;
        const struct ep_node_cell *top = (struct ep_node_cell *)&fake.cells[thread->nodes];
        fake_visit(fake_node(thread, top, fake_site("a.c", 1, "f")), 20, 20);
        end_image(i);
    }
    struct eprof_snapshot *snapshot = add_up(MERGED);
    const struct eprof_row *rows = snapshot->rows;
    assert_int_equal(snapshot->diagnostic_first, 2);
    assert_string_equal(rows[0].kind, "function");
    assert_int_equal(rows[0].total_ns, 600);
    assert_string_equal(rows[1].kind, "scope");
    assert_int_equal(rows[1].total_ns, 40);
}

/* ---------------------------------------------------------- without a name -- */

TEST(function_without_a_name_is_the_same_by_path_build_id_and_address)
{
    static const struct {
        const char *path;
        uint64_t address;
        uint8_t build;
    } functions[] = {{"/bin/p", 0x10, 1},
                     {"/bin/p", 0x10, 2},
                     {"/bin/p", 0x20, 1},
                     {"/bin/p", UINT64_C(7) << 32 | 0x10, 1},
                     {"/bin/p", UINT64_C(8) << 32 | 0x10, 1},
                     {"/bin/q", 0x10, 1},
                     {NULL, 0x10, 0}};
    enum { FUNCTIONS = sizeof functions / sizeof functions[0] };
    for (int i = 0; i < 2; i++) {
        begin_image();
        for (int n = 0; n < FUNCTIONS; n++) {
            int at = i ? FUNCTIONS - 1 - n : n;
            ep_ref module = module_of(functions[at].path, functions[at].build);
            call(fake_function(module, functions[at].address), 1);
        }
        end_image(i);
    }
    struct eprof_snapshot *snapshot = add_up(MERGED);
    static const char names[] = "0x10 p+0x10 p+0x20 p+0x700000010 p+0x800000010 p+0x10 q+0x10 ";
    check_names(snapshot, 0, snapshot->diagnostic_first, name_of_row, names);
    for (int i = 0; i < FUNCTIONS; i++) {
        assert_int_equal(snapshot->rows[i].calls, 2);
        assert_int_equal(site_of_sum((unsigned)i)->naming, EP_NAMING_NONE);
        assert_int_equal(site_of_sum((unsigned)i)->label, 0);
    }
}

static void make_modified(int which, uint64_t modified_ns, uint8_t build)
{
    begin_image();
    ep_ref module = module_of("/bin/p", build);
    fake_module_cell(module)->modified_ns = modified_ns;
    call(fake_function(module, 0x10), 1);
    end_image(which);
}

TEST(module_without_a_build_id_is_another_when_it_was_changed)
{
    make_modified(0, 7, 0);
    make_modified(1, 8, 0);
    check_sites(2);
    assert_int_equal(module_of_sum(site_of_sum(0)->module)->modified_ns, 7);
    assert_int_equal(module_of_sum(site_of_sum(1)->module)->modified_ns, 8);
}

TEST(module_with_a_build_id_is_the_same_when_it_was_copied)
{
    make_modified(0, 7, 3);
    make_modified(1, 8, 3);
    check_sites(1);
    assert_int_equal(module_of_sum(site_of_sum(0)->module)->modified_ns, 0);
}

/* The name is the best one that has been found so far. */
TEST(name_of_a_dynamic_symbol_does_not_make_another_function)
{
    static const char *const names[2] = {"_Zg", "_Zf"};
    for (int i = 0; i < 2; i++) {
        begin_image();
        ep_ref module = module_of("/bin/p", 1);
        call(fake_function(module, 0x10), 100); /* it has a name in the other image */
        struct ep_site_cell *function = fake_function(module, 0x20);
        fake_name(function, names[i], EP_NAMING_DYNAMIC);
        call(function, 10);
        if (i == 1)
            fake_name(&fake.cells[ep_image_tree(&fake)->sites].site, "_Zh", EP_NAMING_DYNAMIC);
        end_image(i);
    }
    struct eprof_snapshot *snapshot = add_up(MERGED);
    check_names(snapshot, 0, snapshot->diagnostic_first, name_of_row, "_Zh _Zf ");
    assert_int_equal(snapshot->rows[0].calls, 2);
    assert_int_equal(snapshot->rows[1].calls, 2);
    for (unsigned n = 0; n < 2; n++)
        assert_int_equal(site_of_sum(n)->naming, EP_NAMING_DYNAMIC);
}

/* A name was looked for, and not found. */
TEST(empty_name_is_none)
{
    for (int i = 0; i < 2; i++) {
        begin_image();
        ep_ref module = module_of("/bin/p", 1);
        for (uint64_t address = 0x10; address <= 0x20; address += 0x10) {
            struct ep_site_cell *function = fake_function(module, address);
            function->naming = EP_NAMING_WHOLE;
            function->line = 9;
            call(function, 10);
        }
        end_image(i);
    }
    check_sites(2);
    assert_int_equal(site_of_sum(0)->naming, EP_NAMING_NONE);
    assert_int_equal(site_of_sum(0)->function, 0x10);
    assert_int_equal(site_of_sum(0)->line, 0);
}

/* ---- kept marks ---- */

TEST(function_sampled_in_one_image_is_sampled_in_the_sum)
{
    for (int i = 0; i < 2; i++) {
        begin_image();
        ep_ref module = module_of("/bin/p", 1);
        struct ep_site_cell *f = named(module, 0x10, "f", NULL, 0);
        struct ep_site_cell *g = named(module, 0x20, "g", NULL, 0);
        f->is_sampled = i == 0;
        g->is_sampled = i == 1;
        call(f, 10);
        call(g, 10);
        call(named(module, 0x30, "h", NULL, 0), 10);
        end_image(i);
    }
    check_sites(3);
    assert_int_equal(site_of_sum(0)->is_sampled, 1);
    assert_int_equal(site_of_sum(1)->is_sampled, 1);
    assert_int_equal(site_of_sum(2)->is_sampled, 0);
}

/* Each process had loaded the module at another address, so the sum has no address. */
TEST(sum_has_the_modules_of_its_functions)
{
    begin_image();
    module_of("/lib/without.so", 9);
    call(fake_function(module_of("/lib/l.so", 3), 0x10), 10);
    call(named(module_of("/bin/p", 0), 0x30, "f", NULL, 0), 10);
    end_image(0);
    begin_image();
    call(named(module_of("/bin/q", 0), 0x30, "f", NULL, 0), 10); /* in the other it lies first */
    end_image(1);
    add_up(MERGED);
    const struct ep_module_cell *program = module_of_sum(ep_image_tree(sum())->modules);
    const struct ep_module_cell *library = module_of_sum(program->next);
    assert_string_equal(ep_image_string(sum(), program->path), "/bin/p");
    assert_int_equal(program->path_bytes, 6);
    assert_int_equal(program->build_id_bytes, 0);
    assert_string_equal(ep_image_string(sum(), library->path), "/lib/l.so");
    assert_int_equal(library->build_id_bytes, EP_BUILD_ID_BYTES);
    assert_int_equal(library->build_id[0], 3);
    assert_int_equal(library->build_id[EP_BUILD_ID_BYTES - 1], 3);
    assert_int_equal(library->begin | library->bias | library->pages, 0);
    assert_int_equal(library->next, 0);
}

/* The names of the image are asked for before another module of the function is seen. */
TEST(sum_has_not_the_modules_of_an_earlier_sum)
{
    static const char *const paths[2] = {"/lib/two.so", "/lib/one.so"};
    merge = ep_merge_begin(false);
    assert_non_null(merge);
    for (int i = 0; i < 2; i++) {
        begin_image();
        call(named(module_of(paths[i], 1), 0x10, "f", NULL, 0), 10);
        ep_merge_inspect(merge, fake.cells);
        assert_return_code(ep_merge_add(merge, &fake), errno);
        end_image(i);
        const struct ep_module_cell *only = module_of_sum(ep_image_tree(sum())->modules);
        assert_string_equal(ep_image_string(sum(), only->path), paths[i]);
        assert_int_equal(only->next, 0);
    }
}

TEST_EACH(NULL, merge_end)
