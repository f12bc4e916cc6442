#include "snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot_figures.h"

/* ---- finding: every pair of every thread, in the order of the rows ---- */

/* Where one thread's figures of one instance lie. */
struct place {
    uint32_t slot;
    uint32_t thread; /* its number in the image; 0: main */
    const struct ep_thread_cell *owner;
    const struct ep_pair_cell *pair;
};

struct places {
    struct place *at;
    size_t count, room;
};

static bool add_place(struct places *places, struct place place)
{
    if (places->count == places->room) {
        size_t room = places->room ? places->room * 2 : 256;
        struct place *grown = realloc(places->at, room * sizeof *grown);
        if (!grown)
            return false;
        places->at = grown;
        places->room = room;
    }
    places->at[places->count++] = place;
    return true;
}

static bool find_places(struct places *places, const struct ep_image *image)
{
    const struct ep_thread_cell *thread;
    for (ep_ref ref = ep_load_acquire(&ep_image_root(image)->threads); ref; ref = thread->next) {
        thread = &ep_image_cell(image, ref)->thread;
        const struct ep_pair_cell *pair;
        for (ep_ref at = ep_load_acquire(&thread->pairs); at; at = pair->next) {
            pair = (const struct ep_pair_cell *)ep_image_cell(image, at);
            uint32_t slot = ep_load(&pair->handle) & (EP_SLOTS - 1);
            if (!add_place(places, (struct place){slot, thread->number, thread, pair}))
                return false;
        }
    }
    return true;
}

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

/* ---- names ---- */

static const char *text(struct eprof_snapshot *snapshot, const char *string, size_t bytes)
{
    return ep_arena_text(&snapshot->strings, string, bytes);
}

/* A path's parts are joined by ';', so a part's own ';' and '\' are escaped by '\'. */
static const char *path(struct eprof_snapshot *snapshot, const char *name, size_t bytes)
{
    if (!strpbrk(name, ";\\"))
        return name;
    char *escaped = ep_arena_take(&snapshot->strings, 2 * bytes + 1);
    char *end = escaped;
    for (const char *c = name; escaped && *c; c++) {
        if (*c == ';' || *c == '\\')
            *end++ = '\\';
        *end++ = *c;
    }
    if (escaped)
        *end = '\0';
    return escaped;
}

static const char *thread_name(struct eprof_snapshot *snapshot, const struct ep_image *image,
                               const struct ep_thread_cell *thread)
{
    if (thread->name)
        return text(snapshot, ep_image_string(image, thread->name), thread->name_bytes);
    if (thread->number == 0)
        return "main";
    char name[24];
    int bytes = snprintf(name, sizeof name, "thread %u", (unsigned)thread->number);
    return text(snapshot, name, (size_t)bytes);
}

/* ---- rows ---- */

static struct eprof_row *add_row(struct eprof_snapshot *snapshot)
{
    if (snapshot->row_count == snapshot->row_room) {
        size_t room = snapshot->row_room ? snapshot->row_room * 2 : 64;
        struct eprof_row *grown = realloc(snapshot->rows, room * sizeof *grown);
        if (!grown)
            return NULL;
        snapshot->rows = grown;
        snapshot->row_room = room;
    }
    struct eprof_row *row = &snapshot->rows[snapshot->row_count];
    *row = (struct eprof_row){.size = sizeof *row, .thread = "*", .file = "", .id = -1};
    return row;
}

/* Begins again when a thread clears a pair that is being read: that pair is then
 * of the past and will be passed over. */
static void add_up(struct ep_figures *figures, const struct ep_image *image,
                   const struct ep_instance_cell *instance, const struct place *places,
                   size_t count)
{
    size_t done;
    do {
        ep_figures_clear(figures);
        for (done = 0; done < count; done++)
            if (!ep_figures_add(figures, image, places[done].pair, instance))
                break;
    } while (done < count);
}

/* One row of `count` places of one instance. Without calls since the reset it is
 * none, but an open pair is shown, so that a forgotten stop is seen. */
static bool add_instance(struct eprof_snapshot *snapshot, const struct ep_image *image,
                         const struct ep_instance_cell *instance, const struct place *places,
                         size_t count, struct ep_figures *figures)
{
    add_up(figures, image, instance, places, count);
    snapshot->clock_errors += figures->errors;
    if (figures->calls == 0 && figures->open == 0)
        return true;
    struct eprof_row *row = add_row(snapshot);
    if (!row)
        return false;
    row->kind = "instance";
    row->id = (int)places->slot;
    row->name = text(snapshot, ep_image_string(image, instance->label), instance->label_bytes);
    row->path = row->name ? path(snapshot, row->name, instance->label_bytes) : NULL;
    if (snapshot->options.threads)
        row->thread = thread_name(snapshot, image, places->owner);
    ep_figures_finish(figures, &snapshot->conversion, row);
    snapshot->row_count++;
    return row->path && row->thread;
}

static bool add_instances(struct eprof_snapshot *snapshot, const struct ep_image *image,
                          const struct places *places, struct ep_figures *figures)
{
    size_t next;
    for (size_t i = 0; i < places->count; i = next) {
        const struct place *first = &places->at[i];
        for (next = i + 1; next < places->count; next++)
            if (places->at[next].slot != first->slot ||
                (snapshot->options.threads && places->at[next].owner != first->owner))
                break;
        const struct ep_instance_cell *instance = ep_image_instance(image, first->slot);
        if (instance && ep_load_acquire(&instance->born) &&
            !add_instance(snapshot, image, instance, first, next - i, figures))
            return false;
    }
    return true;
}

/* ---- trouble ---- */

static bool add_trouble(struct eprof_snapshot *snapshot, const char *name, uint64_t count)
{
    if (count == 0)
        return true;
    struct eprof_row *row = add_row(snapshot);
    if (!row)
        return false;
    row->kind = "trouble";
    row->name = row->path = name;
    row->calls = count;
    snapshot->row_count++;
    return true;
}

static uint64_t trouble_of_threads(const struct ep_image *image, int kind)
{
    uint64_t reset = ep_load(&ep_image_control(image)->reset_generation);
    uint64_t sum = ep_load(&ep_image_cell(image, EP_CELL_TROUBLE)->trouble.count[kind]);
    const struct ep_thread_cell *thread;
    for (ep_ref ref = ep_load_acquire(&ep_image_root(image)->threads); ref; ref = thread->next) {
        thread = &ep_image_cell(image, ref)->thread;
        const struct ep_trouble_cell *trouble = &ep_image_cell(image, thread->trouble)->trouble;
        if (ep_load_acquire(&trouble->stamp) >= reset)
            sum += ep_load(&trouble->count[kind]);
    }
    return sum;
}

static bool add_all_trouble(struct eprof_snapshot *snapshot, const struct ep_image *image)
{
    static const char *const names[EP_TROUBLE_KINDS] = {
        [EP_TROUBLE_UNBALANCED] = "unbalanced",
        [EP_TROUBLE_BAD_HANDLES] = "bad_handles",
        [EP_TROUBLE_UNKNOWN_LABELS] = "unknown_labels",
        [EP_TROUBLE_LOST] = "lost",
        [EP_TROUBLE_OUT_OF_CELLS] = "out_of_cells",
        [EP_TROUBLE_FORCED_CLOSES] = "forced_closes",
        [EP_TROUBLE_STRAY_KEEPS] = "stray_keeps",
    };
    snapshot->trouble_first = snapshot->row_count;
    for (int kind = 0; kind < EP_TROUBLE_KINDS; kind++)
        if (!add_trouble(snapshot, names[kind], trouble_of_threads(image, kind)))
            return false;
    const struct ep_identity_cell *identity = &ep_image_cell(image, EP_CELL_IDENTITY)->identity;
    return add_trouble(snapshot, "clock", snapshot->clock_errors) &&
           add_trouble(snapshot, "items_not_understood", identity->items_not_understood);
}

/* ---- the whole ---- */

static bool describe_source(struct eprof_snapshot *snapshot, const struct ep_image *image,
                            struct ep_scale scale)
{
    const struct ep_probe_cell *probe = &ep_image_cell(image, EP_CELL_PROBE)->probe;
    const char *name = ep_image_cell(image, EP_CELL_SOURCE)->source.name;
    double ns_per_tick = (double)scale.ns / (double)scale.ticks;
    snapshot->source = text(snapshot, name, strlen(name));
    snapshot->unit = snapshot->options.ticks ? "ticks" : "ns";
    snapshot->ticks_per_us = 1000 / ns_per_tick;
    snapshot->resolution_ns = (double)probe->resolution_ticks * ns_per_tick;
    snapshot->pair_ns = (double)probe->pair_milliticks / 1000 * ns_per_tick;
    snapshot->inside_ns = (double)probe->inside_milliticks / 1000 * ns_per_tick;
    snapshot->conversion.scale = snapshot->options.ticks ? (struct ep_scale){1, 1} : scale;
    snapshot->conversion.inside_milliticks = snapshot->options.raw ? 0 : probe->inside_milliticks;
    return snapshot->source != NULL;
}

struct eprof_snapshot *ep_snapshot_take(const struct ep_image *image, struct ep_scale scale,
                                        struct ep_snapshot_options options)
{
    struct places places = {.count = 0};
    struct ep_figures *figures = malloc(sizeof *figures);
    struct eprof_snapshot *snapshot = calloc(1, sizeof *snapshot);
    bool is_done = false;
    if (snapshot && figures && find_places(&places, image)) {
        if (places.count)
            qsort(places.at, places.count, sizeof *places.at, compare_places);
        snapshot->options = options;
        is_done = describe_source(snapshot, image, scale) &&
                  add_instances(snapshot, image, &places, figures) &&
                  add_all_trouble(snapshot, image);
    }
    free(places.at);
    free(figures);
    if (!is_done) {
        ep_snapshot_free(snapshot);
        errno = ENOMEM;
        return NULL;
    }
    return snapshot;
}

void ep_snapshot_free(struct eprof_snapshot *snapshot)
{
    if (!snapshot)
        return;
    ep_arena_free(&snapshot->strings);
    free(snapshot->rows);
    free(snapshot);
}
