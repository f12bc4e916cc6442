/*
 * make_images.c - makes the images with which the fuzzer begins
 *
 *     make_images DIRECTORY
 *
 * Each image has a property that the others do not have. They are made cell by cell, so that they
 * are small, contain rare cases, and are the same each time.
 */
#include <stdio.h>
#include <stdlib.h>

#include "image_parts.h"

/* ---- sound images ---- */

static void make_empty(void)
{
    describe(EP_STATE_CLOSED, NULL);
}

static void make_instances(void)
{
    static const char *const labels[] = {"parse", "", "\033[31m\"a\";\\\n\xFF\xC3(", "freed"};
    describe(EP_STATE_SAVED, "./program --of=\"one\" \033[0m word");
    set_probe();
    for (uint32_t slot = 0; slot < 4; slot++)
        fake_instance(slot, labels[slot], slot < 3);
    ep_image_root(&fake)->slots_used = 4;
    struct ep_thread_cell *first = fake_thread(0, NULL), *second = fake_thread(1, "reader");
    for (uint32_t slot = 0; slot < 4; slot++)
        fake_call(add_pair(&first->pairs, slot), 100 + slot);
    struct ep_instance_cells *pair = add_pair(&second->pairs, 0);
    fake_call(pair, UINT64_C(1) << 40); /* in a far octave */
    fake_leave_pending(pair, 7);
    pair = add_pair(&second->pairs, 2);
    pair->depth = 2;
    pair->stats.calls = pair->stats.nested = 3;
    pair->stats.errors = 1;
    fake.cells[second->diagnostics].diagnostics.generation = 1;
    fake.cells[second->diagnostics].diagnostics.count[EP_DIAGNOSTIC_UNBALANCED] = 5;
}

static void make_tree(void)
{
    describe(EP_STATE_CLOSED, "./tree");
    set_probe();
    at_moment(90000);
    struct sites sites = add_sites();
    static const char *const names[] = {NULL, "gr\xC3\xBC\xC3\x9F", "gr\xC3\xBC\xC3\x9F"};
    for (uint32_t number = 0; number < 3; number++) {
        struct nodes nodes = add_nodes(fake_thread(number, names[number]), sites);
        fake_visit(nodes.main, 50000, 10000);
        fake_visit(nodes.work, 40000, 30000 - number);
        fake_visit_nested(nodes.work, 5);
        fake_visit(nodes.read, 4000, 4000);
        fake_visit(nodes.read, 6000 + number, 6000 + number);
    }
}

/* Values of each kind, below a scope and outside, and a frame. */
static void make_values(void)
{
    static const enum ep_site_kind kinds[] = {EP_SITE_VALUE, EP_SITE_BYTES, EP_SITE_OVER};
    describe(EP_STATE_CLOSED, "./values");
    struct sites sites = add_sites();
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct nodes nodes = add_nodes(thread, sites);
    fake_visit(nodes.work, 300, 200);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        uint32_t number = fake_site("values.c", 7, "value");
        struct ep_site_cell *site = &fake.cells[ep_image_tree(&fake)->last_site].site;
        site->kind = (uint16_t)kinds[i];
        site->budget_ns = kinds[i] == EP_SITE_OVER ? 16666667 : 0;
        struct ep_node_cell *above = fake_node(thread, nodes.work, number | EP_NODE_VALUE);
        struct ep_node_cell *below =
            fake_node(thread, nodes.root, number | EP_NODE_VALUE | EP_NODE_NEGATIVE);
        fake_leave_pending_in(&above->stats, 1000 + i);
        fake_spread_pending(&above->stats);
        fake_leave_pending_in(&below->stats, UINT64_C(1) << 63);
        fake_spread_pending(&below->stats);
    }
    fake_site("values.c", 8, "frame");
    fake.cells[ep_image_tree(&fake)->last_site].site.kind = EP_SITE_FRAME;
}

/* Values inside values, and a scope inside values; a scope of a site of values, and the reverse. */
static void make_values_in_disorder(void)
{
    make_values();
    struct ep_thread_cell *thread = &fake.cells[ep_image_root(&fake)->threads].thread;
    uint32_t number = ep_image_tree(&fake)->site_count - 1;
    struct ep_node_cell *root = (struct ep_node_cell *)&fake.cells[thread->nodes];
    struct ep_node_cell *of_values = fake_node(thread, root, number | EP_NODE_VALUE);
    fake_visit(fake_node(thread, of_values, EP_SITE_FIRST), 10, 10);
    fake_visit(fake_node(thread, of_values, number | EP_NODE_VALUE), 10, 10);
    fake_visit(fake_node(thread, root, number), 10, 10);
    fake_visit(fake_node(thread, root, EP_SITE_FIRST | EP_NODE_VALUE), 10, 10);
}

static void make_scope_of_value_bits(void)
{
    make_values();
    struct ep_thread_cell *thread = &fake.cells[ep_image_root(&fake)->threads].thread;
    struct ep_node_cell *root = (struct ep_node_cell *)&fake.cells[thread->nodes];
    fake_visit(fake_node(thread, root, EP_NODE_NEGATIVE), 10, 10);
}

/* The image of a process that was killed. */
static void make_open(void)
{
    describe(EP_STATE_RUNNING, "./killed");
    struct sites sites = add_sites();
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct nodes nodes = add_nodes(thread, sites);
    fake_visit(nodes.read, 4000, 4000);
    fake_leave_pending_in(&nodes.read->stats, 123);
    fake_frame(thread, NULL, EP_SCOPE_ENTERING, 0);
    fake_frame(thread, nodes.main, EP_SCOPE_TIMED, 1000)->child_ticks = 10;
    fake_frame(thread, nodes.work, EP_SCOPE_TIMED, 2000)->child_ticks = 4000;
    fake_frame(thread, nodes.work, EP_SCOPE_NESTED, 3000);
    fake_frame(thread, nodes.read, EP_SCOPE_TIMED | EP_SCOPE_VOID, 4000);
    fake_frame(thread, nodes.read, 0, 5000)->state = 0; /* this move was never completed */
    thread->keeps = 3;                                  /* in the middle of a keep */
    fake.cells[EP_CELL_LOCK].lock.changes = 5;
}

static void make_open_saved(void)
{
    make_open();
    fake.cells[EP_CELL_IDENTITY].identity.state = EP_STATE_SAVED;
    fake.cells[EP_CELL_SOURCE].source.is_per_thread = 1;
    fake.cells[EP_CELL_SOURCE].source.name[20] = 'x'; /* after the end of the name */
    fake.cells[ep_image_root(&fake)->threads].thread.self = 77;
    at_moment(9000);
    fake.cells[EP_CELL_SCALE].scale.now_self = 77;
}

/* A sum of images: open calls are counted, and their time so far is owed. */
static void make_sum(void)
{
    make_open();
    fake.cells[EP_CELL_IDENTITY].identity.state = EP_STATE_SAVED;
    fake.cells[EP_CELL_IDENTITY].identity.not_closed = 2;
    fake.cells[EP_CELL_IDENTITY].identity.cut_short = 3;
    fake.cells[EP_CELL_IDENTITY].identity.items_not_understood = 4;
    fake.cells[EP_CELL_SUM].sum.is_net = 1;
    set_probe();
    struct ep_thread_cell *thread = &fake.cells[ep_image_root(&fake)->threads].thread;
    thread->frames = 0;
    struct ep_node_cell *root = (struct ep_node_cell *)&fake.cells[thread->nodes];
    struct ep_node_cell *node = (struct ep_node_cell *)&fake.cells[root->next];
    node->stats.abandoned = 3;
    node->owed_ticks = 50001;
}

/* Nodes and pairs of a hold, which take the place of others until the hold ends. */
static void make_hold(void)
{
    describe(EP_STATE_RUNNING, NULL);
    struct sites sites = add_sites();
    struct ep_thread_cell *thread = fake_thread(7, "holder");
    struct nodes nodes = add_nodes(thread, sites);
    fake_visit(nodes.work, 300, 200);
    struct ep_node_cell *hold = fake_node(thread, nodes.root, EP_SITE_HOLD);
    struct ep_node_cell *scratch = fake_node(thread, hold, sites.read);
    hold->level = scratch->level = 1;
    hold->generation = scratch->generation = 1 + EP_OWNER_TAG_LEVEL;
    hold->base = fake_ref(nodes.root);
    scratch->base = fake_ref(nodes.read);
    scratch->next_touched = fake_ref(scratch);
    scratch->owed_ticks = 100;
    fake_visit(scratch, 100, 100);
    fake_frame(thread, NULL, EP_SCOPE_ENTERING, 0);
    fake_frame(thread, scratch, EP_SCOPE_TIMED | EP_SCOPE_SLOW, 1000);
    fake_call(add_pair(&thread->scratch_cells, 0), 30);
    thread->holds = 1;
}

/* Cells from before a reset, and from after it. */
static void make_reset(void)
{
    describe(EP_STATE_CLOSED, NULL);
    struct nodes nodes = add_nodes(fake_thread(0, NULL), add_sites());
    fake_visit(nodes.read, 4000, 4000);
    fake_reset(5);
    nodes.main->generation = nodes.work->generation = 5;
    fake_visit(nodes.work, UINT64_C(1) << 50, 99);
}

/* The last cells are missing in the file. */
static void make_cut_short(void)
{
    make_tree();
    struct ep_identity_cell *identity = &fake.cells[EP_CELL_IDENTITY].identity;
    identity->cut_short = 1;
    fake_thread(9, "of which there is nothing");
}

/* A label with room for the longest label after it. */
static void give_room(struct ep_site_cell *site)
{
    ep_ref room = ep_image_take(&fake, 2 * EP_BLOCK_CELLS);
    assert_int_not_equal(room, 0);
    memcpy(&fake.cells[room], &fake.cells[site->label], site->label_bytes);
    site->label = room;
}

/* A label of several cells, and paths for which there was no room. */
static void make_other(void)
{
    describe(EP_STATE_CLOSED, NULL);
    char label[200];
    memset(label, 'x', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *root = fake_root(thread);
    struct ep_node_cell *node = fake_node(thread, root, fake_site("src/other.c", 1, label));
    give_room(&fake.cells[ep_image_tree(&fake)->sites].site);
    fake_leave_pending_in(&node->stats, 1000);
    node = fake_node(thread, node, EP_SITE_OTHER);
    fake_leave_pending_in(&node->stats, 900);
    node->self_ticks = 900;
    fake.cells[EP_CELL_DIAGNOSTICS].diagnostics.count[EP_DIAGNOSTIC_OUT_OF_CELLS] = 3;
}

/* Functions with a name, with that of a dynamic symbol, and without one. One of them is sampled, in
 * the way of older versions. */
static void make_functions(void)
{
    describe(EP_STATE_RUNNING, "./program");
    fake.cells[EP_CELL_IDENTITY].identity.version = EP_FORMAT_SAMPLING - 1;
    set_probe();
    fake.cells[EP_CELL_FUNCTION_PROBE].function_probe =
        (struct ep_function_probe_cell){.inside_milliticks = 47000,
                                        .pair_milliticks = 101000,
                                        .nested_pair_milliticks = 99000,
                                        .untimed_pair_milliticks = 49000,
                                        .is_known = 1};
    ep_ref program = fake_module("/usr/bin/program"), library = fake_module("/usr/lib/lib.so.1");
    fake_module_cell(program)->build_id_bytes = EP_BUILD_ID_BYTES;
    fake_module_cell(library)->modified_ns = UINT64_C(1700000000000000000);
    struct ep_site_cell *run = fake_function(program, 0x1139);
    struct ep_site_cell *find = fake_function(library, 0x2040);
    struct ep_site_cell *hash = fake_function(library, 0x2080);
    fake_name(run, "run(int)", EP_NAMING_WHOLE);
    run->file = fake_text("src/run.cc", &run->file_bytes);
    run->line = 7;
    fake_name(find, "_ZN4findEv", EP_NAMING_DYNAMIC);
    hash->is_sampled = 1;
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *node = fake_node(thread, fake_root(thread), run->number);
    fake_visit(node, 90000, 20000);
    node = fake_node(thread, node, find->number);
    fake_visit(node, 70000, 50000);
    node = fake_node(thread, node, hash->number);
    fake_visit(node, 20000, 20000);
    node->stats.calls = 400;
    node->sampling = 3; /* a number, in this version */
}

/* Scopes under a budget: with too few timed calls for an error, with enough of them, with a block
 * in progress, with nested calls, and with only untimed calls. */
static void make_sampled(void)
{
    describe(EP_STATE_CLOSED, "./sampled");
    set_probe();
    fake.cells[EP_CELL_SAMPLED_PROBE].sampled_probe =
        (struct ep_sampled_probe_cell){.inside_milliticks = {31000, 45000},
                                       .pair_milliticks = {95000, 120000},
                                       .untimed_milliticks = {4000, 5000},
                                       .budget_millionths = 20000};
    struct sites sites = add_sites();
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct nodes nodes = add_nodes(thread, sites);
    fake_visit(nodes.main, 900000, 10000);
    fake_sample(nodes.work, 9000, 1);
    fake_sample(nodes.work, 8000, 4);
    fake_visit_nested(nodes.work, 50);
    for (uint64_t i = 0; i < 40; i++)
        fake_sample(nodes.read, 100 + i, 16);
    fake_visit_nested(nodes.read, 50);
    fake_sampling(nodes.read)->timed_nested = 1;
    fake_sampling(nodes.read)->rest = 7;
    nodes.read->stats.until_timed = 3;
    nodes.read->stats.calls += 6;
    struct ep_node_cell *untimed = fake_node(thread, nodes.main, sites.write);
    fake_sampling(untimed)->shift = 12;
    untimed->stats.until_timed = 1000;
    untimed->stats.calls = 100;
}

/* A sum of them has variances. */
static void make_sampled_sum(void)
{
    make_sampled();
    fake.cells[EP_CELL_IDENTITY].identity.state = EP_STATE_SAVED;
    fake.cells[EP_CELL_SUM].sum.is_net = 1;
    struct ep_thread_cell *thread = &fake.cells[ep_image_root(&fake)->threads].thread;
    uint64_t variance = 0;
    for (ep_ref at = thread->nodes; at;) {
        struct ep_node_cell *node = (struct ep_node_cell *)&fake.cells[at];
        node->owed_ticks = 1;
        if (node->sampling)
            fake_sampling(node)->variance = (struct ep_wide){variance, variance};
        variance = variance ? UINT64_MAX : 1000;
        at = node->next;
    }
}

/* Each figure has its largest value: the results do not fit into 64 bits. */
static void make_absurd(void)
{
    describe(EP_STATE_SAVED, NULL);
    fake.cells[EP_CELL_SCALE].scale.scale[0] = (struct ep_scale){UINT64_MAX, 1};
    struct ep_probe_cell *probe = &fake.cells[EP_CELL_PROBE].probe;
    const uint64_t most = UINT64_C(1) << 40; /* which is accepted */
    probe->inside_milliticks = probe->pair_milliticks = most;
    probe->scope_inside_milliticks = probe->scope_pair_milliticks = most;
    probe->nested_pair_milliticks = most;
    probe->is_known = 1;
    struct nodes nodes = add_nodes(fake_thread(0, NULL), add_sites());
    fake_visit(nodes.main, 50000, 10000);
    fake_visit(nodes.work, 40000, 30000);
    nodes.main->stats.total_ticks = nodes.main->stats.max_ticks = UINT64_MAX;
    nodes.main->stats.square_high = UINT64_MAX >> 1;
    nodes.main->stats.calls = 2;
    nodes.work->stats.calls = UINT64_MAX >> 1;
}

static void make_sampled_absurd(void)
{
    make_sampled();
    struct ep_sampled_probe_cell *probe = &fake.cells[EP_CELL_SAMPLED_PROBE].sampled_probe;
    for (int kind = 0; kind < 2; kind++)
        probe->inside_milliticks[kind] = probe->pair_milliticks[kind] =
            probe->untimed_milliticks[kind] = EP_PROBE_MOST_MILLITICKS;
    struct ep_thread_cell *thread = &fake.cells[ep_image_root(&fake)->threads].thread;
    for (ep_ref at = thread->nodes; at;) {
        struct ep_node_cell *node = (struct ep_node_cell *)&fake.cells[at];
        if (node->sampling)
            memset(fake_sampling(node), 0xFF, sizeof(struct ep_sampling_cells));
        at = node->next;
    }
}

/* ---- images that must be refused ---- */

static void make_newer(void)
{
    describe(EP_STATE_CLOSED, NULL);
    fake.cells[EP_CELL_IDENTITY].identity.version = EP_FORMAT_VERSION + 1;
}

static void make_other_byte_order(void)
{
    describe(EP_STATE_CLOSED, NULL);
    fake.cells[EP_CELL_IDENTITY].identity.byte_order = 0x04030201;
}

static void make_cycle(void)
{
    describe(EP_STATE_CLOSED, NULL);
    struct nodes nodes = add_nodes(fake_thread(0, NULL), add_sites());
    nodes.read->next = fake_ref(nodes.main);
}

static void make_without_module(void)
{
    make_functions();
    ep_image_tree(&fake)->modules = 0;
}

static void make_without_site(void)
{
    describe(EP_STATE_CLOSED, NULL);
    add_nodes(fake_thread(0, NULL), add_sites()).read->site = EP_SITE_NONE;
}

static void make_shared_sampling(void)
{
    describe(EP_STATE_CLOSED, NULL);
    struct nodes nodes = add_nodes(fake_thread(0, NULL), add_sites());
    fake_sample(nodes.read, 100, 2);
    nodes.work->sampling = nodes.read->sampling;
}

static void make_shared_nodes(void)
{
    describe(EP_STATE_CLOSED, NULL);
    struct ep_thread_cell *first = fake_thread(0, NULL), *second = fake_thread(1, NULL);
    add_nodes(first, add_sites());
    second->nodes = first->nodes;
}

/* ---- files ---- */

static const struct image {
    const char *name;
    void (*make)(void);
    uint32_t missing_blocks; /* at the end */
} images[] = {
    {"empty.eprof", make_empty, 0},
    {"instances.eprof", make_instances, 0},
    {"tree.eprof", make_tree, 0},
    {"values.eprof", make_values, 0},
    {"values-in-disorder.eprof", make_values_in_disorder, 0},
    {"bad-scope-of-value-bits.eprof", make_scope_of_value_bits, 0},
    {"open.eprof", make_open, 0},
    {"open-saved.eprof", make_open_saved, 0},
    {"hold.eprof", make_hold, 0},
    {"sum.eprof", make_sum, 0},
    {"reset.eprof", make_reset, 0},
    {"cut-short.eprof", make_cut_short, 2},
    {"other.eprof", make_other, 0},
    {"functions.eprof", make_functions, 0},
    {"sampled.eprof", make_sampled, 0},
    {"sampled-sum.eprof", make_sampled_sum, 0},
    {"sampled-absurd.eprof", make_sampled_absurd, 0},
    {"bad-newer.eprof", make_newer, 0},
    {"bad-byte-order.eprof", make_other_byte_order, 0},
    {"bad-cycle.eprof", make_cycle, 0},
    {"absurd.eprof", make_absurd, 0},
    {"bad-without-module.eprof", make_without_module, 0},
    {"bad-without-site.eprof", make_without_site, 0},
    {"bad-shared-sampling.eprof", make_shared_sampling, 0},
    {"bad-shared-nodes.eprof", make_shared_nodes, 0},
    {"bad-cut-off.eprof", make_open, 1},
};

static void write_image(const char *directory, const struct image *image)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, image->name);
    FILE *stream = fopen(path, "wb");
    size_t cells = ep_image_root(&fake)->cells_used - image->missing_blocks * EP_BLOCK_CELLS;
    if (!stream || fwrite(fake.cells, EP_CELL_BYTES, cells, stream) != cells ||
        fclose(stream) != 0) {
        perror(path);
        exit(1);
    }
}

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s DIRECTORY\n", words[0]);
        return 2;
    }
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        if (fake_begin(NULL) != 0)
            return 1;
        images[i].make();
        write_image(words[1], &images[i]);
        fake_end(NULL);
    }
    return 0;
}
