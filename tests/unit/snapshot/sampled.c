#include "sampled.h"

struct parts make_parts(void)
{
    ep_ref module = fake_module("/bin/p");
    struct parts parts = {.thread = fake_thread(0, NULL),
                          .outer_site = fake_function(module, 0x10),
                          .brief_site = fake_function(module, 0x20)};
    fake_name(parts.outer_site, "outer", EP_NAMING_WHOLE);
    fake_name(parts.brief_site, "brief", EP_NAMING_WHOLE);
    parts.root = fake_root(parts.thread);
    parts.outer = fake_node(parts.thread, parts.root, parts.outer_site->number);
    parts.brief = fake_node(parts.thread, parts.outer, parts.brief_site->number);
    fake.cells[EP_CELL_FUNCTION_PROBE].function_probe =
        (struct ep_function_probe_cell){.is_known = 1,
                                        .inside_milliticks = 1000 * INSIDE,
                                        .pair_milliticks = 1000 * (INSIDE + AROUND),
                                        .nested_pair_milliticks = 1000};
    fake.cells[EP_CELL_SAMPLED_PROBE].sampled_probe = (struct ep_sampled_probe_cell){
        .inside_milliticks = {[EP_PROBE_FUNCTION] = 1000 * INSIDE},
        .pair_milliticks = {[EP_PROBE_FUNCTION] = 1000 * (INSIDE + AROUND)},
        .untimed_milliticks = {[EP_PROBE_FUNCTION] = 500}};
    return parts;
}

uint64_t call_timed(struct ep_node_cell *node, int calls)
{
    for (int i = 0; i < calls; i++)
        fake_visit(node, CALL + INSIDE, CALL + INSIDE);
    return (uint64_t)calls * (CALL + INSIDE + AROUND);
}

uint64_t untimed_ticks(int calls)
{
    return (uint64_t)calls / 2;
}

uint64_t call_sampled(struct ep_node_cell *node, int samples)
{
    for (int i = 0; i < samples; i++)
        fake_sample(node, CALL + INSIDE, WEIGHT);
    return (uint64_t)samples * (CALL + INSIDE + AROUND + UNTIMED * CALL) +
           untimed_ticks(samples * UNTIMED);
}

void end_around(struct ep_node_cell *node, const struct ep_node_cell *child, uint64_t ticks)
{
    uint64_t measured = INSIDE + OWN + ticks;
    fake_visit(node, measured, measured - child->stats.total_ticks);
}
