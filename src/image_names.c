#include "image_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

/* ---- modules: the same in all images by path, build-id and time of the last change ---- */

static bool is_same(const struct ep_names_module *a, const struct ep_names_module *b)
{
    return a->modified_ns == b->modified_ns && strcmp(a->build_id, b->build_id) == 0 &&
           strcmp(a->path, b->path) == 0;
}

/* The number of a module; EP_MAP_NONE and ENOMEM. */
static uint32_t module_number(struct ep_image_names *names, const struct ep_image *image,
                              const struct ep_module_cell *cell)
{
    struct ep_names_module wanted = {
        .path = ep_image_string(image, cell->path), .modified_ns = cell->modified_ns, .fault = ""};
    ep_symbol_request_build_id(wanted.build_id, cell);
    for (size_t i = 0; i < names->count; i++)
        if (is_same(&names->modules[i], &wanted))
            return (uint32_t)i;
    struct ep_names_module *modules =
        ep_array_room(names->modules, names->count, &names->room, sizeof *modules);
    if (modules)
        names->modules = modules;
    wanted.path = ep_arena_text(&names->texts, wanted.path, cell->path_bytes);
    if (!modules || !wanted.path)
        return EP_MAP_NONE;
    modules[names->count] = wanted;
    return (uint32_t)names->count++;
}

/* Which number each module of the image has, by its cell; one without a path has none. */
static int number_modules(struct ep_map *numbers, struct ep_image_names *names,
                          const struct ep_image *image)
{
    const struct ep_module_cell *cell;
    for (ep_ref ref = ep_load_acquire(&ep_image_tree(image)->modules); ref;
         ref = ep_load_acquire(&cell->next)) {
        cell = &ep_image_cell(image, ref)->module;
        if (!cell->path)
            continue;
        uint32_t number = module_number(names, image, cell);
        if (number == EP_MAP_NONE || ep_map_reserve(numbers, numbers->count + 1) != 0)
            return -1;
        ep_map_add(numbers, ref, number);
    }
    return 0;
}

/* ---- functions ---- */

/* NULL: this is not one that is to be looked up. */
static struct ep_names_module *module_of(const struct ep_image_names *names,
                                         const struct ep_map *numbers,
                                         const struct ep_site_cell *site)
{
    if (!site->module || site->naming == EP_NAMING_WHOLE || site->function == UINT64_MAX)
        return NULL;
    uint32_t number = ep_map_find(numbers, site->module);
    return number == EP_MAP_NONE ? NULL : &names->modules[number];
}

/* Does something with each function of an image that is to be looked up. 0, or -1 and ENOMEM. */
static int visit(struct ep_image_names *names, const struct ep_image *image,
                 int (*each)(struct ep_names_module *module, struct ep_site_cell *site,
                             void *context),
                 void *context)
{
    struct ep_map numbers = {.places = NULL};
    struct ep_site_cell *site;
    int result = number_modules(&numbers, names, image);
    for (ep_ref ref = ep_load_acquire(&ep_image_tree(image)->sites); ref && result == 0;
         ref = ep_load_acquire(&site->next)) {
        site = &ep_image_cell(image, ref)->site;
        struct ep_names_module *module = module_of(names, &numbers, site);
        if (module)
            result = each(module, site, context);
    }
    ep_map_free(&numbers);
    if (result != 0)
        errno = ENOMEM;
    return result;
}

/* ---- added ---- */

static int add_function(struct ep_names_module *module, struct ep_site_cell *site, void *context)
{
    (void)context;
    uint64_t key = site->function + 1;
    if (ep_map_find(&module->index, key) != EP_MAP_NONE)
        return 0;
    struct ep_name *functions =
        ep_array_room(module->functions, module->count, &module->room, sizeof *functions);
    if (!functions)
        return -1;
    module->functions = functions;
    if (ep_map_reserve(&module->index, module->count + 1) != 0)
        return -1;
    ep_map_add(&module->index, key, (uint32_t)module->count);
    functions[module->count++] =
        (struct ep_name){.address = site->function, .name = "", .file = ""};
    return 0;
}

int ep_image_names_add(struct ep_image_names *names, const struct ep_image *image)
{
    return visit(names, image, add_function, NULL);
}

/* ---- filled in ---- */

/* Of no text no cells. */
static bool copy_text(struct ep_image *image, const char *text, ep_ref *copy, uint32_t *bytes)
{
    uint32_t cells;
    *bytes = (uint32_t)strlen(text);
    *copy = *bytes ? ep_image_text(image, text, *bytes, &cells) : 0;
    return *copy || !*bytes;
}

/* While its texts change it has no name: a kill must not leave a text of another's length. */
int ep_image_names_give(struct ep_image *image, struct ep_site_cell *site,
                        const struct ep_name *name, enum ep_site_naming naming)
{
    struct ep_site_cell texts;
    if (!copy_text(image, name->name, &texts.label, &texts.label_bytes) ||
        !copy_text(image, name->file, &texts.file, &texts.file_bytes))
        return -1;
    ep_store_release(&site->naming, EP_NAMING_NONE);
    ep_store_fence();
    ep_store(&site->label, texts.label);
    ep_store(&site->label_bytes, texts.label_bytes);
    ep_store(&site->file, texts.file);
    ep_store(&site->file_bytes, texts.file_bytes);
    ep_store(&site->line, name->line);
    ep_store_release(&site->naming, (uint16_t)naming);
    return 0;
}

static int fill_function(struct ep_names_module *module, struct ep_site_cell *site, void *context)
{
    uint32_t number = ep_map_find(&module->index, site->function + 1);
    if (number == EP_MAP_NONE || !*module->functions[number].name)
        return 0;
    return ep_image_names_give(context, site, &module->functions[number], EP_NAMING_WHOLE);
}

int ep_image_names_fill(struct ep_image_names *names, struct ep_image *image)
{
    return visit(names, image, fill_function, image);
}

static uint64_t cells_of(const struct ep_name *name)
{
    return (uint64_t)ep_image_text_cells((uint32_t)strlen(name->name)) +
           ep_image_text_cells((uint32_t)strlen(name->file));
}

/* A run of cells is not begun in a block whose rest is too short for it: that is less than the
 * run itself. */
uint32_t ep_image_names_cells(const struct ep_image_names *names)
{
    uint64_t cells = 0;
    for (size_t i = 0; i < names->count; i++)
        for (size_t k = 0; k < names->modules[i].count; k++)
            cells += cells_of(&names->modules[i].functions[k]);
    cells = 2 * cells + EP_BLOCK_CELLS;
    return cells < UINT32_MAX ? (uint32_t)cells : UINT32_MAX;
}

void ep_image_names_free(struct ep_image_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->modules[i].functions);
        ep_map_free(&names->modules[i].index);
    }
    free(names->modules);
    ep_arena_free(&names->texts);
    *names = (struct ep_image_names){.modules = NULL};
}
