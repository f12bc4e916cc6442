#include "instrument/function_table.h"

#include "base/platform.h"
#include "instrument/function_filter.h"
#include "instrument/module.h"
#include "instrument/site.h"
#include "record/horizon.h"
#include "record/process_lock.h"

/* Two pages: 256 functions. */
enum { SLOTS_AT_FIRST = 512, ADDRESS_BITS = 8 * sizeof(uintptr_t) };

union ep_function_none ep_function_none;
struct ep_function_table *ep_function_table __attribute__((aligned(EP_CELL_BYTES))) =
    &ep_function_none.table;

/* ---- the table ---- */

/* For an address that is not in the table: the first slot that is not in use. */
static void put(struct ep_function_table *table, uintptr_t address, uint32_t number)
{
    uintptr_t slot = EP_FUNCTION_HASH(address) >> table->shift;
    while (table->at[slot].address > EP_FUNCTION_GONE)
        slot = (slot + 1) & table->mask;
    struct ep_function *function = &table->at[slot];
    table->count += function->address == EP_FUNCTION_FREE;
    ep_store(&function->number, number);
    ep_store_release(&function->address, address); /* pairs with ep_function_find() */
}

static bool has_room(void)
{
    const struct ep_function_table *table = ep_function_table;
    if (2 * (table->count + 1) <= table->mask)
        return true;
    uint32_t slots = table->count ? 2 * (table->mask + 1) : SLOTS_AT_FIRST;
    struct ep_function_table *larger =
        ep_platform_allocate_kept(sizeof *larger + slots * sizeof larger->at[0]);
    if (!larger)
        return false;
    larger->mask = slots - 1;
    larger->shift = (uint32_t)(ADDRESS_BITS - __builtin_ctz(slots));
    for (uint32_t i = 0; i <= table->mask; i++)
        if (table->at[i].address > EP_FUNCTION_GONE)
            put(larger, table->at[i].address, table->at[i].number);
    ep_store_release(&ep_function_table, larger); /* pairs with ep_function_find() */
    return true;
}

/* The slot of a function in the table in use; NULL: none. The acquire pairs with has_room(). */
static struct ep_function *writable(uintptr_t address)
{
    const struct ep_function *found = ep_function_find(address);
    struct ep_function_table *table = ep_load_acquire(&ep_function_table);
    return found && found >= table->at && found <= &table->at[table->mask]
               ? &table->at[found - table->at]
               : NULL;
}

bool ep_function_set(uintptr_t address, uint32_t number)
{
    struct ep_function *known = writable(address);
    if (known) {
        ep_store(&known->number, number);
        return true;
    }
    if (!has_room())
        return false;
    put(ep_function_table, address, number);
    return true;
}

/* ---- added ---- */

/* A function that was recorded before the patterns changed keeps its number, since exits of open
 * calls are still to come. */
static uint32_t decide(uint32_t before, uint32_t number, bool is_left_out)
{
    uint32_t known = before & EP_FUNCTION_NUMBER;
    if (is_left_out)
        return known ? known | EP_FUNCTION_LEFT_OUT : 0;
    return known ? known : number;
}

/* Lock. false: no memory. */
static bool note(uintptr_t address, uint32_t number, bool is_left_out)
{
    struct ep_function *function = writable(address);
    if (!function)
        return ep_function_set(address, decide(0, number, is_left_out));
    if (function->number & EP_FUNCTION_ASK_AGAIN) /* else decided meanwhile */
        ep_store(&function->number, decide(function->number, number, is_left_out));
    return true;
}

uint32_t ep_function_add(uintptr_t address, bool *is_known)
{
    struct ep_loaded_module module;
    *is_known = false;
    if (ep_module_find(address, &module, ep_function_filter_ask) != 0)
        return 0;
    bool is_left_out = ep_function_filter_leaves_out(&module, address);
    uint32_t number = is_left_out ? 0 : ep_site_of_function(module.ref, address - module.bias);
    if (!number && !is_left_out)
        return 0;
    ep_process_mutex_lock();
    *is_known = note(address, number, is_left_out);
    number = *is_known ? ep_function_number(address) : 0;
    /* readers of the file, while this process runs or after a kill, cannot measure what its hooks
     * cost; without functions it is not needed */
    if (number && ep_process.image.backing.cells)
        ep_upward.measure_probes();
    ep_process_mutex_unlock();
    return number & EP_FUNCTION_LEFT_OUT ? 0 : number;
}

/* ---- unloaded ---- */

/* A slot of an unloaded function becomes free if the next slot is free, since no search has to go
 * beyond it. So the slots are visited from the last to the first; and twice, since the slot after
 * the last is the first. */
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
    ep_module_forget_all();
    struct ep_function_table *table = ep_function_table;
    for (uint32_t i = 0; i <= table->mask; i++)
        if (table->at[i].address > EP_FUNCTION_GONE)
            ep_store(&table->at[i].number, table->at[i].number | EP_FUNCTION_ASK_AGAIN);
    ep_horizon_raise(); /* no call is counted by its edge before it is decided again */
}

/* An unloaded function is not called any more, so nothing searches for it. */
static void forget_module(const struct ep_loaded_module *module)
{
    struct ep_function_table *table = ep_function_table;
    for (uint32_t i = 0; i <= table->mask; i++)
        if (table->at[i].address - module->begin < module->end - module->begin)
            ep_store_release(&table->at[i].address, EP_FUNCTION_GONE);
    free_gone(table);
    ep_horizon_raise(); /* its edges may be those of another function's key */
}

void ep_function_forget_unloaded(void)
{
    ep_module_refresh(forget_module);
}

void ep_function_release(void)
{
    ep_store_release(&ep_function_table, &ep_function_none.table);
}
