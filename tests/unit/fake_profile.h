/*
 * fake_profile.h - an image made by hand that has something of everything
 */
#ifndef FAKE_PROFILE_H
#define FAKE_PROFILE_H

#include "fake_function.h"

/* The parts of it. */
struct fake_profile {
    struct ep_instance_cell *instance, *second;
    struct ep_thread_cell *main, *worker;
    struct ep_pair_cell *pair, *scratch_pair;
    struct ep_node_cell *root, *outer, *inner, *hold; /* of main */
    struct ep_node_cell *worker_root, *worker_node;
    struct ep_frame_cell *lowest, *open; /* of main */
    struct ep_site_cell *site;           /* the first of two */
    struct ep_module_cell *module, *second_module;
    struct ep_site_cell *named, *nameless; /* functions */
};

static inline void fake_header(void)
{
    strcpy(fake.cells[EP_CELL_SOURCE].source.name, "rdtsc");
    struct ep_probe_cell *probe = &fake.cells[EP_CELL_PROBE].probe;
    probe->inside_milliticks = probe->scope_inside_milliticks = 1500;
    probe->pair_milliticks = probe->scope_pair_milliticks = 3000;
    probe->resolution_ticks = 2;
    struct ep_scale_cell *scale = &fake.cells[EP_CELL_SCALE].scale;
    scale->scale[1] = (struct ep_scale){1000000000, 2300000000u};
    scale->current = 1;
    scale->has_now = 1;
    scale->now_ticks = 100000;
    fake.cells[EP_CELL_TROUBLE].trouble.count[EP_TROUBLE_LOST] = 2;
    struct ep_identity_cell *identity = &fake.cells[EP_CELL_IDENTITY].identity;
    identity->command = fake_text("./program --fast", &identity->command_bytes);
    identity->state = EP_STATE_CLOSED;
}

static inline void fake_main_tree(struct fake_profile *made)
{
    uint32_t f = fake_site("a.c", 12, "f"), g = fake_site(NULL, 0, "a label; of \\ eprof_enter");
    made->site = &fake.cells[ep_image_tree(&fake)->sites].site;
    made->root = fake_root(made->main);
    made->outer = fake_node(made->main, made->root, f);
    made->inner = fake_node(made->main, made->outer, g);
    made->hold = fake_node(made->main, made->outer, EP_SITE_HOLD);
    made->hold->level = 1;
    made->hold->base = fake_ref(made->outer);
    fake_visit(made->outer, 5000, 3000);
    fake_visit_nested(made->outer, 100);
    fake_visit(made->inner, 2000, 2000);
    fake_visit(made->inner, UINT64_C(1) << 41, 2000); /* of a far octave */
    made->lowest = fake_frame(made->main, made->root, EP_FRAME_VOID, 0);
    made->open = fake_frame(made->main, made->outer, EP_FRAME_TIMED, 90000);
}

/* A program and a library. */
static inline void fake_functions(struct fake_profile *made)
{
    ep_ref module = fake_module("/usr/bin/program"), second = fake_module("/usr/lib/library.so.1");
    made->module = fake_module_cell(module);
    made->second_module = fake_module_cell(second);
    made->module->build_id_bytes = EP_BUILD_ID_BYTES;
    memset(made->module->build_id, 0xAB, EP_BUILD_ID_BYTES);
    made->named = fake_function(module, 0x1139);
    fake_name(made->named, "run(int)", EP_NAMING_WHOLE);
    made->named->file = fake_text("run.cc", &made->named->file_bytes);
    made->named->line = 7;
    made->nameless = fake_function(second, UINT64_C(0x123456789AB));
}

static inline struct fake_profile fake_profile(void)
{
    struct fake_profile made;
    fake_header();
    made.instance = fake_instance(0, "parse", 1);
    made.second =
        fake_instance(1, "write, and a name that is longer than the sixty-four bytes of a cell", 1);
    made.main = fake_thread(0, NULL);
    made.worker = fake_thread(1, "worker");
    made.pair = fake_pair(made.main, 0, 1);
    fake_call(made.pair, 700);
    fake_call(made.pair, UINT64_C(1) << 52);
    fake_leave_pending(made.pair, 900);
    fake_call(fake_pair(made.worker, 0, 1), 800);
    fake_call(fake_pair(made.worker, 1, 1), 80);
    fake_main_tree(&made);
    made.scratch_pair = (struct ep_pair_cell *)&fake.cells[ep_image_take(&fake, EP_BLOCK_CELLS)];
    made.scratch_pair->stats.min_ticks = UINT64_MAX;
    made.main->scratch_pairs = fake_ref(made.scratch_pair);
    fake_functions(&made);
    made.worker_root = fake_root(made.worker);
    fake_visit(fake_node(made.worker, made.worker_root, made.named->number), 300, 300);
    fake_visit(fake_node(made.worker, made.worker_root, made.nameless->number), 20, 20);
    made.worker_node = fake_node(made.worker, made.worker_root, made.outer->site);
    fake_visit(made.worker_node, 4000, 4000);
    return made;
}

#endif /* FAKE_PROFILE_H */
