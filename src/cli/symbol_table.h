/*
 * symbol_table.h - the functions that a file's symbols tell of: .symtab, else .dynsym
 */
#ifndef EP_CLI_SYMBOL_TABLE_H
#define EP_CLI_SYMBOL_TABLE_H

#include <elfutils/libdwfl.h>
#include <stddef.h>
#include <stdint.h>

struct ep_table_symbol {
    uint64_t begin, end; /* the same where the linker was told no size */
    const char *name;    /* as the linker has it; lives as long as the module */
    unsigned char rank;  /* of several at one address: the highest is the one */
};

/* By address; of several at one address the best name is the last. */
struct ep_symbol_table {
    struct ep_table_symbol *symbols;
    size_t count, room;
};

/* 0, or -1 and ENOMEM. A file without symbols has none. */
int ep_symbol_table_read(struct ep_symbol_table *table, Dwfl_Module *module);
/* The one that the address lies in; NULL: none. */
const struct ep_table_symbol *ep_symbol_table_find(const struct ep_symbol_table *table,
                                                   uint64_t address);
/* Those that begin at the address, `count` of them. */
const struct ep_table_symbol *ep_symbol_table_at(const struct ep_symbol_table *table,
                                                 uint64_t address, size_t *count);
void ep_symbol_table_free(struct ep_symbol_table *table);

#endif /* EP_CLI_SYMBOL_TABLE_H */
