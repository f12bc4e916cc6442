#include "other_image.h"

#include "image_parts.h"
#include "require.h"

static void add_instances(struct ep_thread_cell *thread)
{
    static const char *const labels[] = {"parse", "in no other"};
    for (uint32_t slot = 0; slot < 2; slot++) {
        fake_instance(slot, labels[slot], 1);
        fake_call(add_pair(&thread->pairs, slot), 2000 + slot);
    }
    ep_image_root(&fake)->slots_used = 2;
}

static void add_tree(struct ep_thread_cell *thread)
{
    struct sites sites = add_sites();
    struct nodes nodes = add_nodes(thread, sites);
    fake_visit(nodes.main, 9000, 1000);
    fake_visit(nodes.work, 8000, 5000);
    fake_visit(nodes.read, 3000, 3000);
    fake_sample(nodes.read, 250, 4);
    fake_visit(fake_node(thread, nodes.main, sites.write), 77, 77);
}

static void add_function(struct ep_thread_cell *thread)
{
    ep_ref module = fake_module("/usr/lib/libm.so.6");
    struct ep_site_cell *known = fake_function(module, 0x1230);
    fake_name(known, "sin", EP_NAMING_DYNAMIC);
    uint32_t unknown = fake_function(module, 0x4560)->number;
    struct ep_node_cell *root = (struct ep_node_cell *)&fake.cells[thread->nodes];
    struct ep_node_cell *node = fake_node(thread, root, known->number);
    fake_visit(node, 600, 500);
    fake_visit(fake_node(thread, node, unknown), 100, 100);
}

const struct ep_image *other_image(void)
{
    if (fake.cells)
        return &fake;
    require(fake_begin(NULL) == 0, "there is memory for the other image");
    describe(EP_STATE_CLOSED, "./other");
    set_probe();
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    add_instances(thread);
    add_tree(thread);
    add_function(thread);
    add_tree(fake_thread(1, "reader"));
    return &fake;
}
