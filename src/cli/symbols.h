/*
 * symbols.h - what the functions of a program or library are called, and where they stand in the
 * source
 */
#ifndef EP_CLI_SYMBOLS_H
#define EP_CLI_SYMBOLS_H

#include "debug_units.h"
#include "symbol_file.h"
#include "symbol_table.h"

struct ep_symbols {
    struct ep_symbol_file file;
    struct ep_symbol_table table;
    struct ep_debug_units debug;
};

/* A function; what is not known is NULL, or 0. The texts live as long as the symbols. */
struct ep_symbol {
    const char *linkage; /* its name as the linker has it */
    const char *name;    /* and as the source has it, without its namespace and class */
    const char *file;
    int line;
};

/* 0; or -1, and *why says what is wrong with the file. It is of the next call's, too. */
int ep_symbols_open(struct ep_symbols *symbols, const struct ep_symbol_source *source,
                    const char **why);
/* The function that an address of the file lies in. */
struct ep_symbol ep_symbols_find(struct ep_symbols *symbols, uint64_t address);
void ep_symbols_close(struct ep_symbols *symbols);

/* The name that people read, to be freed: of C++ with parameters. NULL: it has none, or there is
 * no memory. */
char *ep_symbol_name(const struct ep_symbol *symbol);

#endif /* EP_CLI_SYMBOLS_H */
