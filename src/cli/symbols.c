#include "symbols.h"

#include <stdlib.h>
#include <string.h>

#include "debug_die.h"
#include "demangle.h"

int ep_symbols_open(struct ep_symbols *symbols, const struct ep_symbol_source *source,
                    const char **why)
{
    if (ep_symbol_file_open(&symbols->file, source, why) != 0)
        return -1;
    if (ep_debug_units_open(&symbols->debug, symbols->file.module) == 0) {
        if (ep_symbol_table_read(&symbols->table, symbols->file.module) == 0)
            return 0;
        ep_debug_units_close(&symbols->debug);
    }
    ep_symbol_file_close(&symbols->file);
    *why = "is too large for the memory that there is";
    return -1;
}

void ep_symbols_close(struct ep_symbols *symbols)
{
    ep_symbol_table_free(&symbols->table);
    ep_debug_units_close(&symbols->debug);
    ep_symbol_file_close(&symbols->file);
}

/* Where the function is declared; for what the compiler has made by itself, where its first
 * instruction comes from, as for code of which nothing but lines is known. */
static void find_place(struct ep_symbol *symbol, struct ep_debug_unit *unit, Dwarf_Die *die,
                       uint64_t address)
{
    symbol->file = die ? ep_debug_die_place(die, &symbol->line) : NULL;
    if (symbol->file)
        return;
    Dwarf_Line *line = dwarf_getsrc_die(&unit->die, address);
    Dwarf_Addr begin;
    /* else it is the line of what stands before */
    if (line && dwarf_lineaddr(line, &begin) == 0 && begin == address &&
        dwarf_lineno(line, &symbol->line) == 0)
        symbol->file = dwarf_linesrc(line, NULL, NULL);
}

static void ask_debug(struct ep_symbols *symbols, uint64_t address, struct ep_symbol *symbol)
{
    struct ep_debug_unit *unit = ep_debug_units_find(&symbols->debug, address);
    if (!unit)
        return;
    address -= symbols->debug.bias;
    struct ep_debug_function *function = ep_debug_unit_find(unit, address);
    Dwarf_Die *die = function ? &function->die : NULL;
    if (die) {
        symbol->name = ep_debug_die_name(die);
        symbol->linkage = ep_debug_die_linkage_name(die);
    }
    find_place(symbol, unit, die, address);
}

/* The debug information's linkage name is that of the function itself where the linker's is that
 * of a copy, and there is none for what other files cannot see. */
static void ask_table(const struct ep_symbols *symbols, uint64_t address, struct ep_symbol *symbol)
{
    const struct ep_table_symbol *found = ep_symbol_table_find(&symbols->table, address);
    if (found && !symbol->linkage)
        symbol->linkage = found->name;
}

struct ep_symbol ep_symbols_find(struct ep_symbols *symbols, uint64_t address)
{
    struct ep_symbol symbol = {.line = 0};
    ask_debug(symbols, address, &symbol);
    ask_table(symbols, address, &symbol);
    if (!symbol.file || symbol.line < 0)
        symbol.line = 0;
    return symbol;
}

char *ep_symbol_name(const struct ep_symbol *symbol)
{
    char *stem = NULL, *name = NULL;
    if (symbol->linkage)
        stem = strndup(symbol->linkage, ep_demangle_stem(symbol->linkage));
    if (stem)
        name = ep_demangle(stem);
    if (!name && symbol->name)
        name = strdup(symbol->name);
    if (!name)
        return stem;
    free(stem);
    return name;
}
