#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "cli/symbols/symbols.h"
#include "report/format.h"

/* ---- patterns ---- */

/* Whether there is a pattern without "!". */
static bool name_some(const struct ep_function_patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (patterns->patterns[i][0] != '!')
            return true;
    return false;
}

/* The patterns, and whether they match any name of a function. */
struct choice {
    const struct ep_function_patterns *patterns;
    bool is_named;    /* by a pattern without "!" */
    bool is_excluded; /* by a pattern with "!" */
};

static void match(struct choice *choice, const char *name)
{
    for (size_t i = 0; i < choice->patterns->count && !choice->is_excluded; i++) {
        const char *pattern = choice->patterns->patterns[i];
        bool excludes = *pattern == '!';
        if (fnmatch(pattern + excludes, name, 0) == 0)
            *(excludes ? &choice->is_excluded : &choice->is_named) = true;
    }
}

static bool chooses(const struct choice *choice)
{
    return !choice->is_excluded && (choice->is_named || !name_some(choice->patterns));
}

bool ep_patterns_choose(const struct ep_function_patterns *patterns, char *const *names,
                        size_t count)
{
    struct choice choice = {.patterns = patterns};
    for (size_t i = 0; i < count; i++)
        match(&choice, names[i]);
    return chooses(&choice);
}

/* ---- the names of a function ---- */

/* The linker's name, and the name with and without parameters. */
static int match_symbol(struct choice *choice, const struct ep_symbol *symbol)
{
    if (symbol->linkage)
        match(choice, symbol->linkage);
    char *name = ep_symbols_symbol_name(symbol), *bare = NULL;
    if (!name)
        return 0; /* it has none */
    match(choice, name);
    bool has_parameters = strchr(name, '(') != NULL;
    if (has_parameters)
        bare = ep_symbols_demangle_bare(name);
    if (bare)
        match(choice, bare);
    free(name);
    free(bare);
    return has_parameters && !bare ? -1 : 0;
}

/* Also matches the names of the function's aliases, and the file with and without directories. 1,
 * 0, or -1 and ENOMEM. */
static int is_chosen(struct ep_symbols *symbols, uint64_t address,
                     const struct ep_function_patterns *patterns)
{
    const struct ep_ranges *table = &symbols->table;
    struct choice choice = {.patterns = patterns};
    struct ep_symbol symbol = ep_symbols_find(symbols, address);
    if (match_symbol(&choice, &symbol) != 0)
        return -1;
    for (size_t i = ep_debug_ranges_up_to(table, address);
         i > 0 && table->at[i - 1].begin == address; i--) {
        struct ep_symbol alias = {.linkage = table->at[i - 1].name};
        if (match_symbol(&choice, &alias) != 0)
            return -1;
    }
    if (symbol.file) {
        match(&choice, symbol.file);
        match(&choice, ep_report_format_label_base_name(symbol.file));
    }
    return chooses(&choice);
}

/* ---- the code that is not chosen ---- */

/* A smaller gap before a function is padding, not code. */
enum { ALIGNMENT_BYTES = 16 };

/* A symbol without a size covers one address, which is enough: only the addresses at which
 * functions begin are looked up. A damaged file may have one at the last address, which no range
 * can contain. */
static int add_functions(struct ep_ranges *all, const struct ep_ranges *functions, uint64_t bias)
{
    for (size_t i = 0; i < functions->count; i++) {
        uint64_t begin = functions->at[i].begin + bias, end = functions->at[i].end + bias;
        end = end > begin ? end : begin + 1;
        if (end == 0)
            continue;
        if (ep_debug_ranges_add(all, (struct ep_range){.begin = begin, .end = end}) != 0)
            return -1;
    }
    return 0;
}

static int add_all(struct ep_ranges *all, struct ep_symbols *symbols)
{
    struct ep_debug_units *debug = &symbols->debug;
    for (size_t i = 0; i < debug->count; i++)
        if (ep_debug_unit_read(&debug->units[i]) != 0 ||
            add_functions(all, &debug->units[i].functions, debug->bias) != 0)
            return -1;
    return add_functions(all, &symbols->table, 0);
}

static int compare(const void *left, const void *right)
{
    const struct ep_range *a = left, *b = right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Keeps each function once, and cuts it where the next one begins. */
static void make_disjoint(struct ep_ranges *all)
{
    size_t kept = 0;
    ep_debug_ranges_sort(all, compare);
    for (size_t i = 0; i < all->count; i++) {
        struct ep_range *last = kept ? &all->at[kept - 1] : NULL;
        const struct ep_range next = all->at[i];
        if (last && last->begin == next.begin) {
            last->end = next.end > last->end ? next.end : last->end;
            continue;
        }
        if (last && last->end > next.begin)
            last->end = next.begin;
        all->at[kept++] = next;
    }
    all->count = kept;
}

static int leave_out(struct ep_ranges *left_out, uint64_t begin, uint64_t end)
{
    struct ep_range *last = left_out->count ? &left_out->at[left_out->count - 1] : NULL;
    if (!last || last->end != begin)
        return ep_debug_ranges_add(left_out, (struct ep_range){.begin = begin, .end = end});
    last->end = end;
    return 0;
}

/* Adds the functions that are not chosen and, if only chosen code is recorded, the gaps between
 * functions. */
static int leave_out_of(struct ep_ranges *left_out, const struct ep_ranges *all,
                        struct ep_symbols *symbols, const struct ep_function_patterns *patterns)
{
    bool is_rest_left_out = name_some(patterns);
    uint64_t end = 0; /* of the functions that have been looked at */
    for (size_t i = 0; i < all->count; i++) {
        const struct ep_range *function = &all->at[i];
        bool is_gap = function->begin - end >= ALIGNMENT_BYTES;
        if (is_gap && is_rest_left_out && leave_out(left_out, end, function->begin) != 0)
            return -1;
        uint64_t begin = is_gap ? function->begin : end;
        end = function->end;
        int result = is_chosen(symbols, function->begin, patterns);
        if (result < 0 || (result == 0 && leave_out(left_out, begin, end) != 0))
            return -1;
    }
    return is_rest_left_out ? leave_out(left_out, end, UINT64_MAX) : 0;
}

int ep_patterns_left_out_find(struct ep_ranges *left_out, struct ep_symbols *symbols,
                              const struct ep_function_patterns *patterns)
{
    struct ep_ranges all = {.at = NULL};
    *left_out = (struct ep_ranges){.at = NULL};
    int result = add_all(&all, symbols);
    if (result == 0) {
        make_disjoint(&all);
        result = leave_out_of(left_out, &all, symbols, patterns);
    }
    ep_debug_ranges_free(&all);
    if (result != 0)
        ep_debug_ranges_free(left_out);
    return result;
}
