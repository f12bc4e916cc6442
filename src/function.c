#include "function.h"

#include <string.h>

#include "function_filter.h"
#include "module.h"
#include "platform.h"
#include "site.h"

/* Two pages: 256 functions. */
enum { PLACES_AT_FIRST = 512, ADDRESS_BITS = 8 * sizeof(uintptr_t) };

union ep_function_none ep_function_none;

/* ---- the table ---- */

/* The place of an address that is not there: the first that is not in use. */
static struct ep_function *place_for(struct ep_function_table *table, uintptr_t address)
{
    uintptr_t place = ep_function_hash(address) >> table->shift;
    while (table->at[place].address > EP_FUNCTION_GONE)
        place = (place + 1) & table->mask;
    return &table->at[place];
}

static void put(struct ep_function_table *table, uintptr_t address, uint32_t number)
{
    struct ep_function *function = place_for(table, address);
    table->count += function->address == EP_FUNCTION_FREE;
    ep_store(&function->number, number);
    ep_store_release(&function->address,
                     address); /* pairs with the acquire in ep_function_find() */
}

static bool has_room(void)
{
    const struct ep_function_table *table = ep_process.functions;
    if (2 * (table->count + 1) <= table->mask)
        return true;
    uint32_t places = table->count ? 2 * (table->mask + 1) : PLACES_AT_FIRST;
    struct ep_function_table *larger =
        ep_platform_allocate(sizeof *larger + places * sizeof larger->at[0]);
    if (!larger)
        return false;
    larger->mask = places - 1;
    larger->shift = (uint32_t)(ADDRESS_BITS - __builtin_ctz(places));
    for (uint32_t i = 0; i <= table->mask; i++)
        if (table->at[i].address > EP_FUNCTION_GONE)
            put(larger, table->at[i].address, table->at[i].number);
    ep_store_release(&ep_process.functions, larger); /* pairs with the acquire in _find() */
    return true;
}

bool ep_function_set(uintptr_t address, uint32_t number)
{
    if (!has_room())
        return false;
    put(ep_process.functions, address, number);
    return true;
}

/* ---- added ---- */

/* What it was called by before the patterns changed, its exits will be called by still. */
static uint32_t decide(uint32_t before, uint32_t number, bool is_left_out)
{
    uint32_t known = before & EP_FUNCTION_NUMBER;
    if (is_left_out)
        return known ? known | EP_FUNCTION_LEFT_OUT : 0;
    return known ? known | (before & EP_FUNCTION_THROTTLED) : number;
}

/* Lock. false: no memory. */
static bool note(uintptr_t address, uint32_t number, bool is_left_out)
{
    const struct ep_function *found = ep_function_find(address);
    if (!found)
        return ep_function_set(address, decide(0, number, is_left_out));
    struct ep_function *function = &ep_process.functions->at[found - ep_process.functions->at];
    if (function->number & EP_FUNCTION_ASK_AGAIN) /* else it has come meanwhile */
        ep_store(&function->number, decide(function->number, number, is_left_out));
    return true;
}

uint32_t ep_function_add(uintptr_t address, bool *is_known)
{
    struct ep_loaded_module module;
    *is_known = false;
    if (ep_module_find(address, &module) != 0)
        return 0;
    bool is_left_out = ep_function_filter_leaves_out(&module, address);
    uint32_t number = is_left_out ? 0 : ep_site_of_function(module.ref, address - module.bias);
    if (!number && !is_left_out)
        return 0;
    ep_process_mutex_lock();
    *is_known = note(address, number, is_left_out);
    number = *is_known ? ep_function_number(address) : 0;
    ep_process_mutex_unlock();
    return number & EP_FUNCTION_LEFT_OUT ? 0 : number;
}

/* ---- throttled ---- */

static void mark_site(uint32_t number)
{
    struct ep_site_cell *site;
    for (ep_ref ref = ep_image_tree(&ep_process.image)->sites; ref; ref = site->next) {
        site = &ep_process.image.cells[ref].site;
        if (site->number == number)
            ep_store(&site->is_thinned, 1);
    }
}

static struct ep_function *writable(uintptr_t address)
{
    const struct ep_function *found = ep_function_find(address);
    struct ep_function_table *table = ep_load_acquire(&ep_process.functions);
    return found && found >= table->at && found <= &table->at[table->mask]
               ? &table->at[found - table->at]
               : NULL;
}

void ep_function_throttle(uintptr_t address, bool on)
{
    ep_process_mutex_lock();
    struct ep_function *function = writable(address);
    if (function && function->number & EP_FUNCTION_NUMBER) {
        if (on) {
            mark_site(function->number & EP_FUNCTION_NUMBER);
            ep_store(&ep_process.has_throttled, true);
        }
        ep_store(&function->number, on ? function->number | EP_FUNCTION_THROTTLED
                                       : function->number & ~EP_FUNCTION_THROTTLED);
        ep_store(&function->outliers, 0);
    }
    ep_process_mutex_unlock();
}

/* A leaky sum: three in a row, or nearly so, are too many. Threads may lose a step of each
 * other's. */
bool ep_function_note_sample(uintptr_t address, bool is_outlier)
{
    enum { STEP = 16, MOST = 2 * STEP };
    struct ep_function *function = writable(address);
    if (!function)
        return false;
    uint32_t outliers = ep_load(&function->outliers);
    outliers = is_outlier ? outliers + STEP : outliers - (outliers != 0);
    ep_store(&function->outliers, outliers);
    return outliers > MOST;
}

/* ---- unloaded ---- */

/* Where a free place comes next, no search has to go on behind one that is gone: from the last
 * to the first, and once more for those whose next one is the first. */
static void free_gone(struct ep_function_table *table)
{
    for (uint32_t i = 2 * table->mask + 2; i-- > 0;) {
        struct ep_function *function = &table->at[i & table->mask];
        const struct ep_function *next = &table->at[(i + 1) & table->mask];
        if (function->address == EP_FUNCTION_GONE && next->address == EP_FUNCTION_FREE) {
            ep_store_release(&function->address, EP_FUNCTION_FREE);
            table->count--;
        }
    }
}

void ep_function_ask_again(void)
{
    struct ep_function_table *table = ep_process.functions;
    for (uint32_t i = 0; i <= table->mask; i++)
        if (table->at[i].address > EP_FUNCTION_GONE)
            ep_store(&table->at[i].number, table->at[i].number | EP_FUNCTION_ASK_AGAIN);
}

/* Nobody calls them any more, so nobody looks for them. */
static void forget_module(const struct ep_loaded_module *module)
{
    struct ep_function_table *table = ep_process.functions;
    for (uint32_t i = 0; i <= table->mask; i++)
        if (table->at[i].address - module->begin < module->end - module->begin)
            ep_store_release(&table->at[i].address, EP_FUNCTION_GONE);
    free_gone(table);
}

void ep_function_forget_unloaded(void)
{
    ep_module_refresh(forget_module);
}
