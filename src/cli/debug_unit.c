#include "debug_unit.h"

#include <dwarf.h>
#include <stdlib.h>

#include "array.h"

/* No source nests so deep. */
enum { DEEPEST = 256 };

int ep_debug_stretches(Dwarf_Die *die, ep_debug_stretch *take, void *arg)
{
    Dwarf_Addr base, begin, end;
    ptrdiff_t next = 0;
    while ((next = dwarf_ranges(die, next, &base, &begin, &end)) > 0) {
        /* what the linker has left out lies at 0, or nowhere (DWARF 5, 3.1.1 has no word on it) */
        if (begin == 0 || end <= begin)
            continue;
        int result = take(arg, die, begin, end);
        if (result != 0)
            return result;
    }
    return 0;
}

static int add(void *arg, Dwarf_Die *die, uint64_t begin, uint64_t end)
{
    struct ep_debug_unit *unit = arg;
    void *grown = ep_array_room(unit->functions, unit->count, &unit->room, sizeof *unit->functions);
    if (!grown)
        return -1;
    unit->functions = grown;
    unit->functions[unit->count++] =
        (struct ep_debug_function){.begin = begin, .end = end, .die = *die};
    return 0;
}

/* Functions stand in functions as well: those of Ada and Fortran, and gcc's own in C. */
static bool may_hold_functions(int tag)
{
    switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
        return true;
    default:
        return false;
    }
}

static int add_below(struct ep_debug_unit *unit, Dwarf_Die *parent, int depth)
{
    Dwarf_Die die;
    int result = 0;
    if (depth > DEEPEST || dwarf_child(parent, &die) != 0)
        return 0;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_subprogram)
            result = ep_debug_stretches(&die, add, unit);
        if (result == 0 && may_hold_functions(tag))
            result = add_below(unit, &die, depth + 1);
    } while (result == 0 && dwarf_siblingof(&die, &die) == 0);
    return result;
}

static int compare(const void *left, const void *right)
{
    const struct ep_debug_function *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    const char *first = a->die.addr, *second = b->die.addr;
    return (first < second) - (first > second);
}

int ep_debug_unit_read(struct ep_debug_unit *unit)
{
    if (unit->is_read)
        return 0;
    if (add_below(unit, &unit->die, 0) != 0)
        return -1;
    if (unit->count)
        qsort(unit->functions, unit->count, sizeof *unit->functions, compare);
    unit->is_read = true;
    return 0;
}

struct ep_debug_function *ep_debug_unit_find(const struct ep_debug_unit *unit, uint64_t address)
{
    size_t low = 0, high = unit->count; /* the first that begins behind the address */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (unit->functions[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    struct ep_debug_function *found = low ? &unit->functions[low - 1] : NULL;
    return found && address < found->end ? found : NULL;
}

void ep_debug_unit_free(struct ep_debug_unit *unit)
{
    free(unit->functions);
}
