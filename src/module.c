#include "module.h"

#include <string.h>

#include "function_filter.h"
#include "module_sight.h"
#include "platform.h"

/* A page of them at first. */
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
    const struct ep_loaded_modules *modules = &ep_process.modules;
    for (uint32_t i = 0; i < modules->count; i++)
        if (!modules->at[i].is_gone &&
            address - modules->at[i].begin < modules->at[i].end - modules->at[i].begin)
            return &modules->at[i];
    return NULL;
}

/* One that has been unloaded, and may be loaded again. */
static struct ep_loaded_module *find_gone(ep_ref ref)
{
    const struct ep_loaded_modules *modules = &ep_process.modules;
    for (uint32_t i = 0; i < modules->count; i++)
        if (modules->at[i].is_gone && modules->at[i].ref == ref)
            return &modules->at[i];
    return NULL;
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

/* What lies in no module is looked at anew each time: there may be as much of it as there is
 * memory. */
static int add(const struct ep_loaded_module *module)
{
    struct ep_loaded_modules *modules = &ep_process.modules;
    struct ep_loaded_module *gone = find_gone(module->ref);
    if (!gone && !has_room(modules))
        return -1;
    *(gone ? gone : &modules->at[modules->count++]) = *module;
    return 0;
}

/* Writes it into the image. true: what is left out of it is known, from when it was loaded
 * before. */
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

/* Another thread came first, or there was no room for the module. */
static void forget_left_out(const struct ep_loaded_module *module)
{
    if (module->left_out)
        ep_platform_release((void *)(uintptr_t)module->left_out,
                            module->left_out_count * sizeof *module->left_out);
}

static int find_new(struct ep_module_sight *sight, struct ep_loaded_module *module)
{
    int result = 0;
    ep_module_see(sight);
    bool is_known = note(sight);
    if (!is_known && *sight->path)
        ep_function_filter_ask(&sight->module, &sight->cell, sight->path);
    ep_process_mutex_lock();
    const struct ep_loaded_module *meanwhile = find_loaded(sight->address);
    *module = meanwhile ? *meanwhile : sight->module;
    if (!meanwhile && *sight->path)
        result = add(&sight->module);
    bool is_kept = is_known || (!meanwhile && result == 0);
    ep_process_mutex_unlock();
    if (!is_kept)
        forget_left_out(&sight->module);
    return module->ref ? result : -1;
}

int ep_module_find(uintptr_t address, struct ep_loaded_module *module)
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
    int result = find_new(sight, module);
    ep_platform_release(sight, sizeof *sight);
    return result;
}

/* ---- unloaded ---- */

/* The loader is asked without the lock, so the module may have changed meanwhile. */
void ep_module_refresh(void (*gone)(const struct ep_loaded_module *module))
{
    struct ep_loaded_modules *modules = &ep_process.modules;
    for (uint32_t i = 0;; i++) {
        ep_process_mutex_lock();
        bool is_there = i < modules->count, is_loaded = is_there && !modules->at[i].is_gone;
        uintptr_t begin = is_there ? modules->at[i].begin : 0;
        ep_process_mutex_unlock();
        if (!is_there)
            return;
        if (!is_loaded || ep_module_is_loaded(begin))
            continue;
        ep_process_mutex_lock();
        if (i < modules->count && modules->at[i].begin == begin && !modules->at[i].is_gone) {
            gone(&modules->at[i]);
            modules->at[i].is_gone = true;
        }
        ep_process_mutex_unlock();
    }
}
