#include "instrument/module.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "image/names.h"
#include "instrument/site.h"
#include "record/process_life.h"

/* The modules of this process; lock. */
static struct {
    struct ep_loaded_module *at;
    uint32_t count, room;
} modules;

/* A page at first. */
enum { MODULES_AT_FIRST = 128 };

/* ---- in the image ---- */

static bool is_same(const struct ep_module_cell *cell, const struct ep_module_sight *sight,
                    size_t path_bytes)
{
    return cell->path_bytes == path_bytes && cell->build_id_bytes == sight->cell.build_id_bytes &&
           cell->modified_ns == sight->cell.modified_ns &&
           memcmp(cell->build_id, sight->cell.build_id, EP_BUILD_ID_BYTES) == 0 &&
           memcmp(ep_image_string(&ep_process.image, cell->path), sight->path, path_bytes) == 0;
}

static ep_ref make(const struct ep_module_sight *sight, size_t path_bytes)
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

static ep_ref find_or_make(const struct ep_module_sight *sight)
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

static struct ep_loaded_module *find_loaded(uintptr_t address)
{
    for (uint32_t i = 0; i < modules.count; i++)
        if (!modules.at[i].is_gone &&
            address - modules.at[i].begin < modules.at[i].end - modules.at[i].begin)
            return &modules.at[i];
    return NULL;
}

/* A module that has been unloaded and may be loaded again. */
static struct ep_loaded_module *find_gone(ep_ref ref)
{
    for (uint32_t i = 0; i < modules.count; i++)
        if (modules.at[i].is_gone && modules.at[i].ref == ref)
            return &modules.at[i];
    return NULL;
}

static bool has_room(void)
{
    if (modules.count < modules.room)
        return true;
    uint32_t room = modules.room ? 2 * modules.room : MODULES_AT_FIRST;
    struct ep_loaded_module *larger = ep_platform_allocate(room * sizeof *larger);
    if (!larger)
        return false;
    if (modules.count) {
        memcpy(larger, modules.at, modules.count * sizeof *larger);
        ep_platform_release(modules.at, modules.room * sizeof *larger);
    }
    modules.at = larger;
    modules.room = room;
    return true;
}

/* Writes the module into the image. true: its ranges are known from when it was loaded before. */
static bool note(struct ep_module_sight *sight)
{
    ep_process_mutex_lock();
    sight->module.ref = find_or_make(sight);
    const struct ep_loaded_module *gone = find_gone(sight->module.ref);
    if (gone) {
        sight->module.is_filtered = gone->is_filtered;
        sight->module.left_out = gone->left_out;
        sight->module.left_out_count = gone->left_out_count;
    }
    ep_process_mutex_unlock();
    return gone != NULL;
}

/* For a module that another thread added first, or for which there was no room. */
static void forget_left_out(const struct ep_loaded_module *module)
{
    if (module->left_out)
        ep_platform_release((void *)(uintptr_t)module->left_out,
                            module->left_out_count * sizeof *module->left_out);
}

/* Code that is in no module is not kept, and is described again each time: the memory for it would
 * have no limit. */
static int find_new(struct ep_module_sight *sight, struct ep_loaded_module *module,
                    ep_module_ask *ask)
{
    ep_module_see(sight);
    bool is_known = note(sight), has_path = *sight->path;
    if (!is_known && has_path)
        ask(&sight->module, &sight->cell, sight->path);
    ep_process_mutex_lock();
    const struct ep_loaded_module *meanwhile = find_loaded(sight->address);
    struct ep_loaded_module *gone = find_gone(sight->module.ref);
    *module = meanwhile ? *meanwhile : sight->module;
    bool is_added = !meanwhile && has_path && (gone || has_room());
    if (is_added)
        *(gone ? gone : &modules.at[modules.count++]) = sight->module;
    ep_process_mutex_unlock();
    if (!is_known && !is_added)
        forget_left_out(&sight->module);
    return module->ref && (meanwhile || is_added || !has_path) ? 0 : -1;
}

int ep_module_find(uintptr_t address, struct ep_loaded_module *module, ep_module_ask *ask)
{
    ep_process_mutex_lock();
    const struct ep_loaded_module *found = find_loaded(address);
    if (found)
        *module = *found;
    ep_process_mutex_unlock();
    if (found)
        return 0;
    struct ep_module_sight *sight = ep_platform_allocate(sizeof *sight);
    if (!sight)
        return -1;
    sight->address = address;
    int result = find_new(sight, module, ask);
    ep_platform_release(sight, sizeof *sight);
    return result;
}

/* ---- unloaded ---- */

/* Calls the loader without the lock, so the list may change meanwhile. */
void ep_module_refresh(void (*gone)(const struct ep_loaded_module *module))
{
    for (uint32_t i = 0;; i++) {
        ep_process_mutex_lock();
        bool is_there = i < modules.count, is_loaded = is_there && !modules.at[i].is_gone;
        uintptr_t begin = is_there ? modules.at[i].begin : 0;
        ep_process_mutex_unlock();
        if (!is_there)
            return;
        if (!is_loaded || ep_module_is_loaded(begin))
            continue;
        ep_process_mutex_lock();
        if (i < modules.count && modules.at[i].begin == begin && !modules.at[i].is_gone) {
            gone(&modules.at[i]);
            modules.at[i].is_gone = true;
        }
        ep_process_mutex_unlock();
    }
}

void ep_module_forget_all(void)
{
    modules.count = 0;
}

void ep_module_release_all(void)
{
    for (uint32_t i = 0; i < modules.count; i++)
        forget_left_out(&modules.at[i]);
    if (modules.room)
        ep_platform_release(modules.at, modules.room * sizeof *modules.at);
    modules.at = NULL;
    modules.count = modules.room = 0;
}

/* ---- names of functions, from dynamic symbols ---- */

/* The next function without a name; NULL: there is none. A function that has no symbol now never
 * gets one. Lock. */
static struct ep_site_cell *next_nameless(void)
{
    static ep_ref last; /* the function that was looked for last */
    for (;;) {
        ep_ref ref =
            last ? ep_process.image.cells[last].site.next : ep_image_tree(&ep_process.image)->sites;
        if (!ref)
            return NULL;
        last = ref;
        struct ep_site_cell *site = &ep_process.image.cells[ref].site;
        if (site->module && site->naming == EP_NAMING_NONE)
            return site;
    }
}

/* The symbol must begin at the address: otherwise it is that of an exported function before it. It
 * must also lie in the same module: otherwise that module was unloaded, and another one has its
 * addresses. */
static char *name_of(const struct ep_site_cell *site)
{
    Dl_info symbol;
    const struct ep_module_cell *module = &ep_process.image.cells[site->module].module;
    const void *address = (const void *)(uintptr_t)(site->function + module->bias);
    if (!dladdr(address, &symbol) || !symbol.dli_sname || symbol.dli_saddr != address ||
        (uintptr_t)symbol.dli_fbase - (uintptr_t)module->begin >= (uintptr_t)module->pages << 12)
        return NULL;
    return strndup(symbol.dli_sname, ep_site_kept_bytes(symbol.dli_sname));
}

int ep_module_names_find(void)
{
    for (;;) {
        if (ep_process_lock() != 0)
            return -1;
        struct ep_site_cell *site = next_nameless();
        ep_process_unlock();
        if (!site)
            return 0;
        char *name = name_of(site);
        if (name && ep_process_lock() == 0) {
            if (site->naming == EP_NAMING_NONE) /* else another thread has named it meanwhile */
                ep_image_names_give(&ep_process.image, site,
                                    &(struct ep_name){.name = name, .file = ""}, EP_NAMING_DYNAMIC);
            ep_process_unlock();
        }
        free(name);
    }
}
