/*
 * image_mutator.c - damages an image effectively: one field of a cell that is in use
 *
 * Random changes of bytes mostly have no effect, since an image consists mainly of zeros. So cells
 * are found by a walk of the image, and fields by their layout.
 */
#include <string.h>

#include "../support/random.h"
#include "fuzz_target.h"
#include "image_walk.h"

enum { BLOCK_BYTES = EP_BLOCK_CELLS * EP_CELL_BYTES };

/* The image that is damaged. */
struct victim {
    union ep_cell *cells;
    size_t bytes, room;
    struct walk walk;
};

static uint32_t below(uint32_t bound)
{
    return (uint32_t)(random_next() % bound);
}

/* ---- picking ---- */

/* Each kind of cell that exists is equally likely: otherwise nearly all would be octaves and
 * texts. */
static struct walk_object pick_object(const struct victim *victim)
{
    uint32_t kind;
    do
        kind = below(LAYOUT_KINDS);
    while (victim->walk.count_of[kind] == 0);
    return walk_nth(&victim->walk, kind, below(victim->walk.count_of[kind]));
}

static struct walk_object pick_same_kind(const struct victim *victim, enum layout_kind kind)
{
    return walk_nth(&victim->walk, kind, below(victim->walk.count_of[kind]));
}

struct place {
    unsigned char *at;
    size_t bytes;
};

static struct place place_of(const struct victim *victim, ep_ref ref, size_t offset, size_t bytes)
{
    return (struct place){(unsigned char *)&victim->cells[ref] + offset, bytes};
}

static const struct layout_field *pick_field(enum layout_kind kind, bool is_reference)
{
    const struct layout *layout = &layouts[kind];
    for (int tries = 0; tries < 16; tries++) {
        const struct layout_field *field = &layout->fields[below(layout->field_count)];
        if (!is_reference || field->meaning != LAYOUT_NUMBER)
            return field;
    }
    return NULL;
}

/* ---- values ---- */

/* The lowest bytes come first; otherwise a bad value would be bad in another way. */
static uint64_t load(struct place place)
{
    uint64_t value = 0;
    memcpy(&value, place.at, place.bytes);
    return value;
}

static void store(struct place place, uint64_t value)
{
    memcpy(place.at, &value, place.bytes);
}

/* A value that is a limit of other values. */
static const uint64_t limits[] = {
    EP_SITE_HOLD,    EP_SITE_FIRST,          EP_HEADER_CELLS,      EP_OCTAVES,
    EP_LEVELS,       EP_CELL_BYTES,          EP_BUCKETS,           EP_LABEL_BYTES,
    EP_SLOTS,        EP_OWNER_TAG_LEVEL + 1, EP_GENERATION_NUMBER, UINT64_C(1) << 40,
    EP_NAMING_WHOLE, EP_BUILD_ID_BYTES};

/* A value that is easily confused with a number, or that makes it overflow. */
static uint64_t evil_number(uint64_t value, unsigned bits)
{
    switch (below(11)) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return UINT64_MAX;
    case 3:
        return UINT64_MAX >> 1;
    case 4:
        return value + 1;
    case 5:
        return value - 1;
    case 6:
        return value ^ UINT64_C(1) << below(bits);
    case 7:
        return value / 2;
    case 8:
        return value * 2;
    case 9:
        value = limits[below(sizeof limits / sizeof *limits)];
        return value + below(3) - 1;
    default:
        return random_magnitude();
    }
}

/* A place to which the reference must not lead. */
static uint64_t evil_reference(const struct victim *victim, struct walk_object own, uint64_t value)
{
    uint32_t other = pick_object(victim).ref;
    switch (below(8)) {
    case 0:
        return own.ref;
    case 1:
        return victim->walk.cell_count;
    case 2:
        return victim->walk.cell_count - 1;
    case 3:
        return pick_same_kind(victim, own.kind).ref;
    case 4:
        return other + below(4);
    case 5:
        return below(EP_HEADER_CELLS);
    case 6:
        return value + below(8) - 4;
    default:
        return other;
    }
}

/* ---- ways to damage ---- */

static void set_field(struct victim *victim)
{
    struct walk_object object = pick_object(victim);
    const struct layout_field *field = pick_field(object.kind, false);
    size_t offset = field->offset + (size_t)below(field->count) * field->bytes;
    struct place place = place_of(victim, object.ref, offset, field->bytes);
    uint64_t value = load(place);
    if (field->meaning != LAYOUT_NUMBER && below(2))
        value = evil_reference(victim, object, value);
    else if (below(5) == 0) /* the value of another cell of the same kind, or of another kind */
        value =
            load(place_of(victim, pick_same_kind(victim, object.kind).ref, offset, field->bytes));
    else
        value = evil_number(value, 8 * field->bytes);
    store(place, value);
}

static bool pick_reference(struct victim *victim, struct place *place)
{
    struct walk_object object = pick_object(victim);
    const struct layout_field *field = pick_field(object.kind, true);
    if (!field)
        return false;
    size_t offset = field->offset + (size_t)below(field->count) * field->bytes;
    *place = place_of(victim, object.ref, offset, field->bytes);
    return true;
}

static void swap_references(struct victim *victim)
{
    struct place one, other;
    if (!pick_reference(victim, &one) || !pick_reference(victim, &other))
        return;
    uint64_t value = load(one);
    store(one, load(other));
    store(other, value);
}

static void copy_over_another(struct victim *victim)
{
    struct walk_object from = pick_object(victim), to = pick_same_kind(victim, from.kind);
    memmove(&victim->cells[to.ref], &victim->cells[from.ref],
            (size_t)layouts[from.kind].cells * EP_CELL_BYTES);
}

static void set_size(struct victim *victim, size_t bytes)
{
    if (bytes > victim->bytes)
        memset((char *)victim->cells + victim->bytes, 0, bytes - victim->bytes);
    victim->bytes = bytes;
}

/* In half of the cases the image knows that it was cut. */
static void cut_or_extend(struct victim *victim)
{
    if (below(2) && victim->bytes >= 2 * BLOCK_BYTES)
        set_size(victim, victim->bytes - BLOCK_BYTES);
    else if (victim->bytes + BLOCK_BYTES <= victim->room)
        set_size(victim, victim->bytes + BLOCK_BYTES);
    if (below(2))
        victim->cells[EP_CELL_ROOT].root.cells_used = (uint32_t)(victim->bytes / EP_CELL_BYTES);
    if (below(4) == 0)
        victim->cells[EP_CELL_IDENTITY].identity.cut_short ^= 1;
}

/* Two cells must not own the same cell. */
static void clear_what_it_owns(const struct victim *victim, struct walk_object object)
{
    const struct layout *layout = &layouts[object.kind];
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const struct layout_field *field = &layout->fields[i];
        if (field->meaning == LAYOUT_OWNS)
            memset((char *)&victim->cells[object.ref] + field->offset, 0,
                   (size_t)field->bytes * field->count);
    }
}

/* A member of a list gets a copy after it, in a separate block: so that sound images grow. */
static void insert_twin(struct victim *victim)
{
    struct walk_object object = pick_object(victim);
    struct walk_object twin = {(ep_ref)(victim->bytes / EP_CELL_BYTES), object.kind};
    const struct layout *layout = &layouts[object.kind];
    if (layout->next_offset < 0 || victim->bytes % BLOCK_BYTES != 0 ||
        victim->bytes + BLOCK_BYTES > victim->room)
        return;
    set_size(victim, victim->bytes + BLOCK_BYTES);
    victim->cells[EP_CELL_ROOT].root.cells_used = (uint32_t)(victim->bytes / EP_CELL_BYTES);
    memcpy(&victim->cells[twin.ref], &victim->cells[object.ref],
           (size_t)layout->cells * EP_CELL_BYTES);
    clear_what_it_owns(victim, twin);
    size_t next = (size_t)layout->next_offset;
    store(place_of(victim, object.ref, next, sizeof(ep_ref)), twin.ref);
}

/* The fuzzer changes the bytes of a text, since it has seen the values with which the reader
 * compares. */
static void mutate_object(struct victim *victim)
{
    struct walk_object object = pick_object(victim);
    unsigned char bytes[4 * EP_CELL_BYTES];
    size_t size = (size_t)layouts[object.kind].cells * EP_CELL_BYTES;
    memcpy(bytes, &victim->cells[object.ref], size);
    LLVMFuzzerMutate(bytes, size, size);
    memcpy(&victim->cells[object.ref], bytes, size);
}

static void spoil(struct victim *victim)
{
    static void (*const others[])(struct victim *) = {swap_references, copy_over_another,
                                                      cut_or_extend, insert_twin, mutate_object};
    if (below(3))
        set_field(victim);
    else
        others[below(sizeof others / sizeof *others)](victim);
}

/* Mostly there is one damage at a time: an image with two is refused because of the first. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static struct victim victim;
    random_state = seed;
    if (size < BLOCK_BYTES || below(50) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    victim.cells = (union ep_cell *)(void *)data;
    victim.bytes = size;
    victim.room = max_size;
    uint32_t times = below(4) ? 1 : 2 + below(4);
    while (times-- > 0) {
        walk_image(&victim.walk, victim.cells, (uint32_t)(victim.bytes / EP_CELL_BYTES));
        spoil(&victim);
    }
    return victim.bytes;
}
