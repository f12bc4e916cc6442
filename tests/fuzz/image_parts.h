/*
 * image_parts.h - the parts of the images in the corpus
 */
#ifndef IMAGE_PARTS_H
#define IMAGE_PARTS_H

#include "../support/fake_image.h"

/* As for a process that has ended. */
static inline void describe(uint32_t state, const char *command)
{
    struct ep_identity_cell *identity = &fake.cells[EP_CELL_IDENTITY].identity;
    identity->process_id = 4242;
    identity->realtime_ns = UINT64_C(1700000000000000000);
    identity->state = state;
    if (command)
        identity->command = fake_text(command, &identity->command_bytes);
    struct ep_source_cell *source = &fake.cells[EP_CELL_SOURCE].source;
    strcpy(source->name, "rdtsc");
    source->ticks_per_second = UINT64_C(2300000000);
    struct ep_scale_cell *scale = &fake.cells[EP_CELL_SCALE].scale;
    scale->scale[0] = (struct ep_scale){1000, 2300};
}

static inline void at_moment(uint64_t now_ticks)
{
    struct ep_scale_cell *scale = &fake.cells[EP_CELL_SCALE].scale;
    scale->has_now = 1;
    scale->now_ticks = now_ticks;
}

static inline void set_probe(void)
{
    fake.cells[EP_CELL_PROBE].probe = (struct ep_probe_cell){.inside_milliticks = 23990,
                                                             .pair_milliticks = 48900,
                                                             .resolution_ticks = 2,
                                                             .is_known = 1,
                                                             .scope_inside_milliticks = 32660,
                                                             .scope_pair_milliticks = 78890,
                                                             .nested_pair_milliticks = 39000};
}

/* The last site of a list; it has four cells, while fake_pair() takes a block. */
static inline struct ep_instance_cells *add_pair(ep_ref *list, uint32_t handle)
{
    ep_ref ref = ep_image_take(&fake, 4);
    assert_int_not_equal(ref, 0);
    struct ep_instance_cells *pair = (struct ep_instance_cells *)&fake.cells[ref];
    pair->generation = ep_image_control(&fake)->generation;
    pair->handle = handle;
    pair->stats.min_ticks = UINT64_MAX;
    while (*list)
        list = &((struct ep_instance_cells *)&fake.cells[*list])->next;
    *list = ref;
    return pair;
}

/* main
 * + work (calls itself)
 * | + read
 * + write */
struct sites {
    uint32_t main, work, read, write;
};

static inline struct sites add_sites(void)
{
    return (struct sites){.main = fake_site("src/cli/main.c", 10, "main"),
                          .work = fake_site("src/work.c", 20, "work"),
                          .read = fake_site("src/file.c", 30, "read"),
                          .write = fake_site(NULL, 0, "write")};
}

struct nodes {
    struct ep_node_cell *root, *main, *work, *read;
};

static inline struct nodes add_nodes(struct ep_thread_cell *thread, struct sites sites)
{
    struct nodes nodes = {.root = fake_root(thread)};
    nodes.main = fake_node(thread, nodes.root, sites.main);
    nodes.work = fake_node(thread, nodes.main, sites.work);
    nodes.read = fake_node(thread, nodes.work, sites.read);
    return nodes;
}

#endif /* IMAGE_PARTS_H */
