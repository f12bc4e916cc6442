#include "function_names.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer.h"
#include "array.h"
#include "demangle.h"

/* Takes the text; NULL: there was no memory for it. */
EP_ANALYZER_KEPT_BEGIN /* in names->texts */
static int add(struct ep_function_names *names, char *text)
{
    void *grown =
        text ? ep_array_room(names->texts, names->count, &names->room, sizeof *names->texts) : NULL;
    if (!grown) {
        free(text);
        return -1;
    }
    names->texts = grown;
    names->texts[names->count++] = text;
    return 0;
}
EP_ANALYZER_KEPT_END

static int add_copy(struct ep_function_names *names, const char *text)
{
    return add(names, strdup(text));
}

static int add_symbol(struct ep_function_names *names, const struct ep_symbol *symbol)
{
    if (symbol->linkage && add_copy(names, symbol->linkage) != 0)
        return -1;
    char *name = ep_symbol_name(symbol);
    if (!name)
        return 0; /* it has none */
    if (add(names, name) != 0)
        return -1;
    return strchr(name, '(') ? add(names, ep_demangle_bare(name)) : 0;
}

static int add_aliases(struct ep_function_names *names, const struct ep_symbol_table *table,
                       uint64_t address)
{
    size_t count;
    const struct ep_table_symbol *aliases = ep_symbol_table_at(table, address, &count);
    for (size_t i = 0; i < count; i++) {
        struct ep_symbol alias = {.linkage = aliases[i].name};
        if (add_symbol(names, &alias) != 0)
            return -1;
    }
    return 0;
}

static int add_file(struct ep_function_names *names, const char *file)
{
    const char *slash = strrchr(file, '/');
    if (slash && add_copy(names, slash + 1) != 0)
        return -1;
    return add_copy(names, file);
}

int ep_function_names_collect(struct ep_function_names *names, struct ep_symbols *symbols,
                              uint64_t address)
{
    *names = (struct ep_function_names){.texts = NULL};
    struct ep_symbol symbol = ep_symbols_find(symbols, address);
    if (add_symbol(names, &symbol) == 0 && add_aliases(names, &symbols->table, address) == 0 &&
        (!symbol.file || add_file(names, symbol.file) == 0))
        return 0;
    ep_function_names_free(names);
    return -1;
}

void ep_function_names_free(struct ep_function_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->texts[i]);
    free(names->texts);
}
