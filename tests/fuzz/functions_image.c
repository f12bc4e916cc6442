#include "functions_image.h"

#include "image_parts.h"
#include "require.h"

static void add_functions(struct ep_thread_cell *thread, ep_ref module)
{
    struct ep_node_cell *root = (struct ep_node_cell *)&fake.cells[thread->nodes];
    struct ep_site_cell *known = fake_function(module, 0x1230);
    fake_name(known, "_Z5knownv", EP_NAMING_DYNAMIC);
    uint32_t unknown = fake_function(module, 0x4560)->number;
    struct ep_node_cell *node = fake_node(thread, root, known->number);
    fake_visit(node, 600, 500);
    fake_visit(fake_node(thread, node, unknown), 100, 100);
}

const struct ep_image *functions_image(void)
{
    if (fake.cells)
        return &fake;
    require(fake_begin(NULL) == 0, "there is memory for an image");
    describe(EP_STATE_CLOSED, "./functions");
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    fake_root(thread);
    add_functions(thread, fake_module("/usr/lib/libm.so.6"));
    ep_ref program = fake_module("/usr/bin/program");
    fake_module_cell(program)->build_id_bytes = 1;
    add_functions(thread, program);
    return &fake;
}
