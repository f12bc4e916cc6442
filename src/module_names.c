#include "module_names.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer.h"
#include "array.h"
#include "image_names.h"
#include "process.h"
#include "utf8.h"

/* A function without a name. */
struct nameless {
    ep_ref site;
    uintptr_t address; /* where it was entered */
    uintptr_t begin;   /* of its module, */
    uintptr_t bytes;   /* and how long that is */
    char *name;        /* NULL: none is known */
};

struct search {
    struct nameless *at;
    size_t count, room;
};

/* Of the functions that have been looked for; lock. What a symbol does not name now, none will. */
static ep_ref last_site;

/* ---- what is looked for ---- */

static int add(struct search *search, ep_ref ref)
{
    const struct ep_site_cell *site = &ep_image_cell(&ep_process.image, ref)->site;
    if (!site->module || site->naming != EP_NAMING_NONE)
        return 0;
    struct nameless *larger =
        ep_array_room(search->at, search->count, &search->room, sizeof *larger);
    if (!larger)
        return -1;
    search->at = larger;
    const struct ep_module_cell *module = &ep_image_cell(&ep_process.image, site->module)->module;
    search->at[search->count++] =
        (struct nameless){.site = ref,
                          .address = (uintptr_t)(site->function + module->bias),
                          .begin = (uintptr_t)module->begin,
                          .bytes = (uintptr_t)module->pages << 12};
    return 0;
}

static void collect(struct search *search)
{
    ep_ref ref = last_site ? ep_image_cell(&ep_process.image, last_site)->site.next
                           : ep_image_tree(&ep_process.image)->sites;
    while (ref && add(search, ref) == 0) {
        last_site = ref;
        ref = ep_image_cell(&ep_process.image, ref)->site.next;
    }
}

/* ---- looked for ---- */

/* Only where the symbol begins there, or it is that of the exported function before; and only in
 * the module itself, or it has been unloaded, and another lies in its place. */
static char *name_of(const struct nameless *function)
{
    Dl_info symbol;
    if (!dladdr((const void *)function->address, &symbol) || !symbol.dli_sname ||
        (uintptr_t)symbol.dli_saddr != function->address ||
        (uintptr_t)symbol.dli_fbase - function->begin >= function->bytes)
        return NULL;
    size_t bytes = strlen(symbol.dli_sname);
    return strndup(symbol.dli_sname, ep_utf8_cut(symbol.dli_sname, bytes, EP_LABEL_BYTES));
}

EP_ANALYZER_KEPT_BEGIN /* in search->at, for forget() */
static void look_up(const struct search *search)
{
    for (size_t i = 0; i < search->count; i++)
        search->at[i].name = name_of(&search->at[i]);
}
EP_ANALYZER_KEPT_END

/* ---- found ---- */

/* Somebody else may have named it meanwhile. */
static void give(const struct nameless *function)
{
    struct ep_site_cell *site = &ep_image_cell(&ep_process.image, function->site)->site;
    struct ep_name name = {.name = function->name, .file = ""};
    if (function->name && site->naming == EP_NAMING_NONE)
        ep_image_names_give(&ep_process.image, site, &name, EP_NAMING_DYNAMIC);
}

static void give_all(const struct search *search)
{
    for (size_t i = 0; i < search->count; i++)
        give(&search->at[i]);
}

static void forget(struct search *search)
{
    for (size_t i = 0; i < search->count; i++)
        free(search->at[i].name);
    free(search->at);
}

int ep_module_names_find(void)
{
    struct search search = {.at = NULL};
    if (ep_process_lock() != 0)
        return -1;
    collect(&search);
    ep_process_unlock();
    look_up(&search);
    if (search.count > 0 && ep_process_lock() == 0) {
        give_all(&search);
        ep_process_unlock();
    }
    forget(&search);
    return 0;
}
