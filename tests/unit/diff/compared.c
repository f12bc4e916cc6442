#include "compared.h"

#include <stdlib.h>

/* ---- profiles ---- */

static void call(struct ep_node_cell *node, uint64_t ticks, unsigned calls)
{
    for (unsigned i = 0; i < calls && ticks > 0; i++)
        fake_visit(node, ticks / calls, ticks / calls);
}

static void call_sampled(struct ep_node_cell *node, const struct run *run, unsigned calls)
{
    uint64_t ticks = run->parse_ticks / calls;
    for (unsigned i = 0; i < calls; i++)
        fake_sample(node, i % 2 ? ticks + run->spread_ticks : ticks - run->spread_ticks,
                    run->weight);
}

static uint32_t hook_function(const struct run *run)
{
    struct ep_site_cell *function = fake_function(fake_module("/usr/bin/program"), run->hook_ticks);
    fake_name(function, "hook(int)", EP_NAMING_WHOLE);
    return function->number;
}

static void make_scopes(const struct run *run, unsigned calls)
{
    struct ep_thread_cell *thread = fake_thread(0, run->thread);
    struct ep_node_cell *outer =
        fake_node(thread, fake_root(thread), fake_site("main.c", 1, "main"));
    uint64_t inner_ticks = run->parse_ticks + run->write_ticks;
    struct ep_node_cell *parse = fake_node(thread, outer, fake_site("parse.c", run->line, "parse"));
    if (run->is_parse_nested)
        fake_visit_nested(parse, 10);
    else if (run->weight)
        call_sampled(parse, run, calls);
    else
        call(parse, run->parse_ticks, calls);
    if (run->parse_cpu_ns) {
        fake.cells[EP_CELL_CPU].cpu.is_on = 1;
        fake_sampling(parse)->cpu =
            (struct ep_cpu_sums){.cpu_ns = run->parse_cpu_ns, .weight = parse->stats.calls};
    }
    if (run->is_parse_damaged)
        parse->stats.calls = parse->stats.nested = UINT64_C(1) << 63;
    call(fake_node(thread, outer, fake_site("parse.c", 99, "parse")), run->twin_ticks, 1);
    call(fake_node(thread, outer, fake_site("write.c", 9, "write")), run->write_ticks, calls);
    if (run->hook_ticks > 0)
        fake_sample(fake_node(thread, outer, hook_function(run)), run->hook_ticks / 2, 2);
    if (inner_ticks > 0)
        fake_visit(outer, inner_ticks + 1000, 1000);
}

/* One tick is one ns. */
static struct ep_image profile_of(const struct run *run)
{
    assert_return_code(ep_image_create(&fake), errno);
    fake_reset(5);
    memcpy(fake.cells[EP_CELL_SOURCE].source.name, "rdtsc", sizeof "rdtsc");
    fake.cells[EP_CELL_SCALE].scale.scale[0] = (struct ep_scale){1000, 1000};
    make_scopes(run, run->calls ? run->calls : 1);
    if (run->instance_ticks > 0)
        for (uint32_t slot = 0; slot < 2; slot++) { /* of one label */
            fake_instance(slot,
                          run->are_shown_alike && slot ? "lock\xFF"
                          : run->are_shown_alike       ? "lock\\xff"
                                                       : "lock",
                          1 + slot);
            struct ep_thread_cell *thread = &fake.cells[ep_image_root(&fake)->threads].thread;
            struct ep_instance_cells *pair = fake_pair(thread, slot, 5);
            fake_leave_pending_in(&pair->stats, run->instance_ticks / 2);
            fake_spread_pending(&pair->stats);
        }
    struct ep_image made = fake;
    memset(&fake, 0, sizeof fake);
    return made;
}

/* ---- sides ---- */

struct sides repeated(size_t count, uint64_t more_ns)
{
    struct sides sides = {.before_count = count, .after_count = count};
    for (size_t i = 0; i < count; i++) {
        sides.before[i] = (struct run){.parse_ticks = 100000 + 100 * i,
                                       .write_ticks = 50000 + 10 * (i * 7 % count)};
        sides.after[i] = sides.before[i];
        sides.after[i].parse_ticks += more_ns;
        sides.after[i].write_ticks += 5;
    }
    return sides;
}

struct ep_diff *diff;

static void visit(struct ep_diff_making *making, enum ep_diff_side side, const struct run *runs,
                  size_t count, bool is_inspecting)
{
    for (size_t i = 0; i < count; i++) {
        struct ep_image image = profile_of(&runs[i]);
        if (is_inspecting)
            ep_diff_make_inspect(making, side, image.cells);
        else
            assert_return_code(ep_diff_make_add(making, side, &image), errno);
        ep_image_destroy(&image);
    }
}

void compare_by(const struct sides *sides, const char *by, const char *filter)
{
    struct ep_diff_options options = {.by = ep_columns_find(by), .error = 0.05, .filter = filter};
    struct ep_diff_making *making = ep_diff_make_begin(options);
    assert_non_null(making);
    for (int is_inspecting = 1; is_inspecting >= 0; is_inspecting--) {
        visit(making, EP_DIFF_BEFORE, sides->before, sides->before_count, is_inspecting);
        visit(making, EP_DIFF_AFTER, sides->after, sides->after_count, is_inspecting);
    }
    diff = ep_diff_make_end(making);
    assert_non_null(diff);
}

void compare(const struct sides *sides)
{
    compare_by(sides, "total", NULL);
}

int compared_end(void **state)
{
    (void)state;
    ep_diff_free(diff);
    diff = NULL;
    return 0;
}

const struct ep_diff_row *row_of(const char *path)
{
    const struct ep_diff_row *found = NULL;
    for (size_t i = 0; i < diff->row_count; i++) {
        char *is = ep_diff_path(diff, &diff->rows[i]);
        if (strcmp(is, path) == 0) {
            assert_null(found);
            found = &diff->rows[i];
        }
        free(is);
    }
    if (!found)
        fail_msg("no region %s", path);
    return found;
}
