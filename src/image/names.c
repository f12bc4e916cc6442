#include "image/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/helper.h"
#include "base/memory.h"
#include "base/platform.h"
#include "base/utf8.h"

/* ---- the request about a module ---- */

void ep_image_names_request_build_id(char digits[EP_BUILD_ID_DIGITS + 1],
                                     const struct ep_module_cell *module)
{
    uint32_t bytes = module->build_id_bytes;
    if (bytes > EP_BUILD_ID_BYTES)
        bytes = EP_BUILD_ID_BYTES;
    for (uint32_t i = 0; i < bytes; i++)
        sprintf(digits + 2 * (size_t)i, "%02x", module->build_id[i]);
    digits[2 * (size_t)bytes] = '\0';
}

void ep_image_names_request_module(struct ep_fields *request, const char *path,
                                   const char *build_id, uint64_t modified_ns)
{
    ep_strings_add(request, "M");
    ep_strings_add(request, path);
    ep_strings_add(request, build_id);
    ep_strings_print(request, "%" PRIu64, modified_ns);
}

/* ---- modules: the same in all images by path, build-id and time of the last change ---- */

/* The number of a module; EP_MAP_NONE and ENOMEM. */
static uint32_t module_number(struct ep_image_names *names, const struct ep_image *image,
                              const struct ep_module_cell *cell)
{
    struct ep_names_module wanted = {
        .path = ep_image_string(image, cell->path), .modified_ns = cell->modified_ns, .fault = ""};
    ep_image_names_request_build_id(wanted.build_id, cell);
    for (size_t i = 0; i < names->count; i++) {
        const struct ep_names_module *module = &names->modules[i];
        if (module->modified_ns == wanted.modified_ns &&
            strcmp(module->build_id, wanted.build_id) == 0 &&
            strcmp(module->path, wanted.path) == 0)
            return (uint32_t)i;
    }
    struct ep_names_module *modules =
        ep_memory_room(names->modules, names->count, &names->room, sizeof *modules);
    if (modules)
        names->modules = modules;
    wanted.path = ep_memory_text(&names->texts, wanted.path, cell->path_bytes);
    if (!modules || !wanted.path)
        return EP_MAP_NONE;
    modules[names->count] = wanted;
    return (uint32_t)names->count++;
}

/* NULL: this is not one that is to be looked up. */
static struct ep_names_module *module_of(const struct ep_image_names *names,
                                         const struct ep_map *numbers,
                                         const struct ep_site_cell *site)
{
    if (!site->module || site->naming == EP_NAMING_WHOLE || site->function == UINT64_MAX)
        return NULL;
    uint32_t number = ep_hash_map_find(numbers, site->module);
    return number == EP_MAP_NONE ? NULL : &names->modules[number];
}

/* Does something with each function of an image that is to be looked up. 0, or -1 and ENOMEM. */
static int visit(struct ep_image_names *names, const struct ep_image *image,
                 int (*each)(struct ep_names_module *module, struct ep_site_cell *site,
                             void *context),
                 void *context)
{
    struct ep_map numbers = {.slots = NULL};
    int result = 0;
    /* which number each module has, by its cell; one without a path has none */
    for (EP_EACH(ep_module_cell, cell, image->cells, &ep_image_tree(image)->modules)) {
        uint32_t number = cell->path && result == 0 ? module_number(names, image, cell) : 0;
        if (number == EP_MAP_NONE || ep_hash_map_reserve(&numbers, numbers.count + 1) != 0)
            result = -1;
        else if (cell->path && result == 0)
            ep_hash_map_add(&numbers, ep_cell_ref(image->cells, cell), number);
    }
    for (EP_EACH(ep_site_cell, site, image->cells, &ep_image_tree(image)->sites)) {
        struct ep_names_module *module = module_of(names, &numbers, site);
        if (module && result == 0)
            result = each(module, site, context);
    }
    ep_hash_map_free(&numbers);
    if (result != 0)
        errno = ENOMEM;
    return result;
}

static int add_function(struct ep_names_module *module, struct ep_site_cell *site, void *context)
{
    (void)context;
    uint64_t key = site->function + 1;
    if (ep_hash_map_find(&module->index, key) != EP_MAP_NONE)
        return 0;
    struct ep_name *functions =
        ep_memory_room(module->functions, module->count, &module->room, sizeof *functions);
    if (!functions)
        return -1;
    module->functions = functions;
    if (ep_hash_map_reserve(&module->index, module->count + 1) != 0)
        return -1;
    ep_hash_map_add(&module->index, key, (uint32_t)module->count);
    functions[module->count++] =
        (struct ep_name){.address = site->function, .name = "", .file = ""};
    return 0;
}

int ep_image_names_add(struct ep_image_names *names, const struct ep_image *image)
{
    return visit(names, image, add_function, NULL);
}

/* Copies a text into the image; an empty one takes no cells. false: no memory. */
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
    uint32_t number = ep_hash_map_find(&module->index, site->function + 1);
    if (number == EP_MAP_NONE || !*module->functions[number].name)
        return 0;
    return ep_image_names_give(context, site, &module->functions[number], EP_NAMING_WHOLE);
}

int ep_image_names_fill(struct ep_image_names *names, struct ep_image *image)
{
    return visit(names, image, fill_function, image);
}

/* A run of cells is not begun in a block whose rest is too short for it: that is less than the
 * run itself. */
uint32_t ep_image_names_cells(const struct ep_image_names *names)
{
    uint64_t cells = 0;
    for (size_t i = 0; i < names->count; i++)
        for (size_t k = 0; k < names->modules[i].count; k++) {
            const struct ep_name *name = &names->modules[i].functions[k];
            cells += ep_image_text_cells((uint32_t)strlen(name->name));
            cells += ep_image_text_cells((uint32_t)strlen(name->file));
        }
    cells = 2 * cells + EP_BLOCK_CELLS;
    return cells < UINT32_MAX ? (uint32_t)cells : UINT32_MAX;
}

void ep_image_names_free(struct ep_image_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->modules[i].functions);
        ep_hash_map_free(&names->modules[i].index);
    }
    free(names->modules);
    ep_memory_free(&names->texts);
    *names = (struct ep_image_names){.modules = NULL};
}

/* ---- the program is asked ---- */

enum {
    ANSWER_MOST_BYTES = 256 << 20, /* a million functions with their files */
    FAULT_MOST_BYTES = 200
};

static bool is_answered(const struct ep_names_module *module)
{
    return module->answered == module->count;
}

/* The next text, not longer than it may be; NULL: there is none, or no memory. */
static const char *next_text(struct ep_fields_reader *answer, struct ep_arena *texts, size_t most)
{
    const char *field = ep_strings_next(answer);
    if (!field || !*field)
        return field ? "" : NULL;
    return ep_memory_text(texts, field, ep_utf8_cut(field, strlen(field), most));
}

/* 0 where it is no number, or too large for one. */
static uint32_t line_of(const char *digits)
{
    char *end;
    errno = 0;
    unsigned long long line = strtoull(digits, &end, 10);
    bool is_number = *digits >= '0' && *digits <= '9' && !*end && !errno;
    return is_number && line <= INT32_MAX ? (uint32_t)line : 0;
}

static bool read_function(struct ep_fields_reader *answer, struct ep_arena *texts,
                          struct ep_name *function)
{
    const char *name =
        ep_strings_next_is(answer, "A") ? next_text(answer, texts, EP_LABEL_BYTES) : NULL;
    const char *file = name ? next_text(answer, texts, EP_LABEL_BYTES) : NULL;
    const char *line = file ? ep_strings_next(answer) : NULL;
    if (!line)
        return false;
    function->name = name;
    function->file = file;
    function->line = line_of(line);
    return true;
}

static bool read_module(struct ep_fields_reader *answer, struct ep_arena *texts,
                        struct ep_names_module *module, bool *is_unreadable)
{
    bool is_begun = ep_strings_next_is(answer, "M");
    const char *fault = is_begun ? next_text(answer, texts, FAULT_MOST_BYTES) : NULL;
    bool is_whole = fault != NULL;
    for (size_t i = module->answered; i < module->count && is_whole; i++)
        is_whole = read_function(answer, texts, &module->functions[i]);
    *is_unreadable = is_begun && !is_whole && !ep_strings_next(answer);
    if (!is_whole && !*is_unreadable)
        return false;
    /* an answer that stops within a module: the program has ended while it read that one's files */
    module->fault = is_whole ? fault : EP_IMAGE_NAMES_UNREADABLE;
    module->answered = module->count;
    return is_whole;
}

struct asking {
    struct ep_symbolizer symbolizer;
    bool is_unreadable; /* a module has ended the program */
};

/* The part of an answer that arrived before an error counts as well. */
static int ask_once(struct ep_image_names *names, struct asking *asking,
                    const struct ep_fields *request, struct ep_fields *answer)
{
    int result = ep_helper_ask(&asking->symbolizer, request, answer);
    int error = errno;
    struct ep_fields_reader reader = ep_strings_read(answer);
    bool is_whole = true;
    for (size_t i = 0; i < names->count && is_whole; i++)
        if (!is_answered(&names->modules[i]))
            is_whole =
                read_module(&reader, &names->texts, &names->modules[i], &asking->is_unreadable);
    is_whole = is_whole && ep_strings_next_is(&reader, "E");
    asking->is_unreadable &= result == 0;
    errno = result == 0 && !is_whole ? EPROTO : error;
    return result == 0 && is_whole ? 0 : -1;
}

static int ask_for_rest(struct ep_image_names *names, struct asking *asking)
{
    struct ep_fields request = {.bytes = NULL}, answer = {.bytes = NULL};
    int result = -1;
    asking->is_unreadable = false;
    for (size_t i = 0; i < names->count; i++) {
        const struct ep_names_module *module = &names->modules[i];
        if (is_answered(module))
            continue;
        ep_image_names_request_module(&request, module->path, module->build_id,
                                      module->modified_ns);
        for (size_t k = module->answered; k < module->count; k++) {
            ep_strings_add(&request, "A");
            ep_strings_print(&request, "%" PRIx64, module->functions[k].address);
        }
    }
    errno = ENOMEM;
    if (!request.is_incomplete)
        result = request.count ? ask_once(names, asking, &request, &answer) : 0;
    int error = errno;
    ep_strings_free(&request);
    ep_strings_free(&answer);
    errno = error;
    return result;
}

/* A module that ends the program must not cost the names of the others, so the program is started
 * again without it. Each start leaves one module less to be asked for. */
int ep_image_names_ask(struct ep_image_names *names, char *const *arguments)
{
    struct asking asking = {
        {arguments, ep_platform_monotonic_ns() + EP_SYMBOL_DEADLINE_NS, ANSWER_MOST_BYTES}, false};
    int result;
    do
        result = ask_for_rest(names, &asking);
    while (asking.is_unreadable);
    return result;
}
