#include "merge/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/making.h"

/* ---- names ---- */

uint32_t ep_merge_tables_names_find(struct ep_merge_names *names, const char *text, uint32_t bytes)
{
    size_t count = names->table.count;
    struct ep_wide print = ep_hash_add(ep_hash_begin(), text, bytes);
    uint32_t found = ep_hash_table_find(&names->table, sizeof(struct ep_merge_name), print);
    if (found != count)
        return found;
    struct ep_merge_name *name = (struct ep_merge_name *)names->table.rows + found;
    const char *copy = ep_memory_text(&names->texts, text, bytes);
    *name = (struct ep_merge_name){print, copy ? copy : "", copy ? bytes : 0};
    return copy ? found : EP_MAP_NONE;
}

const struct ep_merge_name ep_merge_tables_no_name = {.text = ""};

int ep_merge_tables_names_compare(const struct ep_merge_name *a, const struct ep_merge_name *b)
{
    int order = a == b ? 0 : memcmp(a->text, b->text, a->bytes < b->bytes ? a->bytes : b->bytes);
    return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

void ep_merge_tables_names_free(struct ep_merge_names *names)
{
    ep_hash_table_free(&names->table);
    ep_memory_free(&names->texts);
}

/* ---- threads ---- */

static uint32_t find_name(struct ep_merge *merge, const struct ep_thread_cell *thread)
{
    char name[24];
    if (thread->name)
        return ep_merge_text_find(merge, thread->name, thread->name_bytes);
    ep_rows_number_name(name, thread->number);
    return ep_merge_found(merge,
                          ep_merge_tables_names_find(&merge->names, name, (uint32_t)strlen(name)));
}

/* Whether this is the name of a thread without one; then it contains its number. */
static bool contains_number(const char *name, uint32_t *number)
{
    static const char before[] = "thread ";
    char again[24];
    bool has_number = strncmp(name, before, sizeof before - 1) == 0;
    *number = has_number ? (uint32_t)strtoul(name + sizeof before - 1, NULL, 10) : 0;
    ep_rows_number_name(again, *number);
    return strcmp(again, name) == 0;
}

uint32_t ep_merge_tables_threads_find(struct ep_merge *merge, const struct ep_thread_cell *thread)
{
    uint32_t name = find_name(merge, thread);
    size_t count = merge->threads.count;
    uint32_t index = ep_merge_thread_find(merge, ep_merge_key(name, 0));
    struct ep_merge_thread *found = ep_merge_thread(merge, index);
    if (index == count) {
        found->root = EP_MAP_NONE;
        found->is_named = !contains_number(ep_merge_name(merge, name)->text, &found->number);
        if (found->is_named)
            found->number = thread->number;
    }
    if (found->is_named && thread->number < found->number)
        found->number = thread->number;
    return index;
}
