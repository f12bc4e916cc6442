#include "symbol_table.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

static bool is_function(const GElf_Sym *symbol, GElf_Word section)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    return (type == STT_FUNC || type == STT_GNU_IFUNC) && section != SHN_UNDEF;
}

/* Others can see it by a global name; a weak one may be an alias that nobody uses. */
static unsigned char rank_of(const GElf_Sym *symbol)
{
    switch (GELF_ST_BIND(symbol->st_info)) {
    case STB_GLOBAL:
        return 2;
    case STB_WEAK:
        return 1;
    default:
        return 0;
    }
}

static int add(struct ep_symbol_table *table, struct ep_table_symbol symbol)
{
    void *grown = ep_array_room(table->symbols, table->count, &table->room, sizeof *table->symbols);
    if (!grown)
        return -1;
    table->symbols = grown;
    table->symbols[table->count++] = symbol;
    return 0;
}

/* Underscores at the beginning are for what is not to be seen. */
static size_t underscores(const char *name)
{
    return strspn(name, "_");
}

static int compare_size(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* The better name is the greater one: of the higher rank, with fewer underscores, the shorter, at
 * last the first in the alphabet. */
static int compare_name(const struct ep_table_symbol *a, const struct ep_table_symbol *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    int order = compare_size(underscores(b->name), underscores(a->name));
    if (!order)
        order = compare_size(strlen(b->name), strlen(a->name));
    return order ? order : strcmp(b->name, a->name);
}

static int compare(const void *left, const void *right)
{
    const struct ep_table_symbol *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return compare_name(a, b);
}

int ep_symbol_table_read(struct ep_symbol_table *table, Dwfl_Module *module)
{
    *table = (struct ep_symbol_table){.symbols = NULL};
    int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count; i++) { /* the one at 0 is none */
        GElf_Sym symbol;
        GElf_Addr address;
        GElf_Word section;
        const char *name =
            dwfl_module_getsym_info(module, i, &symbol, &address, &section, NULL, NULL);
        if (!name || !*name || !is_function(&symbol, section))
            continue;
        if (add(table, (struct ep_table_symbol){.begin = address,
                                                .end = address + symbol.st_size,
                                                .name = name,
                                                .rank = rank_of(&symbol)}) != 0) {
            ep_symbol_table_free(table);
            return -1;
        }
    }
    if (table->count)
        qsort(table->symbols, table->count, sizeof *table->symbols, compare);
    return 0;
}

/* How many begin at the address or before it. */
static size_t count_up_to(const struct ep_symbol_table *table, uint64_t address)
{
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->symbols[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct ep_table_symbol *ep_symbol_table_find(const struct ep_symbol_table *table,
                                                   uint64_t address)
{
    size_t count = count_up_to(table, address);
    const struct ep_table_symbol *found = count ? &table->symbols[count - 1] : NULL;
    return found && (address == found->begin || address < found->end) ? found : NULL;
}

const struct ep_table_symbol *ep_symbol_table_at(const struct ep_symbol_table *table,
                                                 uint64_t address, size_t *count)
{
    size_t end = count_up_to(table, address), begin = end;
    while (begin > 0 && table->symbols[begin - 1].begin == address)
        begin--;
    *count = end - begin;
    return table->symbols + begin;
}

void ep_symbol_table_free(struct ep_symbol_table *table)
{
    free(table->symbols);
    *table = (struct ep_symbol_table){.symbols = NULL};
}
