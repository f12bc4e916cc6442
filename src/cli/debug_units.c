#include "debug_units.h"

#include <dwarf.h>
#include <stdlib.h>

#include "array.h"

struct ep_debug_span {
    uint64_t begin, end;
    size_t unit;
};

static int add_span(void *arg, Dwarf_Die *die, uint64_t begin, uint64_t end)
{
    struct ep_debug_units *debug = arg;
    (void)die;
    void *grown =
        ep_array_room(debug->spans, debug->span_count, &debug->span_room, sizeof *debug->spans);
    if (!grown)
        return -1;
    debug->spans = grown;
    debug->spans[debug->span_count++] =
        (struct ep_debug_span){.begin = begin, .end = end, .unit = debug->count - 1};
    return 0;
}

static int add_unit(struct ep_debug_units *debug, Dwarf_Die *die)
{
    void *grown = ep_array_room(debug->units, debug->count, &debug->room, sizeof *debug->units);
    if (!grown)
        return -1;
    debug->units = grown;
    debug->units[debug->count++] = (struct ep_debug_unit){.die = *die};
    return 0;
}

static int add_code_of(struct ep_debug_units *debug, Dwarf_Die *die)
{
    size_t spans = debug->span_count;
    if (ep_debug_stretches(die, add_span, debug) != 0)
        return -1;
    if (debug->span_count != spans)
        return 0;
    /* a unit that does not tell where it lies is where its functions are */
    struct ep_debug_unit *unit = &debug->units[debug->count - 1];
    if (ep_debug_unit_read(unit) != 0)
        return -1;
    for (size_t i = 0; i < unit->count; i++)
        if (add_span(debug, die, unit->functions[i].begin, unit->functions[i].end) != 0)
            return -1;
    return 0;
}

/* Of a unit whose body is in a file of its own (-gsplit-dwarf) the place is told here, and the
 * functions there. */
static int add(struct ep_debug_units *debug, uint8_t type, Dwarf_Die *die, Dwarf_Die *body)
{
    if (type != DW_UT_compile && type != DW_UT_skeleton)
        return 0;
    bool is_split = type == DW_UT_skeleton && body->addr;
    return add_unit(debug, is_split ? body : die) == 0 ? add_code_of(debug, die) : -1;
}

static int compare(const void *left, const void *right)
{
    const struct ep_debug_span *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->unit < b->unit) - (a->unit > b->unit);
}

int ep_debug_units_open(struct ep_debug_units *debug, Dwfl_Module *module)
{
    *debug = (struct ep_debug_units){.bias = 0};
    Dwarf *dwarf = dwfl_module_getdwarf(module, &debug->bias);
    Dwarf_CU *unit = NULL;
    uint8_t type;
    Dwarf_Die die, body;
    while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, &body) == 0)
        if (add(debug, type, &die, &body) != 0) {
            ep_debug_units_close(debug);
            return -1;
        }
    if (debug->span_count)
        qsort(debug->spans, debug->span_count, sizeof *debug->spans, compare);
    return 0;
}

static const struct ep_debug_span *find_span(const struct ep_debug_units *debug, uint64_t address)
{
    size_t low = 0, high = debug->span_count; /* the first that begins behind the address */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (debug->spans[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct ep_debug_span *found = low ? &debug->spans[low - 1] : NULL;
    return found && address < found->end ? found : NULL;
}

struct ep_debug_unit *ep_debug_units_find(struct ep_debug_units *debug, uint64_t address)
{
    const struct ep_debug_span *span = find_span(debug, address - debug->bias);
    struct ep_debug_unit *unit = span ? &debug->units[span->unit] : NULL;
    return unit && ep_debug_unit_read(unit) == 0 ? unit : NULL;
}

void ep_debug_units_close(struct ep_debug_units *debug)
{
    for (size_t i = 0; i < debug->count; i++)
        ep_debug_unit_free(&debug->units[i]);
    free(debug->units);
    free(debug->spans);
    *debug = (struct ep_debug_units){.bias = 0};
}
