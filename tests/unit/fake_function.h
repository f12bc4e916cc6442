/*
 * fake_function.h - modules and functions in an image made by hand
 */
#ifndef FAKE_FUNCTION_H
#define FAKE_FUNCTION_H

#include "fake_tree.h"

/* path: NULL where it is not known. */
static inline ep_ref fake_module(const char *path)
{
    struct ep_tree_cell *tree = ep_image_tree(&fake);
    ep_ref ref = ep_image_take(&fake, 1);
    assert_int_not_equal(ref, 0);
    struct ep_module_cell *module = &fake.cells[ref].module;
    if (path)
        module->path = fake_text(path, &module->path_bytes);
    *(tree->last_module ? &fake.cells[tree->last_module].module.next : &tree->modules) = ref;
    tree->last_module = ref;
    return ref;
}

static inline struct ep_module_cell *fake_module_cell(ep_ref module)
{
    return &fake.cells[module].module;
}

/* A function without a name. */
static inline struct ep_site_cell *fake_function(ep_ref module, uint64_t address)
{
    struct ep_tree_cell *tree = ep_image_tree(&fake);
    fake_site(NULL, 0, "");
    struct ep_site_cell *site = &fake.cells[tree->last_site].site;
    site->label = 0;
    site->module = module;
    site->function = address;
    return site;
}

static inline void fake_name(struct ep_site_cell *function, const char *name,
                             enum ep_site_naming naming)
{
    function->label = fake_text(name, &function->label_bytes);
    function->naming = (uint16_t)naming;
}

#endif /* FAKE_FUNCTION_H */
