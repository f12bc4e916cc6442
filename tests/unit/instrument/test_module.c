/* The modules of functions, as the loader reports them: many modules, unloaded ones, damaged
 * ones. */
#include <dlfcn.h>
#include <elf.h>
#include <eprof.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/platform.h"
#include "instrument/function_filter.h"
#include "instrument/module.h"
#include "support/test.h"

static char folder[] = P_tmpdir "/eprof-module-XXXXXX";

static int enter(void **state)
{
    (void)state;
    eprof_init();
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

/* ---- plug-ins: copies of one file ---- */

static void copy_plugin(const char *to)
{
    static char bytes[1 << 20];
    FILE *from = fopen(EPROF_TEST_PLUGIN, "re"), *copy = fopen(to, "we");
    assert_non_null(from);
    assert_non_null(copy);
    size_t count = fread(bytes, 1, sizeof bytes, from);
    assert_in_range(count, 1000, sizeof bytes - 1);
    assert_int_equal(fwrite(bytes, 1, count, copy), count);
    fclose(from);
    assert_int_equal(fclose(copy), 0);
}

/* Returns the address of its function. Its file is `name` in the folder; the caller must remove the
 * file. */
static uintptr_t load(const char *name)
{
    char path[sizeof folder + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    copy_plugin(path);
    void *plugin = dlopen(path, RTLD_NOW);
    if (!plugin)
        fail_msg("%s", dlerror());
    void *function = dlsym(plugin, "plugin_work");
    assert_non_null(function);
    return (uintptr_t)function;
}

static const char *path_of(const struct ep_loaded_module *module)
{
    const struct ep_module_cell *cell = &ep_image_cell(&ep_process.image, module->ref)->module;
    return ep_image_string(&ep_process.image, cell->path);
}

static const struct ep_module_cell *cell_of(const struct ep_loaded_module *module)
{
    return &ep_image_cell(&ep_process.image, module->ref)->module;
}

static void (*while_asking)(void); /* only once */
static uintptr_t asked_of;

static void ask(struct ep_loaded_module *module, const struct ep_module_cell *cell,
                const char *path)
{
    void (*act)(void) = while_asking;
    while_asking = NULL;
    (void)cell;
    (void)path;
    if (!asked_of)
        return;
    module->left_out = ep_platform_allocate(sizeof *module->left_out);
    module->left_out_count = 1;
    if (act)
        act();
}

static void assert_found(uintptr_t address, const char *name, struct ep_loaded_module *module)
{
    assert_return_code(ep_module_find(address, module, ask), errno);
    assert_in_range(address, module->begin, module->end - 1);
    const char *path = path_of(module), *slash = strrchr(path, '/');
    assert_non_null(slash);
    assert_string_equal(slash + 1, name);
}

TEST(there_may_be_any_number_of_modules)
{
    enum { MODULES = 300 };
    static uintptr_t addresses[MODULES];
    struct ep_loaded_module module;
    char name[16];
    for (int i = 0; i < MODULES; i++) {
        snprintf(name, sizeof name, "%d.so", i);
        addresses[i] = load(name);
        assert_found(addresses[i], name, &module);
        assert_int_equal(unlink(name), 0);
    }
    for (int i = 0; i < MODULES; i++) {
        snprintf(name, sizeof name, "%d.so", i);
        assert_found(addresses[i], name, &module);
    }
}

TEST(module_whose_file_is_gone_is_known_by_its_name)
{
    struct ep_loaded_module module;
    uintptr_t address = load("gone.so");
    assert_int_equal(unlink("gone.so"), 0);
    assert_found(address, "gone.so", &module);
    assert_int_equal(cell_of(&module)->modified_ns, 0);
}

/* ---- damaged in memory ---- */

/* The page may contain code too: not every linker puts these data on separate pages. */
static ElfW(Ehdr) * writable_header(uintptr_t address)
{
    Dl_info symbol;
    assert_int_not_equal(dladdr((void *)address, &symbol), 0);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    assert_return_code(mprotect(symbol.dli_fbase, page, PROT_READ | PROT_WRITE | PROT_EXEC), errno);
    return symbol.dli_fbase;
}

TEST(module_without_its_header_is_found_by_the_loader)
{
    struct ep_loaded_module module;
    uintptr_t address = load("headless.so");
    ElfW(Ehdr) *header = writable_header(address);
    header->e_ident[EI_MAG0] = 0;
    assert_found(address, "headless.so", &module);
    assert_int_not_equal(cell_of(&module)->modified_ns, 0);
    header->e_ident[EI_MAG0] = ELFMAG0;
    assert_int_equal(unlink("headless.so"), 0);
}

static void spoil_notes(uintptr_t address)
{
    ElfW(Ehdr) *header = writable_header(address);
    const ElfW(Phdr) *parts = (const void *)((const char *)header + header->e_phoff);
    int spoilt = 0;
    for (int i = 0; i < header->e_phnum; i++)
        if (parts[i].p_type == PT_NOTE) {
            ElfW(Nhdr) *note = (void *)((char *)header + parts[i].p_vaddr);
            note->n_descsz = 0xFFFFFF;
            spoilt++;
        }
    assert_int_not_equal(spoilt, 0);
}

TEST(module_with_a_note_that_has_no_end_has_no_build_id)
{
    struct ep_loaded_module module;
    uintptr_t address = load("notes.so");
    spoil_notes(address);
    assert_found(address, "notes.so", &module);
    assert_int_equal(cell_of(&module)->build_id_bytes, 0);
    assert_int_equal(unlink("notes.so"), 0);
}

/* ---- found by two threads ---- */

static struct ep_loaded_module others;

static void find_it_first(void)
{
    assert_found(asked_of, "both.so", &others);
}

TEST(module_that_another_thread_has_found_meanwhile_is_one)
{
    struct ep_loaded_module module;
    asked_of = load("both.so");
    while_asking = find_it_first;
    assert_found(asked_of, "both.so", &module);
    asked_of = 0;
    assert_ptr_equal(module.left_out, others.left_out);
    assert_int_equal(module.ref, others.ref);
    assert_int_equal(unlink("both.so"), 0);
}

TEST_ALL(enter, leave)
