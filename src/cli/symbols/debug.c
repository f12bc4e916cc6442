#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/symbols/symbols.h"
#include "report/format.h"

/* ---- ranges ---- */

int ep_debug_ranges_add(struct ep_ranges *ranges, struct ep_range range)
{
    struct ep_range *grown = ep_memory_room(ranges->at, ranges->count, &ranges->room, sizeof range);
    if (!grown)
        return -1;
    ranges->at = grown;
    ranges->at[ranges->count++] = range;
    return 0;
}

void ep_debug_ranges_sort(struct ep_ranges *ranges,
                          int (*compare)(const void *left, const void *right))
{
    if (ranges->count)
        qsort(ranges->at, ranges->count, sizeof *ranges->at, compare);
}

size_t ep_debug_ranges_up_to(const struct ep_ranges *ranges, uint64_t address)
{
    size_t low = 0, high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges->at[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The range that contains the address, or NULL. */
static struct ep_range *find(const struct ep_ranges *ranges, uint64_t address)
{
    size_t count = ep_debug_ranges_up_to(ranges, address);
    return count && address < ranges->at[count - 1].end ? &ranges->at[count - 1] : NULL;
}

void ep_debug_ranges_free(struct ep_ranges *ranges)
{
    free(ranges->at);
    *ranges = (struct ep_ranges){.at = NULL};
}

/* ---- attributes of a function ----  The entry (DIE) of a copy of a function refers to the entry
 * of the function, and that of a definition to the declaration. An attribute that one entry lacks
 * is read from the other. */

static const char *text(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

static const char *linkage_name(Dwarf_Die *die)
{
    const char *name = text(die, DW_AT_linkage_name);
    return name ? name
                : text(die, DW_AT_MIPS_linkage_name); /* the name of the attribute before DWARF 4 */
}

/* dwarf_decl_file() treats file 0 as none; since DWARF 5 (6.2.4) it is the first file. */
static const char *declared_file_of(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number;
    Dwarf_Half version;
    Dwarf_Die unit;
    Dwarf_Files *files;
    if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attribute), &number) != 0 ||
        dwarf_cu_info(attribute.cu, &version, NULL, &unit, NULL, NULL, NULL, NULL) != 0 ||
        (number == 0 && version < 5) || dwarf_getsrcfiles(&unit, &files, NULL) != 0)
        return NULL;
    return dwarf_filesrc(files, number, NULL, NULL);
}

/* The address of the entry. If gcc or clang has split the function, that is the beginning of its
 * first range, the part that is called. Returns `address` if there is no range. */
static uint64_t entry_of(Dwarf_Die *die, uint64_t address)
{
    Dwarf_Addr entry, base, end;
    if (dwarf_entrypc(die, &entry) == 0)
        return entry;
    return dwarf_ranges(die, 0, &base, &entry, &end) > 0 ? entry : address;
}

/* ---- functions of a unit ---- */

/* Levels of nesting, more than any source has. It bounds the recursion in a damaged file. */
enum { DEEPEST = 256 };

/* Adds each range of code of a unit or function, with the other members of `like`. */
static int add_code(struct ep_ranges *ranges, Dwarf_Die *die, struct ep_range like)
{
    Dwarf_Addr base;
    ptrdiff_t next = 0;
    while ((next = dwarf_ranges(die, next, &base, &like.begin, &like.end)) > 0)
        /* code that the linker has left out has address 0 or no length; DWARF 5 defines neither */
        if (like.begin != 0 && like.end > like.begin && ep_debug_ranges_add(ranges, like) != 0)
            return -1;
    return 0;
}

/* Functions nest in functions in Ada and Fortran, and in C as an extension of gcc. */
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
            result = add_code(&unit->functions, &die, (struct ep_range){.die = die});
        if (result == 0 && may_hold_functions(tag))
            result = add_below(unit, &die, depth + 1);
    } while (result == 0 && dwarf_siblingof(&die, &die) == 0);
    return result;
}

static int compare_functions(const void *left, const void *right)
{
    const struct ep_range *a = left, *b = right;
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
    ep_debug_ranges_sort(&unit->functions, compare_functions);
    unit->is_read = true;
    return 0;
}

/* ---- source locations ---- */

/* Units may refer to one file by different paths, so only the last part is compared. */
static bool has_last_name_of(const char *file, const char *other)
{
    return strcmp(ep_report_format_label_base_name(file),
                  ep_report_format_label_base_name(other)) == 0;
}

static Dwarf_Addr address_of(Dwarf_Lines *lines, size_t index)
{
    Dwarf_Addr address = 0;
    dwarf_lineaddr(dwarf_onesrcline(lines, index), &address);
    return address;
}

/* The lines are sorted by address. */
static size_t first_at(Dwarf_Lines *lines, size_t count, uint64_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (address_of(lines, middle) < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* NULL for the end of a sequence, which describes the code before the address. */
static const char *file_of(Dwarf_Line *line)
{
    bool is_end = true;
    return dwarf_lineendsequence(line, &is_end) == 0 && !is_end ? dwarf_linesrc(line, NULL, NULL)
                                                                : NULL;
}

/*
 * The source location that the line table has for an address at which code begins. It is the first
 * of several, since those of functions that were inlined there may follow. NULL if there is none,
 * or if one of them is in the file `declared` (may be NULL).
 */
static const char *location_of(const struct ep_debug_unit *unit, uint64_t address,
                               const char *declared, int *line)
{
    Dwarf_Die die = unit->die;
    Dwarf_Lines *lines;
    size_t count;
    const char *first = NULL;
    if (dwarf_getsrclines(&die, &lines, &count) != 0)
        return NULL;
    for (size_t i = first_at(lines, count, address); i < count && address_of(lines, i) == address;
         i++) {
        Dwarf_Line *at = dwarf_onesrcline(lines, i);
        const char *file = file_of(at);
        if (file && declared && has_last_name_of(file, declared))
            return NULL;
        if (file && !first && dwarf_lineno(at, line) == 0)
            first = file;
    }
    return first;
}

/* Whether the unit was compiled from the file, rather than includes it. */
static bool is_of(const struct ep_debug_unit *unit, const char *file)
{
    Dwarf_Die die = unit->die;
    const char *source = dwarf_diename(&die);
    return source && has_last_name_of(file, source);
}

/*
 * The location is the declaration, if the code comes from the same file. It is that of the first
 * instruction if the code comes from another file (gcc names the header for a function that a
 * system header declares and the program defines), if the compiler has made the function, or if
 * only lines are known. The body of a function may also be included into the file that declares it.
 */
static void find_location(struct ep_symbol *symbol, const struct ep_debug_unit *unit,
                          Dwarf_Die *die, uint64_t address)
{
    int line;
    if (die && dwarf_decl_line(die, &symbol->line) == 0)
        symbol->file = declared_file_of(die);
    if (symbol->file && is_of(unit, symbol->file))
        return;
    uint64_t entry = die ? entry_of(die, address) : address;
    const char *file = location_of(unit, entry, symbol->file, &line);
    if (!file)
        return;
    symbol->file = file;
    symbol->line = line;
}

/* ---- units by address ---- */

static int add_unit(struct ep_debug_units *debug, Dwarf_Die *die)
{
    void *grown = ep_memory_room(debug->units, debug->count, &debug->room, sizeof *debug->units);
    if (!grown)
        return -1;
    debug->units = grown;
    debug->units[debug->count++] = (struct ep_debug_unit){.die = *die};
    return 0;
}

static int add_code_of(struct ep_debug_units *debug, Dwarf_Die *die)
{
    struct ep_range span = {.unit = debug->count - 1};
    size_t spans = debug->spans.count;
    if (add_code(&debug->spans, die, span) != 0)
        return -1;
    if (debug->spans.count != spans)
        return 0;
    /* a unit without ranges lies where its functions are */
    struct ep_debug_unit *unit = &debug->units[span.unit];
    if (ep_debug_unit_read(unit) != 0)
        return -1;
    for (size_t i = 0; i < unit->functions.count; i++) {
        span.begin = unit->functions.at[i].begin;
        span.end = unit->functions.at[i].end;
        if (ep_debug_ranges_add(&debug->spans, span) != 0)
            return -1;
    }
    return 0;
}

/* With -gsplit-dwarf this file has a unit with the ranges, and another file has its body with the
 * functions. */
static int add_unit_and_code(struct ep_debug_units *debug, uint8_t type, Dwarf_Die *die,
                             Dwarf_Die *body)
{
    if (type != DW_UT_compile && type != DW_UT_skeleton)
        return 0;
    bool is_split = type == DW_UT_skeleton && body->addr;
    return add_unit(debug, is_split ? body : die) == 0 ? add_code_of(debug, die) : -1;
}

static int compare_spans(const void *left, const void *right)
{
    const struct ep_range *a = left, *b = right;
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
        if (add_unit_and_code(debug, type, &die, &body) != 0) {
            ep_debug_units_close(debug);
            return -1;
        }
    ep_debug_ranges_sort(&debug->spans, compare_spans);
    return 0;
}

struct ep_symbol ep_debug_find(struct ep_debug_units *debug, uint64_t address)
{
    struct ep_symbol symbol = {.line = 0};
    address -= debug->bias;
    const struct ep_range *span = find(&debug->spans, address);
    struct ep_debug_unit *unit = span ? &debug->units[span->unit] : NULL;
    if (!unit || ep_debug_unit_read(unit) != 0)
        return symbol;
    struct ep_range *function = find(&unit->functions, address);
    Dwarf_Die *die = function ? &function->die : NULL;
    if (die) {
        symbol.name = text(die, DW_AT_name);
        symbol.linkage = linkage_name(die);
    }
    find_location(&symbol, unit, die, address);
    return symbol;
}

void ep_debug_units_close(struct ep_debug_units *debug)
{
    for (size_t i = 0; i < debug->count; i++)
        ep_debug_ranges_free(&debug->units[i].functions);
    free(debug->units);
    ep_debug_ranges_free(&debug->spans);
    *debug = (struct ep_debug_units){.bias = 0};
}
