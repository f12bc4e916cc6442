#include "random_image.h"

uint32_t random_below(uint32_t limit)
{
    return (uint32_t)(random_next() % limit);
}

bool random_one_in(uint32_t count)
{
    return random_below(count) == 0;
}

/* Mostly short; sometimes far longer than the octaves that one reference reaches. */
static uint64_t random_ticks(void)
{
    return (random_next() % 1000 + 1) << (random_one_in(8) ? random_below(34) : 4);
}

/* In images before EP_FORMAT_SAMPLING. */
static bool random_is_older(void)
{
    return fake.cells[EP_CELL_IDENTITY].identity.version < EP_FORMAT_SAMPLING;
}

static void random_figures(struct ep_statistics *stats, uint64_t *self_ticks)
{
    for (uint32_t calls = random_below(6); calls; calls--) {
        uint64_t ticks = random_ticks();
        fake_leave_pending_in(stats, ticks);
        if (calls > 1 || random_one_in(2))
            fake_spread_pending(stats);
        if (self_ticks) /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): 2^44 at most */
            *self_ticks += random_next() % (ticks + 1);
    }
    uint32_t nested = random_below(3), errors = random_one_in(4);
    stats->nested += nested;
    stats->errors += errors;
    stats->calls += nested + errors;
}

/* That of all timed calls, or of fewer. */
static void random_cpu(struct ep_cpu_sums *cpu, uint64_t timed)
{
    cpu->weight = random_one_in(4) ? random_below((uint32_t)timed + 1) : timed;
    cpu->cpu_ns = cpu->weight ? random_ticks() : 0;
    cpu->start_cpu_ns = random_below(2);
}

/* ---- instances ---- */

static uint32_t random_instances(bool is_orderly)
{
    static const char *const labels[] = {"load", "parse", "\xC3\xA4", "load", "", "a;b\\c"};
    static const char *const orderly[] = {"load", "parse", "\xC3\xA4", "write", "", "a;b\\c"};
    uint32_t count = random_below(7), first = random_below(6);
    for (uint32_t slot = 0; slot < count; slot++) {
        const char *label = is_orderly ? orderly[slot] : labels[(slot + first) % 6];
        struct ep_instance_cell *instance = fake_instance(slot, label, RANDOM_RESET);
        if (random_one_in(3))
            instance->handle += EP_SLOTS; /* its second use */
        instance->birth = is_orderly ? slot : random_below(1000);
        if (!is_orderly && random_one_in(6))
            instance->born = random_one_in(2) ? 0 : RANDOM_NOW + 1;
    }
    return count;
}

static void random_pairs(struct ep_thread_cell *thread, uint32_t slots, bool is_orderly)
{
    for (uint32_t slot = 0; slot < slots; slot++) {
        if (!is_orderly && random_one_in(3))
            continue;
        struct ep_instance_cells *pair = fake_pair(thread, slot, RANDOM_NOW);
        pair->handle = ep_image_instance(&fake, slot)->handle;
        random_figures(&pair->stats, NULL);
        pair->depth = random_below(3);
        if (fake.cells[EP_CELL_CPU].cpu.is_on && !random_one_in(6)) {
            const struct ep_statistics *stats = &pair->stats;
            pair->stats.cpu = ep_image_take(&fake, 1);
            assert_int_not_equal(pair->stats.cpu, 0);
            random_cpu(&fake.cells[pair->stats.cpu].cpu_sums,
                       stats->calls - stats->nested - stats->errors);
        }
        pair->stats.abandoned = random_one_in(4) ? 0 - pair->depth : random_below(2);
        if (!is_orderly && random_one_in(6))
            pair->generation = RANDOM_RESET - 1;
        if (!is_orderly && random_one_in(6))
            pair->handle += EP_SLOTS;
    }
}

/* ---- call trees ---- */

/* Some modules have the same path: they have one of two build-ids, or none and one of two times of
 * modification. */
static ep_ref random_module(const char *path)
{
    ep_ref ref = fake_module(path);
    struct ep_module_cell *module = fake_module_cell(ref);
    module->begin = module->bias = random_next() << 12;
    module->modified_ns = 1 + random_below(2);
    if (random_one_in(2)) {
        module->build_id_bytes = EP_BUILD_ID_BYTES;
        memset(module->build_id, 1 + (int)random_below(2), EP_BUILD_ID_BYTES);
    }
    return ref;
}

static void random_function(const struct random_site *like, ep_ref module, bool is_orderly)
{
    struct ep_site_cell *site = fake_function(module, like->address);
    site->is_sampled = !is_orderly && random_one_in(4);
    if (like->naming == EP_NAMING_NONE || (!is_orderly && random_one_in(4)))
        return;
    fake_name(site, like->label, like->naming);
    site->line = like->line;
    if (like->file)
        site->file = fake_text(like->file, &site->file_bytes);
}

static struct ep_site_cell *random_site_at(uint32_t number)
{
    for (EP_EACH(ep_site_cell, site, fake.cells, &ep_image_tree(&fake)->sites))
        if (site->number == number)
            return site;
    return NULL;
}

static void random_scope_or_value(const struct random_site *like)
{
    struct ep_site_cell *site = random_site_at(fake_site(like->file, like->line, like->label));
    site->kind = (uint16_t)like->kind;
    site->budget_ns = like->kind >= EP_SITE_FRAME ? 7 : 0;
}

static uint32_t random_sites(bool is_orderly)
{
    static const char program[] = "/bin/program", library[] = "/lib/library.so";
    static const struct random_site sites[] = {
        {.module = program, .address = 0x10},
        {.module = program, .address = UINT64_C(1) << 32 | 0x10},
        {.module = library, .address = 0x10},
        {.label = "_Zf", .naming = EP_NAMING_DYNAMIC, .module = library, .address = 0x20},
        {.label = "alpha"},
        {.label = "omega"},
        {"a.c", "f", 1, EP_NAMING_NONE, NULL, 0, EP_SITE_SCOPE},
        {"a.c", "f", 1, EP_NAMING_NONE, NULL, 0, EP_SITE_VALUE},
        {"a.c", "f", 1, EP_NAMING_NONE, NULL, 0, EP_SITE_BYTES},
        {"a.c", "f", 1, EP_NAMING_NONE, NULL, 0, EP_SITE_OVER},
        {"a.c", "f", 1, EP_NAMING_WHOLE, program, 0x30, EP_SITE_SCOPE},
        {"a.c", "f", 2, EP_NAMING_NONE, NULL, 0, EP_SITE_FRAME},
        {"a.c", "g", 2, EP_NAMING_WHOLE, library, 0x30, EP_SITE_SCOPE},
        {"b.c", "f", 1, EP_NAMING_NONE, NULL, 0, EP_SITE_SCOPE},
        {"b.c", "h\xFF", 7, EP_NAMING_NONE, NULL, 0, EP_SITE_SCOPE},
        {"c.c", "", 3, EP_NAMING_NONE, NULL, 0, EP_SITE_SCOPE},
        /* a copy of the other one */
        {"a.c", "f", 1, EP_NAMING_WHOLE, library, 0x28, EP_SITE_SCOPE},
        {"a.c", "f", 1, EP_NAMING_WHOLE, program, 0x28, EP_SITE_SCOPE}};
    enum { SITES = sizeof sites / sizeof sites[0], ORDERLY_SITES = SITES - 2 };
    const ep_ref modules[2] = {random_module(program), random_module(library)};
    uint32_t first = is_orderly ? 0 : random_below(SITES);
    uint32_t count = 1 + random_below(is_orderly ? ORDERLY_SITES : SITES);
    uint32_t step = is_orderly || random_one_in(2) ? 1 : 4; /* all of them, in another order */
    for (uint32_t i = 0; i < count; i++) {
        const struct random_site *like = &sites[(first + i * step) % SITES];
        if (like->module)
            random_function(like, modules[like->module == library], is_orderly);
        else
            random_scope_or_value(like);
    }
    return count;
}

/* Timed calls that represent 1 to 16 calls each: too few of them for an error, or enough. The calls
 * until now were all timed, except for some nested ones; the last block is not complete. */
static void random_sampling(struct ep_node_cell *node)
{
    uint32_t timed = random_one_in(2) ? random_below(4) : 30 + random_below(20);
    uint64_t least_ticks = random_ticks();
    if (node->stats.pending)
        fake_spread_pending(&node->stats);
    struct ep_sampling_cells *cells = fake_sampling(node);
    cells->timed = cells->weight = node->stats.calls - node->stats.nested - node->stats.errors;
    for (; timed; timed--) {
        uint64_t weight = UINT64_C(1) << random_below(5);
        fake_sample(node, least_ticks + random_next() % least_ticks, weight);
    }
    cells->timed_nested -= random_below((uint32_t)cells->timed_nested + 1);
    random_cpu(&cells->cpu, cells->weight);
    cells->changes = 2 * random_below(100);
    cells->shift = (uint8_t)random_below(5);
    cells->rest = random_below(1U << cells->shift);
    node->stats.until_timed = 1 + random_below(1U << cells->shift);
    node->stats.calls += random_below(1U << cells->shift);
}

static void random_estimate(struct ep_node_cell *node)
{
    if (node->level != 0 || !random_one_in(4))
        return;
    if (random_is_older())
        node->sampling = random_below(4); /* a number */
    else
        random_sampling(node);
}

static bool random_has_child(struct ep_node_cell *const *nodes, uint32_t count,
                             const struct ep_node_cell *parent, uint32_t site)
{
    for (uint32_t i = 1; i < count; i++)
        if (nodes[i]->parent == fake_ref(parent) && nodes[i]->site == site)
            return true;
    return false;
}

static void random_open(struct ep_thread_cell *thread, struct ep_node_cell *const *nodes,
                        uint32_t count)
{
    static const uint32_t states[] = {EP_SCOPE_TIMED,   EP_SCOPE_TIMED,
                                      EP_SCOPE_NESTED,  EP_SCOPE_VOID,
                                      EP_SCOPE_UNTIMED, EP_SCOPE_TIMED | EP_SCOPE_SAMPLE};
    uint32_t state_count = random_is_older() ? 4 : 6;
    uint64_t start_ticks = 1000;
    fake_frame(thread, nodes[0], EP_SCOPE_VOID, 0);
    for (uint32_t depth = random_below(5); depth && count > 1; depth--) {
        struct ep_open_scope_cell *frame =
            fake_frame(thread, nodes[1 + random_below(count - 1)],
                       states[random_below(state_count)], start_ticks);
        frame->child_ticks = random_below(100);
        frame->generation = random_one_in(6) ? RANDOM_RESET - 1 : RANDOM_NOW;
        start_ticks += random_below(200000);
    }
}

/* Whether the site has values, which are in a node without children. */
static bool random_is_of_values(uint32_t number)
{
    const struct ep_site_cell *site = random_site_at(number);
    return site && !site->module && site->kind && site->kind != EP_SITE_FRAME;
}

static void random_values(struct ep_thread_cell *thread, struct ep_node_cell *parent, uint32_t site)
{
    uint32_t bits = EP_NODE_VALUE | (random_one_in(2) ? EP_NODE_NEGATIVE : 0);
    for (EP_EACH(ep_node_cell, other, fake.cells, &thread->nodes))
        if (other->parent == fake_ref(parent) && other->site == (site | bits))
            return;
    struct ep_node_cell *node = fake_node(thread, parent, site | bits);
    random_figures(&node->stats, NULL);
    node->stats.calls -= node->stats.nested + node->stats.errors;
    node->stats.nested = node->stats.errors = node->stats.abandoned = 0;
    node->level = parent->level;
    if (random_one_in(12))
        node->generation = RANDOM_RESET - 1;
}

static void random_tree(struct ep_thread_cell *thread, uint32_t sites, bool is_orderly)
{
    struct ep_node_cell *nodes[RANDOM_MOST_NODES] = {fake_root(thread)};
    uint32_t count = 1;
    for (uint32_t tries = random_below(RANDOM_MOST_NODES); tries; tries--) {
        struct ep_node_cell *parent = nodes[random_below(count)];
        uint32_t site = random_one_in(10) ? EP_SITE_OTHER : EP_SITE_FIRST + random_below(sites);
        if (random_is_of_values(site)) {
            random_values(thread, parent, site);
            continue;
        }
        if (random_has_child(nodes, count, parent, site))
            continue;
        struct ep_node_cell *node = fake_node(thread, parent, site);
        random_figures(&node->stats, &node->self_ticks);
        node->level = parent->level;
        if (random_one_in(12))
            node->generation = RANDOM_RESET - 1;
        if (random_one_in(12)) {
            node->site = EP_SITE_HOLD;
            node->level = 1;
        }
        node->owed_ticks = node->level ? random_below(1000) : 0;
        random_estimate(node);
        nodes[count++] = node;
    }
    if (is_orderly || random_one_in(2))
        random_open(thread, nodes, count);
}

/* ---- threads ---- */

static void random_diagnostics(struct ep_diagnostics_cell *diagnostics)
{
    diagnostics->generation = random_one_in(3) ? RANDOM_RESET - 1 : RANDOM_NOW;
    for (int kind = 0; kind < EP_DIAGNOSTIC_KINDS; kind++)
        diagnostics->count[kind] = random_one_in(3) ? random_below(100) : 0;
}

/* In a sum the sites are in another order and the notes about children have another text, so an
 * orderly image has neither. */
static void random_note(struct ep_note_cell *note, uint32_t sites, bool is_orderly)
{
    note->generation = random_one_in(3) ? RANDOM_RESET - 1 : RANDOM_NOW;
    note->holds_ended = random_one_in(3) ? random_below(100) : 0;
    note->holds_kept = random_below((uint32_t)note->holds_ended + 1);
    if (is_orderly)
        return;
    note->flags = random_one_in(5) ? EP_NOTE_MORE_UNENDED : 0;
    for (int i = 0; i < EP_UNENDED_SITES && sites && !random_one_in(3); i++)
        note->unended[i] = EP_SITE_FIRST + random_below(sites);
}

static void random_threads(uint32_t slots, uint32_t sites, bool is_orderly)
{
    static const char *const names[] = {NULL, "zeta", NULL, "io", "thread 2", "main", "thread 02"};
    uint32_t count = 1 + random_below(4);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = is_orderly ? i : random_below(5);
        const char *name = is_orderly ? names[i] : names[random_below(7)];
        struct ep_thread_cell *thread = fake_thread(number, name);
        random_diagnostics(&fake.cells[thread->diagnostics].diagnostics);
        random_note(&fake.cells[fake.cells[thread->more].more.note].note, sites, is_orderly);
        random_pairs(thread, slots, is_orderly);
        if (!random_one_in(4))
            random_tree(thread, sites, is_orderly);
    }
}

/* ---- the header ---- */

static void random_probe(struct ep_probe_cell *probe)
{
    if (random_one_in(4))
        return; /* the program was killed before it was known */
    probe->is_known = 1;
    probe->resolution_ticks = 1 + random_below(30);
    probe->inside_milliticks = 1000 + random_below(3000);
    probe->pair_milliticks = probe->inside_milliticks + random_below(9000);
    probe->scope_inside_milliticks = 1000 + random_below(3000);
    probe->scope_pair_milliticks = probe->scope_inside_milliticks + random_below(9000);
    probe->nested_pair_milliticks = random_below(9000);
}

static void random_sampled_probe(struct ep_sampled_probe_cell *probe)
{
    if (random_is_older() || random_one_in(4))
        return;
    probe->budget_millionths = 1 + random_below(1000000);
    for (int kind = 0; kind < 2; kind++) {
        probe->inside_milliticks[kind] = 1000 + random_below(3000);
        probe->pair_milliticks[kind] = probe->inside_milliticks[kind] + random_below(9000);
        probe->untimed_milliticks[kind] = random_below(3000);
    }
}

static void random_cpu_costs(struct ep_cpu_cell *cell)
{
    cell->is_on = !random_is_older() && random_one_in(2);
    if (!cell->is_on || random_one_in(4))
        return;
    cell->read_ns = random_below(1000);
    for (int kind = 0; kind < EP_CPU_KINDS; kind++)
        cell->outside_ns[kind] = random_below(1000);
    cell->now_cpu_ns = random_below(2) * random_below(1000);
}

static void random_identity(struct ep_identity_cell *identity)
{
    static const char *const commands[] = {"./solver -n 4", "./solver -n 4", "./other"};
    uint32_t command = random_below(4);
    identity->process_id = 1 + random_below(1000);
    identity->realtime_ns = random_next() >> 8;
    identity->not_closed = random_one_in(3);
    identity->cut_short = random_one_in(5);
    identity->items_not_understood = random_below(2);
    fake.cells[EP_CELL_LOCK].lock.interrupted = random_below(3);
    if (command < 3)
        identity->command = fake_text(commands[command], &identity->command_bytes);
}

/* The rate is 2.3 GHz, with a slightly different measurement each time. */
static void random_header(bool is_orderly)
{
    struct ep_scale_cell *scale = &fake.cells[EP_CELL_SCALE].scale;
    struct ep_source_cell *source = &fake.cells[EP_CELL_SOURCE].source;
    uint64_t ms = 1 + random_below(100000);
    memcpy(source->name, "rdtsc", sizeof "rdtsc");
    scale->current = random_below(2);
    if (!random_one_in(6))
        scale->scale[scale->current] =
            (struct ep_scale){ms * 1000000, ms * (2299900 + random_below(200))};
    scale->has_now = random_one_in(2);
    scale->now_ticks = RANDOM_MOMENT_TICKS;
    random_probe(&fake.cells[EP_CELL_PROBE].probe);
    if (!is_orderly && random_one_in(4))
        fake.cells[EP_CELL_IDENTITY].identity.version = EP_FORMAT_SAMPLING - 1;
    random_sampled_probe(&fake.cells[EP_CELL_SAMPLED_PROBE].sampled_probe);
    random_cpu_costs(&fake.cells[EP_CELL_CPU].cpu);
    random_identity(&fake.cells[EP_CELL_IDENTITY].identity);
    random_diagnostics(&fake.cells[EP_CELL_DIAGNOSTICS].diagnostics);
    struct ep_note_cell *note = &fake.cells[EP_CELL_NOTE].note;
    if (is_orderly)
        return;
    note->forked = random_below(4);
    note->forked_with_image = random_below((uint32_t)note->forked + 1);
    note->flags = random_one_in(3) ? EP_NOTE_CHILD : 0;
}

struct ep_image random_image(bool is_orderly)
{
    assert_return_code(ep_image_create(&fake), errno);
    ep_image_control(&fake)->generation = RANDOM_NOW;
    ep_image_control(&fake)->reset_generation = RANDOM_RESET;
    random_header(is_orderly);
    uint32_t slots = random_instances(is_orderly);
    random_threads(slots, random_sites(is_orderly), is_orderly);
    struct ep_image made = fake;
    memset(&fake, 0, sizeof fake);
    return made;
}
