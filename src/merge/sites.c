#include <stdlib.h>
#include <string.h>

#include "merge/tables.h"

/* ---- modules, by path and build-id ---- */

/* Distinguishes modules of one path; stored among the names, as bytes. */
struct version {
    uint64_t modified_ns; /* 0 if there is a build-id, which is more precise */
    uint32_t build_id_bytes;
    uint8_t build_id[EP_BUILD_ID_BYTES];
};

static struct version version_of(const struct ep_module_cell *cell)
{
    struct version version = {.build_id_bytes = cell->build_id_bytes};
    if (cell->build_id_bytes == 0)
        version.modified_ns = cell->modified_ns;
    memcpy(version.build_id, cell->build_id, cell->build_id_bytes);
    return version;
}

/* Without a build-id, a changed file is another module. */
static uint32_t find_module(struct ep_merge *merge, ep_ref ref)
{
    const struct ep_module_cell *cell = &ep_image_cell(merge->from, ref)->module;
    struct version version = version_of(cell);
    uint32_t path = ep_merge_text_find(merge, cell->path, cell->path_bytes);
    uint32_t build = ep_merge_found(
        merge, ep_merge_tables_names_find(&merge->names, (const char *)&version, sizeof version));
    return ep_merge_module_find(merge, ep_merge_key(path, build));
}

/* By path, then by build-id or time. */
static int compare_modules(const struct ep_merge *merge, uint32_t a, uint32_t b)
{
    struct ep_wide x = ep_merge_module(merge, a)->key, y = ep_merge_module(merge, b)->key;
    int order = ep_merge_tables_names_compare(ep_merge_name(merge, ep_merge_upper(x)),
                                              ep_merge_name(merge, ep_merge_upper(y)));
    return order ? order
                 : ep_merge_tables_names_compare(ep_merge_name(merge, ep_merge_lower(x)),
                                                 ep_merge_name(merge, ep_merge_lower(y)));
}

void ep_merge_sites_modules_write(const struct ep_merge *merge, const struct ep_merge_module *from,
                                  struct ep_module_cell *to)
{
    struct version version;
    memcpy(&version, ep_merge_name(merge, ep_merge_lower(from->key))->text, sizeof version);
    to->build_id_bytes = version.build_id_bytes;
    memcpy(to->build_id, version.build_id, sizeof to->build_id);
    to->modified_ns = version.modified_ns;
}

/* ---- functions ---- */

/* A function is found by file, line and name if it is named; else by address, to be named later. */

/* Whether name, file and line are those of the source. */
static bool is_named(const struct ep_site_cell *cell)
{
    return cell->naming == EP_NAMING_WHOLE && cell->label_bytes;
}

/* Keeps a name rather than none, and the lower of two names, so that the order of images does not
 * matter. */
static void add_name(const struct ep_merge *merge, struct ep_merge_function *function,
                     const struct ep_merge_function *seen)
{
    if (seen->naming == EP_NAMING_NONE)
        return;
    if (function->naming == EP_NAMING_NONE ||
        ep_merge_tables_names_compare(ep_merge_name(merge, seen->label),
                                      ep_merge_name(merge, function->label)) < 0) {
        function->label = seen->label;
        function->naming = seen->naming;
    }
}

/* Keeps the first module and address, so that the order of images does not matter. */
static void add_address(const struct ep_merge *merge, struct ep_merge_function *function,
                        const struct ep_merge_function *seen)
{
    int order = compare_modules(merge, seen->module, function->module);
    if (order < 0 || (order == 0 && seen->address < function->address)) {
        function->module = seen->module;
        function->address = seen->address;
    }
}

/* `line` is that of the function; if it is not named, line 0 of no file. */
static uint32_t find_function(struct ep_merge *merge, const struct ep_site_cell *cell,
                              uint32_t line)
{
    bool has_name = cell->naming != EP_NAMING_NONE && cell->label_bytes;
    struct ep_merge_function seen = {
        .address = cell->function,
        .module = find_module(merge, cell->module),
        .label = ep_merge_text_find(merge, cell->label, has_name ? cell->label_bytes : 0),
        .naming = has_name ? cell->naming : EP_NAMING_NONE,
        .is_sampled = cell->is_sampled,
        .is_seen = true};
    seen.key = is_named(cell) ? ep_merge_key(line, seen.label)
                              : (struct ep_wide){seen.address, seen.module + UINT64_C(1)};
    uint32_t index = ep_merge_function_find(merge, seen.key);
    struct ep_merge_function *function = ep_merge_function(merge, index);
    if (!function->is_seen)
        *function = seen;
    add_name(merge, function, &seen);
    add_address(merge, function, &seen);
    function->is_sampled |= seen.is_sampled;
    return index;
}

/* ---- sites, by file, line and label ---- */

void ep_merge_sites_begin(struct ep_merge *merge)
{
    struct ep_wide key = ep_merge_key(EP_MAP_NONE, EP_MAP_NONE);
    *ep_merge_site(merge, ep_merge_site_find(merge, key)) =
        (struct ep_merge_site){.key = key, .rank = EP_SITE_OTHER, .function = EP_MAP_NONE};
}

/* A function that is not named yet has no file. */
static uint32_t find_line(struct ep_merge *merge, const struct ep_site_cell *cell)
{
    bool has_none = merge->ignores_locations || (cell->module && !is_named(cell));
    uint32_t number = has_none ? 0 : cell->line;
    uint32_t file = ep_merge_text_find(merge, has_none ? 0 : cell->file, cell->file_bytes);
    return ep_merge_line_find(merge, ep_merge_key(file, number));
}

/* The key of a function has no line, so that no function is the same as a scope. */
uint32_t ep_merge_sites_find(struct ep_merge *merge, const struct ep_site_cell *cell)
{
    if (!cell)
        return EP_MERGE_OTHER_SITE;
    uint32_t line = find_line(merge, cell), function = EP_MAP_NONE, label;
    struct ep_wide key;
    if (cell->module) {
        function = find_function(merge, cell, line);
        label = ep_merge_function(merge, function)->label;
        key = ep_merge_key(EP_MAP_NONE, function);
    } else {
        label = ep_merge_text_find(merge, cell->label, cell->label_bytes);
        key = ep_merge_key(line, label);
        key.high = cell->kind;
    }
    uint32_t index = ep_merge_site_find(merge, key);
    struct ep_merge_site *site = ep_merge_site(merge, index);
    site->line = line;
    site->label = label;
    site->function = function;
    if (cell->module)
        return index;
    uint64_t budget_ns = cell->kind == EP_SITE_OVER ? cell->budget_ns : 0;
    bool is_again = site->kind == EP_SITE_OVER; /* in another image, or of another frame */
    site->kind = cell->kind;
    site->budget_ns = is_again && site->budget_ns != budget_ns ? EP_BUDGET_VARIES : budget_ns;
    return index;
}
