#include "module.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "function_filter.h"
#include "platform.h"

/* A page of them at first. */
enum { MODULES_AT_FIRST = 128 };

/* What the dynamic loader tells of a module. In pages of its own: the stack may be a signal
 * handler's. */
struct sight {
    uintptr_t address; /* that it is looked for by */
    struct ep_loaded_module module;
    struct ep_module_cell cell; /* what there will be of it but the path */
    char name[PATH_MAX];        /* as the loader has it */
    char path[PATH_MAX];        /* absolute; "": not known */
};

/* ---- seen ---- */

static bool is_build_id(const ElfW(Nhdr) * note, const char *name)
{
    return note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof "GNU" &&
           memcmp(name, "GNU", sizeof "GNU") == 0;
}

static size_t aligned(size_t bytes, size_t to)
{
    return (bytes + to - 1) & ~(to - 1);
}

static void read_notes(struct ep_module_cell *cell, const char *at, size_t bytes, size_t to)
{
    while (bytes >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)at;
        const char *name = at + sizeof *note;
        size_t before = aligned(sizeof *note + note->n_namesz, to);
        size_t length = before + aligned(note->n_descsz, to);
        if (length > bytes)
            return;
        if (is_build_id(note, name)) {
            cell->build_id_bytes =
                note->n_descsz < EP_BUILD_ID_BYTES ? note->n_descsz : EP_BUILD_ID_BYTES;
            memcpy(cell->build_id, at + before, cell->build_id_bytes);
            return;
        }
        at += length;
        bytes -= length;
    }
}

/* Where the page of an address begins. */
static uintptr_t page(uintptr_t address)
{
    return address & ~(uintptr_t)0xFFF;
}

static bool is_inside(const struct dl_phdr_info *info, uintptr_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD &&
            address - (info->dlpi_addr + segment->p_vaddr) < segment->p_memsz)
            return true;
    }
    return false;
}

static void find_range(const struct dl_phdr_info *info, struct ep_loaded_module *module)
{
    module->bias = info->dlpi_addr;
    module->begin = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD)
            continue;
        if (page(begin) < module->begin)
            module->begin = page(begin);
        if (page(begin + segment->p_memsz + 0xFFF) > module->end)
            module->end = page(begin + segment->p_memsz + 0xFFF);
    }
}

static void find_build_id(const struct dl_phdr_info *info, struct ep_module_cell *cell)
{
    for (int i = 0; i < info->dlpi_phnum && !cell->build_id_bytes; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_NOTE)
            read_notes(cell, (const char *)(info->dlpi_addr + segment->p_vaddr), segment->p_memsz,
                       segment->p_align == 8 ? 8 : 4);
    }
}

static int look(struct dl_phdr_info *info, size_t bytes, void *data)
{
    struct sight *sight = data;
    (void)bytes;
    if (!is_inside(info, sight->address))
        return 0;
    strncpy(sight->name, info->dlpi_name ? info->dlpi_name : "", sizeof sight->name - 1);
    find_range(info, &sight->module);
    find_build_id(info, &sight->cell);
    return 1;
}

/* The loader has no name for the program itself. */
static void find_path(struct sight *sight)
{
    if (!*sight->name) {
        ssize_t bytes = readlink("/proc/self/exe", sight->path, sizeof sight->path - 1);
        sight->path[bytes > 0 ? bytes : 0] = '\0';
    } else if (!realpath(sight->name, sight->path))
        strcpy(sight->path, sight->name);
}

static void describe(struct sight *sight)
{
    struct stat status;
    struct ep_module_cell *cell = &sight->cell;
    cell->begin = sight->module.begin;
    cell->bias = sight->module.bias;
    cell->pages = (uint32_t)((sight->module.end - sight->module.begin) >> 12);
    if (*sight->path && stat(sight->path, &status) == 0)
        cell->modified_ns =
            (uint64_t)status.st_mtim.tv_sec * 1000000000 + (uint64_t)status.st_mtim.tv_nsec;
}

static void see(struct sight *sight)
{
    if (dl_iterate_phdr(look, sight)) {
        find_path(sight);
        describe(sight);
    } else {
        sight->module.begin = page(sight->address);
        sight->module.end = sight->module.begin + page(0x1FFF);
    }
}

/* ---- in the image ---- */

static bool is_same(const struct ep_module_cell *cell, const struct sight *sight, size_t path_bytes)
{
    return cell->path_bytes == path_bytes && cell->build_id_bytes == sight->cell.build_id_bytes &&
           cell->modified_ns == sight->cell.modified_ns &&
           memcmp(cell->build_id, sight->cell.build_id, EP_BUILD_ID_BYTES) == 0 &&
           memcmp(ep_image_string(&ep_process.image, cell->path), sight->path, path_bytes) == 0;
}

static ep_ref make(const struct sight *sight, size_t path_bytes)
{
    struct ep_tree_cell *tree = ep_image_tree(&ep_process.image);
    uint32_t cells;
    ep_ref ref = ep_image_take(&ep_process.image, 1);
    ep_ref path = ref && path_bytes
                      ? ep_image_text(&ep_process.image, sight->path, (uint32_t)path_bytes, &cells)
                      : 0;
    if (!ref || (path_bytes && !path))
        return 0;
    struct ep_module_cell *cell = &ep_process.image.cells[ref].module;
    *cell = sight->cell;
    cell->path = path;
    cell->path_bytes = (uint32_t)path_bytes;
    ep_ref last = tree->last_module;
    /* pairs with the readers' acquire */
    ep_store_release(last ? &ep_process.image.cells[last].module.next : &tree->modules, ref);
    tree->last_module = ref;
    return ref;
}

static ep_ref find_or_make(const struct sight *sight)
{
    size_t path_bytes = strnlen(sight->path, EP_LABEL_BYTES);
    const struct ep_module_cell *cell;
    for (ep_ref ref = ep_image_tree(&ep_process.image)->modules; ref; ref = cell->next) {
        cell = &ep_process.image.cells[ref].module;
        if (is_same(cell, sight, path_bytes))
            return ref;
    }
    return make(sight, path_bytes);
}

/* ---- loaded ---- */

static bool find_loaded(uintptr_t address, struct ep_loaded_module *found)
{
    const struct ep_loaded_modules *modules = &ep_process.modules;
    for (uint32_t i = 0; i < modules->count; i++)
        if (address - modules->at[i].begin < modules->at[i].end - modules->at[i].begin) {
            *found = modules->at[i];
            return true;
        }
    return false;
}

static bool has_room(struct ep_loaded_modules *modules)
{
    if (modules->count < modules->room)
        return true;
    uint32_t room = modules->room ? 2 * modules->room : MODULES_AT_FIRST;
    struct ep_loaded_module *larger = ep_platform_allocate(room * sizeof *larger);
    if (!larger)
        return false;
    if (modules->count) {
        memcpy(larger, modules->at, modules->count * sizeof *larger);
        ep_platform_release(modules->at, modules->room * sizeof *larger);
    }
    modules->at = larger;
    modules->room = room;
    return true;
}

static int add(struct sight *sight)
{
    struct ep_loaded_modules *modules = &ep_process.modules;
    sight->module.ref = find_or_make(sight);
    if (!sight->module.ref || !has_room(modules))
        return -1;
    modules->at[modules->count++] = sight->module;
    return 0;
}

int ep_module_find(uintptr_t address, struct ep_loaded_module *module)
{
    ep_process_mutex_lock();
    bool is_found = find_loaded(address, module);
    ep_process_mutex_unlock();
    if (is_found)
        return 0;
    struct sight *sight = ep_platform_allocate(sizeof *sight);
    if (!sight)
        return -1;
    sight->address = address;
    see(sight);
    ep_function_filter_ask(&sight->module, &sight->cell, sight->path);
    ep_process_mutex_lock();
    int result = 0;
    if (!find_loaded(address, module)) { /* it may have come meanwhile */
        result = add(sight);
        *module = sight->module;
    }
    ep_process_mutex_unlock();
    ep_platform_release(sight, sizeof *sight);
    return result;
}

/* ---- unloaded ---- */

/* Those that were known before the loader was asked, and have not been found yet. */
struct search {
    uintptr_t begin;
    bool is_found;
};

static int look_again(struct dl_phdr_info *info, size_t bytes, void *data)
{
    struct search *search = data;
    (void)bytes;
    struct ep_loaded_module module = {.end = 0};
    find_range(info, &module);
    search->is_found = module.begin == search->begin;
    return search->is_found;
}

void ep_module_refresh(void (*gone)(const struct ep_loaded_module *module))
{
    struct ep_loaded_modules *modules = &ep_process.modules;
    struct search search = {.begin = 0};
    for (uint32_t i = 0;; i++) {
        ep_process_mutex_lock();
        bool is_there = i < modules->count;
        if (is_there)
            search.begin = modules->at[i].begin;
        ep_process_mutex_unlock();
        if (!is_there)
            return;
        dl_iterate_phdr(look_again, &search);
        ep_process_mutex_lock();
        if (!search.is_found && i < modules->count && modules->at[i].begin == search.begin) {
            gone(&modules->at[i]);
            modules->at[i--] = modules->at[--modules->count];
        }
        ep_process_mutex_unlock();
    }
}
