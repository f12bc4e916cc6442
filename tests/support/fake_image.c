#include "fake_image.h"

#include <inttypes.h>
#include <stdio.h>

struct ep_image fake;

int fake_begin(void **state)
{
    (void)state;
    return ep_image_create(&fake);
}

int fake_end(void **state)
{
    (void)state;
    ep_image_destroy(&fake);
    return 0;
}

void fake_reset(uint64_t generation)
{
    ep_image_control(&fake)->generation = generation;
    ep_image_control(&fake)->reset_generation = generation;
}

struct ep_instance_cell *fake_instance(uint32_t slot, const char *label, uint64_t born)
{
    assert_return_code(ep_image_instance_add(&fake, slot), errno);
    struct ep_instance_cell *instance = ep_image_instance(&fake, slot);
    instance->handle = slot;
    instance->label_bytes = (uint32_t)strlen(label);
    instance->label = ep_image_text(&fake, label, instance->label_bytes, &instance->label_cells);
    instance->born = born;
    return instance;
}

struct ep_thread_cell *fake_thread(uint32_t number, const char *name)
{
    ep_ref block = ep_image_take(&fake, EP_BLOCK_CELLS);
    assert_int_not_equal(block, 0);
    struct ep_thread_cell *thread = &fake.cells[block].thread;
    thread->number = number;
    thread->state = EP_THREAD_LIVING;
    thread->diagnostics = block + 1;
    thread->more = block + 2;
    fake.cells[thread->more].more.note = block + 3;
    if (name) {
        thread->name_bytes = (uint32_t)strlen(name);
        uint32_t cells;
        thread->name = ep_image_text(&fake, name, thread->name_bytes, &cells);
    }
    ep_ref *place = &ep_image_root(&fake)->threads;
    while (*place)
        place = &fake.cells[*place].thread.next;
    *place = block;
    return thread;
}

struct ep_instance_cells *fake_pair(struct ep_thread_cell *thread, uint32_t slot,
                                    uint64_t generation)
{
    ep_ref cells = ep_image_take(&fake, EP_BLOCK_CELLS);
    assert_int_not_equal(cells, 0);
    struct ep_instance_cells *pair = (struct ep_instance_cells *)&fake.cells[cells];
    pair->generation = generation;
    pair->handle = slot;
    pair->stats.min_ticks = UINT64_MAX;
    ep_ref *place = &thread->pairs;
    while (*place)
        place = &((struct ep_instance_cells *)&fake.cells[*place])->next;
    *place = cells;
    return pair;
}

ep_ref fake_cell(ep_ref *place)
{
    if (!*place)
        *place = ep_image_take(&fake, 1);
    assert_int_not_equal(*place, 0);
    return *place;
}

void fake_leave_pending_in(struct ep_statistics *stats, uint64_t ticks)
{
    stats->calls++;
    stats->total_ticks += ticks;
    stats->min_ticks = ticks < stats->min_ticks ? ticks : stats->min_ticks;
    stats->max_ticks = ticks > stats->max_ticks ? ticks : stats->max_ticks;
    stats->pending = ticks + 1;
}

void fake_leave_pending(struct ep_instance_cells *pair, uint64_t ticks)
{
    fake_leave_pending_in(&pair->stats, ticks);
}

void fake_spread_pending(struct ep_statistics *stats)
{
    uint64_t ticks = stats->pending - 1;
    uint32_t bucket = ep_histogram_bucket(ticks);
    uint32_t octave = bucket / EP_OCTAVE_BUCKETS, far = octave - EP_NEAR_OCTAVES;
    ep_ref *place = octave < EP_NEAR_OCTAVES
                        ? &stats->octave[octave]
                        : &fake.cells[fake_cell(&stats->far[far / 16])].far.octave[far % 16];
    fake.cells[fake_cell(place)].octave.count[bucket % EP_OCTAVE_BUCKETS]++;
    struct ep_wide squares = {stats->square_low, stats->square_high};
    squares = ep_wide_add(squares, ep_wide_multiply(ticks, ticks));
    stats->square_low = squares.low;
    stats->square_high = squares.high;
    stats->pending = 0;
}

void fake_call(struct ep_instance_cells *pair, uint64_t ticks)
{
    fake_leave_pending(pair, ticks);
    fake_spread_pending(&pair->stats);
}

static void release_snapshot(void *snapshot)
{
    ep_snapshot_free(snapshot);
}

struct eprof_snapshot *snapshot_keep(struct eprof_snapshot *snapshot)
{
    return test_keep(snapshot, release_snapshot);
}

struct eprof_snapshot *fake_take_at(struct ep_present present, struct ep_snapshot_options options)
{
    return snapshot_keep(ep_snapshot_take(&fake, (struct ep_scale){1, 1}, present, options));
}

struct eprof_snapshot *fake_take(struct ep_snapshot_options options)
{
    return fake_take_at(NO_PRESENT, options);
}

const char *figures_of(const struct eprof_row *row, const char *expected)
{
#define FIELD(field) offsetof(struct eprof_row, field)
    static const struct {
        const char *name;
        size_t offset;
    } figures[] = {
        {"calls", FIELD(calls)},  {"timed", FIELD(timed)},      {"errors", FIELD(errors)},
        {"open", FIELD(open)},    {"total", FIELD(total_ns)},   {"self", FIELD(self_ns)},
        {"mean", FIELD(mean_ns)}, {"stddev", FIELD(stddev_ns)}, {"min", FIELD(min_ns)},
        {"p50", FIELD(p50_ns)},   {"p90", FIELD(p90_ns)},       {"p99", FIELD(p99_ns)},
        {"p999", FIELD(p999_ns)}, {"max", FIELD(max_ns)}};
    struct test_text text;
    FILE *out = test_text_begin(&text);
    for (const char *at = expected; *at;) {
        size_t i = 0, length = strcspn(at, " ");
        while (strncmp(figures[i].name, at, length) != 0 || figures[i].name[length])
            assert_in_range(++i, 0, sizeof figures / sizeof figures[0] - 1);
        const void *value = (const char *)row + figures[i].offset;
        fprintf(out, "%s%s %" PRIu64, at == expected ? "" : ", ", figures[i].name,
                *(const uint64_t *)value);
        at += strcspn(at, ",");
        at += strspn(at, ", ");
    }
    return test_text_end(&text);
}

struct eprof_row fake_only_row(struct ep_snapshot_options options)
{
    struct eprof_snapshot *snapshot = fake_take(options);
    if (snapshot->diagnostic_first != 1)
        fail_msg("%zu rows of instances", snapshot->diagnostic_first);
    return snapshot->rows[0];
}

ep_ref fake_text(const char *text, uint32_t *bytes)
{
    uint32_t cells;
    *bytes = (uint32_t)strlen(text);
    ep_ref run = ep_image_text(&fake, text, *bytes, &cells);
    assert_int_not_equal(run, 0);
    return run;
}

uint32_t fake_site(const char *file, uint32_t line, const char *label)
{
    struct ep_tree_cell *tree = ep_image_tree(&fake);
    ep_ref ref = ep_image_take(&fake, 2);
    assert_int_not_equal(ref, 0);
    struct ep_site_cell *site = &fake.cells[ref].site;
    site->number = ++tree->site_count;
    site->line = line;
    site->label = fake_text(label, &site->label_bytes);
    if (file)
        site->file = fake_text(file, &site->file_bytes);
    *(tree->last_site ? &fake.cells[tree->last_site].site.next : &tree->sites) = ref;
    tree->last_site = ref;
    return site->number;
}

ep_ref fake_ref(const void *cell)
{
    return cell ? (ep_ref)((const union ep_cell *)cell - fake.cells) : 0;
}

/* The place for the link to the next node of a thread. The search starts at the last node that it
 * found: otherwise a tree of a million nodes would be walked a million times. */
static ep_ref *fake_end_of_nodes(struct ep_thread_cell *thread)
{
    static const struct ep_thread_cell *owner;
    static ep_ref *end;
    if (owner != thread || !thread->nodes)
        end = &thread->nodes;
    owner = thread;
    while (*end)
        end = &((struct ep_node_cell *)&fake.cells[*end])->next;
    return end;
}

struct ep_node_cell *fake_node(struct ep_thread_cell *thread, const struct ep_node_cell *parent,
                               uint32_t site)
{
    ep_ref ref = ep_image_take(&fake, 4);
    assert_int_not_equal(ref, 0);
    struct ep_node_cell *node = (struct ep_node_cell *)&fake.cells[ref];
    node->generation = ep_image_control(&fake)->generation;
    node->site = site;
    node->parent = fake_ref(parent);
    node->stats.min_ticks = UINT64_MAX;
    *fake_end_of_nodes(thread) = ref;
    return node;
}

struct ep_node_cell *fake_root(struct ep_thread_cell *thread)
{
    return fake_node(thread, NULL, EP_SITE_NONE);
}

void fake_visit(struct ep_node_cell *node, uint64_t ticks, uint64_t self_ticks)
{
    fake_leave_pending_in(&node->stats, ticks);
    fake_spread_pending(&node->stats);
    node->self_ticks += self_ticks;
}

void fake_visit_nested(struct ep_node_cell *node, uint64_t self_ticks)
{
    node->stats.calls++;
    node->stats.nested++;
    node->self_ticks += self_ticks;
}

struct ep_sampling_cells *fake_sampling(struct ep_node_cell *node)
{
    if (!node->sampling) {
        node->sampling = ep_image_take(&fake, sizeof(struct ep_sampling_cells) / EP_CELL_BYTES);
        assert_int_not_equal(node->sampling, 0);
        struct ep_sampling_cells *made = (struct ep_sampling_cells *)&fake.cells[node->sampling];
        made->timed = made->weight = node->stats.calls - node->stats.nested;
        made->timed_nested = node->stats.nested;
    }
    return (struct ep_sampling_cells *)&fake.cells[node->sampling];
}

void fake_sample(struct ep_node_cell *node, uint64_t ticks, uint64_t weight)
{
    struct ep_sampling_cells *cells = fake_sampling(node);
    for (uint64_t i = 0; i < weight; i++)
        fake_visit(node, ticks, ticks);
    cells->timed++;
    cells->weight += weight;
    if (weight == 1)
        return;
    uint64_t square = weight * weight;
    cells->sampled++;
    cells->sampled_weight += weight;
    cells->squares += square;
    cells->square_ticks = ep_wide_add(cells->square_ticks, ep_wide_multiply(square, ticks));
    cells->square_square_ticks =
        ep_wide_add(cells->square_square_ticks, ep_wide_multiply_by(ep_wide_square(ticks), square));
    if (ticks * weight > cells->largest_ticks) {
        cells->largest_ticks = ticks * weight;
        cells->largest_weight = weight;
    }
}

struct ep_open_scope_cell *fake_frame(struct ep_thread_cell *thread,
                                      const struct ep_node_cell *node, uint32_t state,
                                      uint64_t start_ticks)
{
    ep_ref *place = &thread->frames;
    while (*place)
        place = &fake.cells[*place].frame.next;
    *place = ep_image_take(&fake, 1);
    assert_int_not_equal(*place, 0);
    struct ep_open_scope_cell *frame = &fake.cells[*place].frame;
    frame->generation = ep_image_control(&fake)->generation;
    frame->node = fake_ref(node);
    frame->state = EP_SCOPE_OPEN | state;
    frame->start_ticks = start_ticks;
    return frame;
}

const struct eprof_row *fake_find(struct eprof_snapshot *snapshot, const char *thread,
                                  const char *path)
{
    for (size_t i = snapshot->scope_first; i < snapshot->diagnostic_first; i++)
        if (strcmp(snapshot->rows[i].thread, thread) == 0 &&
            strcmp(ep_rows_path(snapshot, i), path) == 0)
            return &snapshot->rows[i];
    fail_msg("no row %s of %s", path, thread);
    return NULL;
}

const struct eprof_row *fake_row(struct eprof_snapshot *snapshot, const char *path)
{
    return fake_find(snapshot, "*", path);
}

ep_ref fake_module(const char *path)
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

struct ep_module_cell *fake_module_cell(ep_ref module)
{
    return &fake.cells[module].module;
}

struct ep_site_cell *fake_function(ep_ref module, uint64_t address)
{
    struct ep_tree_cell *tree = ep_image_tree(&fake);
    fake_site(NULL, 0, "");
    struct ep_site_cell *site = &fake.cells[tree->last_site].site;
    site->label = 0;
    site->module = module;
    site->function = address;
    return site;
}

void fake_name(struct ep_site_cell *function, const char *name, enum ep_site_naming naming)
{
    function->label = fake_text(name, &function->label_bytes);
    function->naming = (uint16_t)naming;
}
