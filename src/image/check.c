#include "image/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a file begins with ---- */

/* A transfer as text changes "\r\n", which is in the magic for that reason. */
static bool is_mangled(const char *bytes, size_t count)
{
    return (count >= 6 && memcmp(bytes, "eprof\n", 6) == 0) ||
           (count >= 7 && memcmp(bytes, "eprof\r\r", 7) == 0) ||
           (count >= 7 && memcmp(bytes, "eprof\r\n", 7) == 0);
}

/* Valid until the next call. */
static const char *check_format(const struct ep_identity_cell *identity)
{
    static char text[96];
    if (identity->byte_order == __builtin_bswap32(EP_BYTE_ORDER))
        return "written on a machine of the other byte order: read it on one of that";
    if (identity->byte_order != EP_BYTE_ORDER)
        return "damaged: a byte order that there is not";
    if (identity->version < EP_FORMAT_OLDEST || identity->version > EP_FORMAT_VERSION) {
        snprintf(text, sizeof text,
                 "version %u of the format, and this eprof knows %d to %d: use a %s eprof",
                 (unsigned)identity->version, EP_FORMAT_OLDEST, EP_FORMAT_VERSION,
                 identity->version > EP_FORMAT_VERSION ? "newer" : "matching");
        return text;
    }
    if (identity->cell_bytes != EP_CELL_BYTES || identity->header_cells != EP_HEADER_CELLS)
        return "damaged: cells of a size that this version of the format does not have";
    if (identity->state < EP_STATE_RUNNING || identity->state > EP_STATE_SAVED)
        return "damaged: a state that there is not";
    return NULL;
}

const char *ep_image_check_header(const union ep_cell *header, size_t bytes)
{
    const struct ep_identity_cell *identity = &header[EP_CELL_IDENTITY].identity;
    size_t there = bytes < sizeof identity->magic ? bytes : sizeof identity->magic;
    if (bytes == 0)
        return "empty: its program wrote nothing into it";
    if (memcmp(identity->magic, EP_IMAGE_MAGIC, there) != 0)
        return is_mangled(identity->magic, there)
                   ? "mangled: it was transferred as text, which has to be as binary"
                   : "not an eprof image";
    if (bytes < sizeof *identity)
        return "cut off: not even its header is whole";
    const char *fault = check_format(identity);
    if (fault)
        return fault;
    if (bytes < EP_HEADER_CELLS * sizeof *header)
        return "cut off: not even its header is whole";
    if (header[EP_CELL_ROOT].root.cells_used < EP_HEADER_CELLS)
        return "damaged: a count of cells that cannot be";
    return NULL;
}

/* A saved image is whole, even if the file of its process was cut short. */
bool ep_image_check_is_cut_short(const union ep_cell *header)
{
    const struct ep_identity_cell *identity = &header[EP_CELL_IDENTITY].identity;
    return identity->cut_short && identity->state != EP_STATE_SAVED;
}

/* ---- the use of each cell ---- */

/* The check marks the cells of each reference as used. A cell is marked only once, so no two
 * objects overlap and no list is circular. */
enum use {
    NOT_USED,
    REST, /* not the first cell of its object */
    HEADER,
    DIRECTORY,
    INSTANCES, /* a run of them */
    THREAD,
    DIAGNOSTICS,
    MORE,
    NOTE,
    PAIR,
    NODE,
    OWN_NODE, /* of the thread that is being checked */
    FRAME,
    FAR_OCTAVES,
    OCTAVE,
    SAMPLING,
    CPU,
    MODULE,
    SITE,
    SITE_TEXT, /* each cell of it; sites may share their texts */
    TEXT,
    BALANCE, /* the first of the run */
    USES
};

struct check {
    struct ep_image *image;
    union ep_cell *cells; /* of it */
    uint32_t count;       /* of cells */
    uint8_t *use;         /* enum use of each cell */
    bool may_lack;        /* the newest objects may be missing, since the file was cut short; or
                             objects under the lock half written, since it was held: no faults */
    const char *fault;    /* the first one; NULL: none */
};

#define FAULTS_OF(name)                                                                            \
    {                                                                                              \
        "damaged: " name " beyond its end", "damaged: " name " in cells that are in use already"   \
    }

static const struct {
    const char *beyond, *shared;
} faults_of[USES] = {
    [DIRECTORY] = FAULTS_OF("the directory of instances"),
    [INSTANCES] = FAULTS_OF("a run of instances"),
    [THREAD] = FAULTS_OF("a thread"),
    [DIAGNOSTICS] = FAULTS_OF("a thread's counts of diagnostics"),
    [MORE] = FAULTS_OF("the rest of a thread"),
    [NOTE] = FAULTS_OF("a thread's notes"),
    [PAIR] = FAULTS_OF("an instance's figures"),
    [OWN_NODE] = FAULTS_OF("a node of a call tree"),
    [FRAME] = FAULTS_OF("an open scope"),
    [FAR_OCTAVES] = FAULTS_OF("a histogram's list of octaves"),
    [OCTAVE] = FAULTS_OF("a histogram's octave"),
    [SAMPLING] = FAULTS_OF("a node's sampling"),
    [CPU] = FAULTS_OF("an instance's processor time"),
    [MODULE] = FAULTS_OF("a module"),
    [SITE] = FAULTS_OF("a site"),
    [BALANCE] = FAULTS_OF("the balance of processes"),
};

static void fail_if(struct check *check, bool is_bad, const char *fault)
{
    if (is_bad && !check->fault)
        check->fault = fault;
}

/* Something is missing, or half written. */
static void fail_if_whole(struct check *check, const char *fault)
{
    fail_if(check, !check->may_lack, fault);
}

static bool is_there(const struct check *check, ep_ref ref, uint32_t cells)
{
    return ref < check->count && cells <= check->count - ref;
}

static bool is_used_as(const struct check *check, ep_ref ref, enum use use)
{
    return ref < check->count && check->use[ref] == use;
}

/* Whether the cells from `ref` on exist and are free for this use. */
static bool is_free(const struct check *check, ep_ref ref, uint32_t cells, enum use use)
{
    if (!is_there(check, ref, cells))
        return false;
    for (uint32_t i = 0; i < cells; i++) {
        uint8_t used = check->use[ref + i];
        if (used != NOT_USED && !(used == SITE_TEXT && use == SITE_TEXT))
            return false;
    }
    return true;
}

/* Marks the `cells` cells of *ref as used. false: the reference is 0, or a fault. A reference
 * beyond the end becomes 0 if cells may be missing. */
static bool mark(struct check *check, ep_ref *ref, uint32_t cells, enum use use)
{
    if (!*ref || check->fault)
        return false;
    if (!is_there(check, *ref, cells)) {
        fail_if_whole(check, faults_of[use].beyond);
        *ref = check->may_lack ? 0 : *ref;
        return false;
    }
    if (!is_free(check, *ref, cells, use)) {
        check->fault = faults_of[use].shared;
        return false;
    }
    memset(&check->use[*ref], REST, cells);
    check->use[*ref] = (uint8_t)use;
    return true;
}

/* ---- the header's cells ---- */

static void check_header(struct check *check)
{
    const uint64_t most = EP_PROBE_MOST_MILLITICKS;
    const struct ep_source_cell *source = &check->cells[EP_CELL_SOURCE].source;
    const struct ep_probe_cell *probe = &check->cells[EP_CELL_PROBE].probe;
    const struct ep_sampled_probe_cell *sampled =
        &check->cells[EP_CELL_SAMPLED_PROBE].sampled_probe;
    const struct ep_function_probe_cell *function =
        &check->cells[EP_CELL_FUNCTION_PROBE].function_probe;
    const struct ep_cpu_cell *cpu = &check->cells[EP_CELL_CPU].cpu;
    fail_if(check, !memchr(source->name, '\0', sizeof source->name),
            "damaged: a source whose name does not end");
    fail_if(check, check->cells[EP_CELL_SCALE].scale.current > 1,
            "damaged: a tick scale that there is not");
    fail_if(check,
            probe->inside_milliticks > most || probe->pair_milliticks > most ||
                probe->scope_inside_milliticks > most || probe->scope_pair_milliticks > most ||
                probe->value_milliticks > most || probe->nested_pair_milliticks > most,
            "damaged: a cost of the probe that cannot be");
    fail_if(check,
            function->inside_milliticks > most || function->pair_milliticks > most ||
                function->nested_pair_milliticks > most || function->untimed_pair_milliticks > most,
            "damaged: a cost of a function's probe that cannot be");
    for (int kind = 0; kind < 2; kind++)
        fail_if(check,
                sampled->inside_milliticks[kind] > most || sampled->pair_milliticks[kind] > most ||
                    sampled->untimed_milliticks[kind] > most,
                "damaged: a cost of a probe under a budget that cannot be");
    for (int kind = 0; kind < EP_CPU_KINDS; kind++)
        fail_if(check, cpu->read_ns > most || cpu->outside_ns[kind] > most,
                "damaged: a cost of reading processor time that cannot be");
}

/* ---- instances ---- */

/* The directory entry of a run. */
static ep_ref *run_at(const struct check *check, uint32_t run)
{
    ep_ref directory = ep_image_root(check->image)->directory;
    return &check->cells[directory + run / EP_CELL_REFS].refs[run % EP_CELL_REFS];
}

static void check_instances(struct check *check)
{
    struct ep_root_cell *root = ep_image_root(check->image);
    fail_if(check, root->slots_used > EP_SLOTS, "damaged: more instances than there can be");
    if (!mark(check, &root->directory, EP_DIRECTORY_RUNS / EP_CELL_REFS, DIRECTORY)) {
        fail_if(check, true, "damaged: no directory of instances");
        return;
    }
    for (uint32_t run = 0; run < EP_DIRECTORY_RUNS; run++)
        mark(check, run_at(check, run), EP_RUN_CELLS, INSTANCES);
}

/* ---- figures ---- */

enum {
    INSTANCE_CELLS = sizeof(struct ep_instance_cells) / EP_CELL_BYTES,
    NODE_CELLS = sizeof(struct ep_node_cell) / EP_CELL_BYTES,
    SAMPLING_CELLS = sizeof(struct ep_sampling_cells) / EP_CELL_BYTES
};

static void check_statistics(struct check *check, struct ep_statistics *stats)
{
    for (unsigned i = 0; i < EP_NEAR_OCTAVES; i++)
        mark(check, &stats->octave[i], 1, OCTAVE);
    for (unsigned i = 0; i < EP_FAR_CELLS; i++)
        if (mark(check, &stats->far[i], 1, FAR_OCTAVES))
            for (unsigned n = 0; n < EP_CELL_REFS; n++)
                mark(check, &check->cells[stats->far[i]].far.octave[n], 1, OCTAVE);
}

static void check_pairs(struct check *check, ep_ref *link)
{
    const struct ep_identity_cell *identity = &check->cells[EP_CELL_IDENTITY].identity;
    while (mark(check, link, INSTANCE_CELLS, PAIR)) {
        struct ep_instance_cells *pair = ep_image_instance_cells(check->image, *link);
        check_statistics(check, &pair->stats);
        if (identity->version >= EP_FORMAT_SAMPLING)
            mark(check, &pair->stats.cpu, 1, CPU);
        link = &pair->next;
    }
}

/* ---- the call tree ---- */

/* Checks a reference to a node of the same thread, which does not link a list. In a copy of a
 * running program the target may be newer than the copy's list; then the reference becomes 0. */
static void check_own_node(struct check *check, ep_ref *ref, const char *fault)
{
    if (!*ref || is_used_as(check, *ref, OWN_NODE))
        return;
    if (*ref < check->count ? check->use[*ref] == NOT_USED : check->may_lack)
        *ref = 0;
    else
        fail_if(check, true, fault);
}

/* Its number is not 0, and has the bits of values or none. */
static bool is_possible_site(uint32_t site)
{
    uint32_t bits = site & ~(uint32_t)EP_NODE_SITE;
    return (site & EP_NODE_SITE) != EP_SITE_NONE &&
           (bits == 0 || bits == EP_NODE_VALUE || bits == (EP_NODE_VALUE | EP_NODE_NEGATIVE));
}

/* The first node is the root, without a site. The parent of every other node precedes it in the
 * list, so each has a path to the root. */
static void check_nodes(struct check *check, struct ep_thread_cell *thread)
{
    const struct ep_identity_cell *identity = &check->cells[EP_CELL_IDENTITY].identity;
    ep_ref *link = &thread->nodes;
    while (mark(check, link, NODE_CELLS, OWN_NODE)) {
        struct ep_node_cell *node = ep_image_node(check->image, *link);
        bool has_parent = node->parent != *link && is_used_as(check, node->parent, OWN_NODE);
        bool is_sound = *link == thread->nodes ? !node->parent && node->site == EP_SITE_NONE
                                               : has_parent && is_possible_site(node->site);
        fail_if(check, !is_sound, "damaged: a call tree with a node that has no place in it");
        check_statistics(check, &node->stats);
        if (!node->level && identity->version >= EP_FORMAT_SAMPLING)
            mark(check, &node->sampling, SAMPLING_CELLS, SAMPLING);
        link = &node->next;
    }
}

/* The base of a node in a hold has a lower level. Outside of holds `base` has no meaning. */
static void check_bases(struct check *check, const struct ep_thread_cell *thread)
{
    static const char fault[] = "damaged: a hold of what is in no call tree of its thread";
    for (EP_EACH(ep_node_cell, node, check->cells, &thread->nodes)) {
        check_own_node(check, &node->base, fault);
        if (check->fault)
            return;
        fail_if(check,
                node->level && node->base &&
                    ep_image_node(check->image, node->base)->level >= node->level,
                fault);
    }
}

/* ---- threads ---- */

static void check_thread(struct check *check, struct ep_thread_cell *thread)
{
    /* a thread that takes the record meanwhile began after the start of the copy. After a reader
     * has held off many moves, most records are blank */
    if (thread->state == EP_THREAD_BLANK)
        thread->pairs = thread->scratch_cells = thread->nodes = thread->frames = 0;
    if (!mark(check, &thread->diagnostics, 1, DIAGNOSTICS))
        fail_if(check, true, "damaged: a thread without its counts of diagnostics");
    if (mark(check, &thread->more, 1, MORE))
        mark(check, &check->cells[thread->more].more.note, 1, NOTE);
    else
        fail_if(check, true, "damaged: a thread without its rest");
    check_pairs(check, &thread->pairs);
    check_pairs(check, &thread->scratch_cells);
    check_nodes(check, thread);
    if (!check->fault)
        check_bases(check, thread);
    for (ep_ref *link = &thread->frames; mark(check, link, 1, FRAME);) {
        struct ep_open_scope_cell *frame = &check->cells[*link].frame;
        check_own_node(check, &frame->node,
                       "damaged: an open scope that is in no call tree of its thread");
        link = &frame->next;
    }
    if (check->fault)
        return;
    /* the scopes of the next thread must not refer to these nodes */
    for (EP_EACH(ep_node_cell, node, check->cells, &thread->nodes))
        check->use[ep_cell_ref(check->cells, node)] = NODE;
}

static bool has_joined(const struct ep_thread_cell *thread)
{
    return thread->state == EP_THREAD_JOINED && thread->row;
}

/* In a copy of a running program, a missing row is newer than the copy. */
static void check_row(struct check *check, struct ep_thread_cell *thread)
{
    if (!has_joined(thread))
        return;
    if (!is_used_as(check, thread->row, THREAD)) {
        fail_if_whole(check, "damaged: a thread in the row of none");
        thread->row = 0;
    } else if (check->cells[thread->row].thread.state == EP_THREAD_BLANK) {
        thread->row = 0; /* it was blank when it was read, and has no name */
    }
}

/* Puts each thread of a chain of joined threads into the row of its end, so that no chain is walked
 * twice. A circular chain has no end. */
static void shorten_row(struct check *check, struct ep_thread_cell *thread, uint32_t threads)
{
    struct ep_thread_cell *end = thread;
    for (uint32_t steps = 0; has_joined(end) && steps <= threads; steps++)
        end = &check->cells[end->row].thread;
    bool is_circular = has_joined(end);
    if (is_circular)
        fail_if_whole(check, "damaged: threads in a row that has no end");
    while (has_joined(thread) && (is_circular || thread != end)) {
        struct ep_thread_cell *next = &check->cells[thread->row].thread;
        thread->row = is_circular ? 0 : ep_cell_ref(check->cells, end);
        thread = next;
    }
}

static void check_threads(struct check *check)
{
    struct ep_root_cell *root = ep_image_root(check->image);
    uint32_t threads = 0;
    for (ep_ref *link = &root->threads; mark(check, link, 1, THREAD); threads++) {
        struct ep_thread_cell *thread = &check->cells[*link].thread;
        check_thread(check, thread);
        link = &thread->next;
    }
    if (check->fault)
        return;
    for (EP_EACH(ep_thread_cell, thread, check->cells, &root->threads))
        check_row(check, thread);
    for (EP_EACH(ep_thread_cell, thread, check->cells, &root->threads))
        shorten_row(check, thread, threads);
}

/* ---- modules and sites ---- */

static void check_modules(struct check *check)
{
    ep_ref *link = &ep_image_tree(check->image)->modules;
    while (mark(check, link, 1, MODULE)) {
        struct ep_module_cell *module = &check->cells[*link].module;
        fail_if(check, module->build_id_bytes > EP_BUILD_ID_BYTES,
                "damaged: a build-id that is too long");
        link = &module->next;
    }
}

/* false: the module of the function is missing, which is a fault unless `may_lack`. */
static bool check_function(struct check *check, const struct ep_site_cell *site)
{
    if (!site->module)
        return true;
    fail_if(check, site->naming > EP_NAMING_WHOLE,
            "damaged: a function named in a way that there is not");
    if (is_used_as(check, site->module, MODULE))
        return true;
    fail_if_whole(check, "damaged: a function in no module");
    return false;
}

static void check_sites(struct check *check)
{
    uint32_t highest = EP_SITE_FIRST - 1;
    ep_ref *link = &ep_image_tree(check->image)->sites;
    while (mark(check, link, 1, SITE)) {
        struct ep_site_cell *site = &check->cells[*link].site;
        fail_if(check, site->number < EP_SITE_FIRST || site->number >= EP_SITE_FIRST + check->count,
                "damaged: a site with a number that cannot be");
        fail_if(check, !site->module && site->kind > EP_SITE_OVER,
                "damaged: a site of a kind that there is not");
        if (!check_function(check, site)) {
            *link = 0; /* the module is newer than the copy */
            break;
        }
        highest = site->number > highest ? site->number : highest;
        link = &site->next;
    }
    /* A site gets its number before it is in the list, so the count may be higher than the numbers
     * in the list. In a copy that is not of one moment it may also be lower. Readers allocate
     * memory by it */
    struct ep_tree_cell *tree = ep_image_tree(check->image);
    if (check->may_lack)
        tree->site_count = highest;
    fail_if(check,
            tree->site_count < highest || tree->site_count < EP_SITE_FIRST - 1 ||
                tree->site_count >= EP_SITE_FIRST + check->count,
            "damaged: a count of sites that cannot be");
}

/* ---- the balance of processes ---- */

static void check_groups(struct check *check, struct ep_processes_cell *processes)
{
    uint64_t cells = ((uint64_t)processes->balance_count + 1) * ep_image_group_cells(processes);
    if (!processes->groups)
        return;
    fail_if(check,
            processes->group_count == 0 || processes->group_count > EP_GROUPS_MOST ||
                processes->group_shift > 32 || cells > UINT32_MAX,
            "damaged: groups of processes that cannot be");
    if (!mark(check, &processes->groups, (uint32_t)cells, BALANCE))
        processes->groups = 0;
}

/* The path above comes before each path, so each has a way to a root. */
static void check_balance(struct check *check)
{
    struct ep_processes_cell *processes = &check->cells[EP_CELL_PROCESSES].processes;
    if (!mark(check, &processes->balances, processes->balance_count, BALANCE))
        processes->balance_count = 0;
    for (uint32_t i = 0; i < processes->balance_count; i++) {
        const struct ep_balance_cell *cell = &check->cells[processes->balances + i].balance;
        fail_if(check, cell->parent > i || cell->site == EP_SITE_NONE,
                "damaged: a balance of processes at no call path");
    }
    check_groups(check, processes);
}

/* ---- texts, after all other objects: a half changed text must not take their cells ---- */

/* Marks the cells of a sound text. Its NUL must be exactly at its length, so that a half changed
 * reference does not take the cells of another text. */
static bool is_text(struct check *check, ep_ref text, uint32_t bytes, enum use use)
{
    if (!text)
        return bytes == 0;
    uint32_t cells = bytes / EP_CELL_BYTES + 1; /* with its NUL */
    if (bytes > EP_LABEL_BYTES || !is_free(check, text, cells, use) ||
        strnlen(ep_image_string(check->image, text), bytes + 1) != bytes)
        return false;
    memset(&check->use[text], use, cells);
    return true;
}

/* A text of one object alone. One that is missing becomes none. */
static bool check_text(struct check *check, ep_ref *text, uint32_t *bytes, const char *fault)
{
    if (is_text(check, *text, *bytes, TEXT))
        return true;
    fail_if_whole(check, fault);
    *text = *bytes = 0;
    return false;
}

static void forget_name(struct ep_site_cell *site)
{
    site->label = site->label_bytes = site->file = site->file_bytes = site->line = 0;
    site->naming = EP_NAMING_NONE;
}

/* The list of sites ends before the first one whose texts are missing, because they are newer than
 * the copy. A function gets its texts long after it is in the list; without them it has no name. */
static void check_site_names(struct check *check)
{
    ep_ref *link = &ep_image_tree(check->image)->sites;
    while (*link) {
        struct ep_site_cell *site = &check->cells[*link].site;
        if (site->module && site->naming == EP_NAMING_NONE)
            forget_name(site); /* its texts are being written or changed */
        bool is_sound = is_text(check, site->label, site->label_bytes, SITE_TEXT) &&
                        is_text(check, site->file, site->file_bytes, SITE_TEXT);
        if (!is_sound)
            fail_if_whole(check, "damaged: a site whose name cannot be read");
        if (!is_sound && site->module)
            forget_name(site);
        if (is_sound || site->module)
            link = &site->next;
        else
            *link = 0;
    }
}

static void check_texts(struct check *check)
{
    struct ep_identity_cell *identity = &check->cells[EP_CELL_IDENTITY].identity;
    for (EP_EACH(ep_module_cell, module, check->cells, &ep_image_tree(check->image)->modules))
        check_text(check, &module->path, &module->path_bytes,
                   "damaged: a module whose path cannot be read");
    check_site_names(check);
    for (uint32_t run = 0; run < EP_DIRECTORY_RUNS; run++) {
        ep_ref first = *run_at(check, run);
        for (ep_ref ref = first; first && ref < first + EP_RUN_CELLS; ref++) {
            struct ep_instance_cell *instance = &check->cells[ref].instance;
            if (instance->born && !check_text(check, &instance->label, &instance->label_bytes,
                                              "damaged: an instance whose label cannot be read"))
                instance->born = 0; /* allocated or freed while the copy was made */
        }
    }
    check_text(check, &identity->command, &identity->command_bytes,
               "damaged: a command line that cannot be read");
    for (EP_EACH(ep_thread_cell, thread, check->cells, &ep_image_root(check->image)->threads)) {
        if (!thread->name)
            thread->name_bytes = 0; /* it is being renamed */
        check_text(check, &thread->name, &thread->name_bytes,
                   "damaged: a thread whose name cannot be read");
    }
}

/* ---- the whole ---- */

const char *ep_image_check(struct ep_image *copy, int *error)
{
    *error = 0;
    if (copy->committed < EP_HEADER_CELLS)
        return "too short for an eprof image";
    const char *fault = ep_image_check_header(copy->cells, sizeof *copy->cells * EP_HEADER_CELLS);
    if (fault)
        return fault;
    struct check check = {
        .image = copy,
        .cells = copy->cells,
        .may_lack = ep_image_check_is_cut_short(copy->cells) ||
                    ep_image_cell(copy, EP_CELL_LOCK)->lock.changes % 2,
    };
    struct ep_root_cell *root = ep_image_root(copy);
    if (root->cells_used > copy->committed && check.may_lack)
        root->cells_used = copy->committed;
    if (root->cells_used > copy->committed)
        return "cut off: it says that it has more than is there";
    check.count = root->cells_used;
    check.use = calloc(check.count, 1);
    if (!check.use) {
        *error = ENOMEM;
        return NULL;
    }
    memset(check.use, HEADER, EP_HEADER_CELLS);
    check_header(&check);
    check_instances(&check);
    check_threads(&check);
    check_modules(&check);
    check_sites(&check);
    check_balance(&check);
    if (!check.fault)
        check_texts(&check);
    free(check.use);
    return check.fault;
}
