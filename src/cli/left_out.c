#include "left_out.h"

#include <stdlib.h>

#include "array.h"
#include "function_names.h"

/* What compilers put before a function so that it begins at a multiple of this is no function. */
enum { ALIGNMENT_BYTES = 16 };

static int add(struct ep_left_out *list, uint64_t begin, uint64_t end)
{
    void *grown = ep_array_room(list->stretches, list->count, &list->room, sizeof *list->stretches);
    if (!grown)
        return -1;
    list->stretches = grown;
    list->stretches[list->count++] = (struct ep_stretch){.begin = begin, .end = end};
    return 0;
}

/* A symbol without a size is one address: more is not asked for than where functions begin. */
static int add_function(struct ep_left_out *list, uint64_t begin, uint64_t end)
{
    return add(list, begin, end > begin ? end : begin + 1);
}

static int add_unit(struct ep_left_out *all, struct ep_debug_unit *unit, uint64_t bias)
{
    if (ep_debug_unit_read(unit) != 0)
        return -1;
    for (size_t i = 0; i < unit->count; i++)
        if (add_function(all, unit->functions[i].begin + bias, unit->functions[i].end + bias) != 0)
            return -1;
    return 0;
}

static int add_all(struct ep_left_out *all, struct ep_symbols *symbols)
{
    for (size_t i = 0; i < symbols->debug.count; i++)
        if (add_unit(all, &symbols->debug.units[i], symbols->debug.bias) != 0)
            return -1;
    for (size_t i = 0; i < symbols->table.count; i++)
        if (add_function(all, symbols->table.symbols[i].begin, symbols->table.symbols[i].end) != 0)
            return -1;
    return 0;
}

static int compare(const void *left, const void *right)
{
    const struct ep_stretch *a = left, *b = right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Each function once, and up to where the next one begins. */
static void make_disjoint(struct ep_left_out *all)
{
    size_t kept = 0;
    if (all->count)
        qsort(all->stretches, all->count, sizeof *all->stretches, compare);
    for (size_t i = 0; i < all->count; i++) {
        struct ep_stretch *last = kept ? &all->stretches[kept - 1] : NULL;
        const struct ep_stretch next = all->stretches[i];
        if (last && last->begin == next.begin) {
            last->end = next.end > last->end ? next.end : last->end;
            continue;
        }
        if (last && last->end > next.begin)
            last->end = next.begin;
        all->stretches[kept++] = next;
    }
    all->count = kept;
}

/* 1, 0, or -1 and ENOMEM. */
static int is_chosen(struct ep_symbols *symbols, uint64_t address,
                     const struct ep_function_patterns *patterns)
{
    struct ep_function_names names;
    if (ep_function_names_collect(&names, symbols, address) != 0)
        return -1;
    int result = ep_function_patterns_choose(patterns, names.texts, names.count);
    ep_function_names_free(&names);
    return result;
}

static int leave_out(struct ep_left_out *left_out, uint64_t begin, uint64_t end)
{
    struct ep_stretch *last = left_out->count ? &left_out->stretches[left_out->count - 1] : NULL;
    if (!last || last->end != begin)
        return add(left_out, begin, end);
    last->end = end;
    return 0;
}

/* Of `all` what is not chosen; and what lies between them where only the chosen count. */
static int leave_out_of(struct ep_left_out *left_out, const struct ep_left_out *all,
                        struct ep_symbols *symbols, const struct ep_function_patterns *patterns)
{
    bool is_rest_left_out = ep_function_patterns_name_some(patterns);
    uint64_t behind = 0; /* the functions that have been looked at */
    for (size_t i = 0; i < all->count; i++) {
        const struct ep_stretch *function = &all->stretches[i];
        bool is_gap = function->begin - behind >= ALIGNMENT_BYTES;
        if (is_gap && is_rest_left_out && leave_out(left_out, behind, function->begin) != 0)
            return -1;
        uint64_t begin = is_gap ? function->begin : behind;
        behind = function->end;
        int result = is_chosen(symbols, function->begin, patterns);
        if (result < 0 || (result == 0 && leave_out(left_out, begin, behind) != 0))
            return -1;
    }
    return is_rest_left_out ? leave_out(left_out, behind, UINT64_MAX) : 0;
}

int ep_left_out_find(struct ep_left_out *left_out, struct ep_symbols *symbols,
                     const struct ep_function_patterns *patterns)
{
    struct ep_left_out all = {.stretches = NULL};
    *left_out = (struct ep_left_out){.stretches = NULL};
    int result = add_all(&all, symbols);
    if (result == 0) {
        make_disjoint(&all);
        result = leave_out_of(left_out, &all, symbols, patterns);
    }
    ep_left_out_free(&all);
    if (result != 0)
        ep_left_out_free(left_out);
    return result;
}

void ep_left_out_free(struct ep_left_out *left_out)
{
    free(left_out->stretches);
    *left_out = (struct ep_left_out){.stretches = NULL};
}
