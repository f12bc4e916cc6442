#include "merge_functions.h"

#include "merge_modules.h"

bool ep_merge_functions_is_named(const struct ep_site_cell *cell)
{
    return cell->naming == EP_NAMING_WHOLE && cell->label_bytes;
}

/* In two steps: a key has no room for more than half of an address. */
static uint32_t find_address(struct ep_merge *merge, uint32_t module, uint64_t address)
{
    uint32_t half = ep_merge_table_find(&merge->halves, sizeof(struct ep_merge_half),
                                        ep_merge_key(module, (uint32_t)(address >> 32)));
    if (half == EP_MAP_NONE)
        return EP_MAP_NONE;
    return ep_merge_table_find(&merge->addresses, sizeof(struct ep_merge_address),
                               ep_merge_key(half, (uint32_t)address));
}

static uint32_t find(struct ep_merge *merge, const struct ep_site_cell *cell, uint32_t line,
                     const struct ep_merge_function *seen)
{
    uint64_t key = ep_merge_key(line, seen->label);
    if (!ep_merge_functions_is_named(cell)) {
        uint32_t address = find_address(merge, seen->module, seen->address);
        if (address == EP_MAP_NONE)
            return EP_MAP_NONE;
        key = ep_merge_key(EP_MAP_NONE, address);
    }
    return ep_merge_table_find(&merge->functions, sizeof(struct ep_merge_function), key);
}

/* The same of two, in whatever order: a name before none, then the lower one. */
static void add_name(const struct ep_merge *merge, struct ep_merge_function *function,
                     const struct ep_merge_function *seen)
{
    if (seen->naming == EP_NAMING_NONE)
        return;
    if (function->naming == EP_NAMING_NONE ||
        ep_merge_names_compare(ep_merge_name(merge, seen->label),
                               ep_merge_name(merge, function->label)) < 0) {
        function->label = seen->label;
        function->naming = seen->naming;
    }
}

/* It is written where it lies first. */
static void add_place(const struct ep_merge *merge, struct ep_merge_function *function,
                      const struct ep_merge_function *seen)
{
    int order = ep_merge_modules_compare(merge, seen->module, function->module);
    if (order < 0 || (order == 0 && seen->address < function->address)) {
        function->module = seen->module;
        function->address = seen->address;
    }
}

static int look_at(struct ep_merge *merge, const struct ep_image *image,
                   const struct ep_site_cell *cell, struct ep_merge_function *seen)
{
    bool has_name = cell->naming != EP_NAMING_NONE && cell->label_bytes;
    seen->is_seen = true;
    seen->is_thinned = cell->is_thinned;
    seen->address = cell->function;
    seen->naming = has_name ? cell->naming : EP_NAMING_NONE;
    seen->module = ep_merge_modules_find(merge, image, cell->module);
    seen->label = ep_merge_names_find(&merge->names, ep_image_string(image, cell->label),
                                      has_name ? cell->label_bytes : 0);
    return seen->module == EP_MAP_NONE || seen->label == EP_MAP_NONE ? -1 : 0;
}

uint32_t ep_merge_functions_find(struct ep_merge *merge, const struct ep_image *image,
                                 const struct ep_site_cell *cell, uint32_t line)
{
    struct ep_merge_function seen;
    if (look_at(merge, image, cell, &seen) != 0)
        return EP_MAP_NONE;
    uint32_t index = find(merge, cell, line, &seen);
    if (index == EP_MAP_NONE)
        return EP_MAP_NONE;
    struct ep_merge_function *function = ep_merge_function(merge, index);
    if (!function->is_seen)
        *function = seen;
    add_name(merge, function, &seen);
    add_place(merge, function, &seen);
    function->is_thinned |= seen.is_thinned;
    return index;
}
