/* The names of functions of the C library, as the dynamic loader knows them. */
#include <dlfcn.h>
#include <errno.h>
#include <search.h>
#include <string.h>

#include "instrument/module.h"
#include "record/process_life.h"
#include "support/test.h"

enum { PAGES = 4096 }; /* more functions than the C library has */

static uintptr_t begin_of_library;

/* ---- functions that were entered ---- */

static ep_ref module_at(uintptr_t begin)
{
    struct ep_tree_cell *tree = ep_image_tree(&ep_process.image);
    ep_ref ref = ep_image_take(&ep_process.image, 1);
    assert_int_not_equal(ref, 0);
    struct ep_module_cell *module = &ep_process.image.cells[ref].module;
    module->begin = module->bias = begin;
    module->pages = PAGES;
    *(tree->last_module ? &ep_process.image.cells[tree->last_module].module.next : &tree->modules) =
        ref;
    tree->last_module = ref;
    return ref;
}

static struct ep_site_cell *site_at(ep_ref module, uintptr_t address)
{
    struct ep_tree_cell *tree = ep_image_tree(&ep_process.image);
    ep_ref ref = ep_image_take(&ep_process.image, 1);
    assert_int_not_equal(ref, 0);
    struct ep_site_cell *site = &ep_process.image.cells[ref].site;
    site->number = ++tree->site_count;
    site->module = module;
    site->function = module ? address - ep_process.image.cells[module].module.bias : 0;
    *(tree->last_site ? &ep_process.image.cells[tree->last_site].site.next : &tree->sites) = ref;
    tree->last_site = ref;
    return site;
}

static struct ep_site_cell *enter(uintptr_t begin, uintptr_t address)
{
    assert_return_code(ep_process_lock(), errno);
    struct ep_site_cell *site = site_at(module_at(begin), address);
    ep_process_unlock();
    return site;
}

static void assert_is_named(const struct ep_site_cell *site, const char *name,
                            enum ep_site_naming naming)
{
    assert_string_equal(ep_image_string(&ep_process.image, site->label), name);
    assert_int_equal(site->label_bytes, strlen(name));
    assert_int_equal(site->naming, naming);
    assert_int_equal(site->file, 0);
    assert_int_equal(site->line, 0);
}

static int find_library(void **state)
{
    Dl_info library;
    (void)state;
    if (!dladdr((const void *)(uintptr_t)lfind, &library))
        return -1;
    begin_of_library = (uintptr_t)library.dli_fbase;
    return 0;
}

/* The address in the library, and not that of a jump to it in this program. */
static uintptr_t address_of(const char *name)
{
    void *address = dlsym(RTLD_DEFAULT, name);
    assert_non_null(address);
    return (uintptr_t)address;
}

static void find(void)
{
    assert_return_code(ep_module_names_find(), errno);
}

/* ---- named functions ---- */

TEST(function_has_the_name_of_its_symbol)
{
    struct ep_site_cell *site = enter(begin_of_library, address_of("lfind"));
    find();
    assert_is_named(site, "lfind", EP_NAMING_DYNAMIC);
}

TEST(functions_that_are_entered_later_are_named_later)
{
    struct ep_site_cell *first = enter(begin_of_library, address_of("lfind"));
    find();
    struct ep_site_cell *second = enter(begin_of_library, address_of("lsearch"));
    find();
    assert_is_named(first, "lfind", EP_NAMING_DYNAMIC);
    assert_is_named(second, "lsearch", EP_NAMING_DYNAMIC);
}

TEST(function_after_a_symbol_does_not_get_its_name)
{
    struct ep_site_cell *site = enter(begin_of_library, address_of("lfind") + 1);
    find();
    assert_is_named(site, "", EP_NAMING_NONE);
}

/* The symbols of a library do not change, and a library may have many. */
TEST(function_without_a_symbol_is_looked_for_once)
{
    struct ep_site_cell *site = enter(begin_of_library, address_of("lfind") + 1);
    find();
    site->function--;
    find();
    assert_is_named(site, "", EP_NAMING_NONE);
}

TEST(function_of_a_library_that_lay_there_before_is_not_named)
{
    uintptr_t before = begin_of_library + ((uintptr_t)PAGES << 12);
    struct ep_site_cell *site = enter(before, address_of("lfind"));
    find();
    assert_is_named(site, "", EP_NAMING_NONE);
}

TEST(code_of_no_library_is_not_named)
{
    static char code[64];
    struct ep_site_cell *site = enter((uintptr_t)code & ~(uintptr_t)0xFFF, 0x10);
    find();
    assert_is_named(site, "", EP_NAMING_NONE);
}

TEST(name_that_is_known_stays)
{
    struct ep_site_cell *site = enter(begin_of_library, address_of("lfind"));
    site->naming = EP_NAMING_WHOLE;
    find();
    assert_is_named(site, "", EP_NAMING_WHOLE);
}

TEST(scopes_are_left_alone)
{
    assert_return_code(ep_process_lock(), errno);
    struct ep_site_cell *site = site_at(0, 0);
    ep_process_unlock();
    find();
    assert_is_named(site, "", EP_NAMING_NONE);
}

TEST_ALL(find_library, NULL)
