#include "merge_threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As ep_rows_thread_name() has it. */
static void write_number(char name[24], uint32_t number)
{
    if (number)
        snprintf(name, 24, "thread %u", (unsigned)number);
    else
        snprintf(name, 24, "main");
}

static uint32_t find_name(struct ep_merge *merge, const struct ep_image *image,
                          const struct ep_thread_cell *thread)
{
    char name[24];
    if (thread->name)
        return ep_merge_names_find(&merge->names, ep_image_string(image, thread->name),
                                   thread->name_bytes);
    write_number(name, thread->number);
    return ep_merge_names_find(&merge->names, name, (uint32_t)strlen(name));
}

/* Whether a name is that of a thread without one: then its number is told by it. */
static bool tells_number(const char *name, uint32_t *number)
{
    static const char before[] = "thread ";
    char again[24];
    bool has_number = strncmp(name, before, sizeof before - 1) == 0;
    *number = has_number ? (uint32_t)strtoul(name + sizeof before - 1, NULL, 10) : 0;
    write_number(again, *number);
    return strcmp(again, name) == 0;
}

uint32_t ep_merge_threads_find(struct ep_merge *merge, const struct ep_image *image,
                               const struct ep_thread_cell *thread)
{
    uint32_t name = find_name(merge, image, thread);
    if (name == EP_MAP_NONE)
        return EP_MAP_NONE;
    size_t count = merge->threads.count;
    uint32_t index =
        ep_merge_table_find(&merge->threads, sizeof(struct ep_merge_thread), ep_merge_key(name, 0));
    if (index == EP_MAP_NONE)
        return EP_MAP_NONE;
    struct ep_merge_thread *found = ep_merge_thread(merge, index);
    if (index == count) {
        found->name = name;
        found->root = EP_MAP_NONE;
        found->is_named = !tells_number(ep_merge_name(merge, name)->text, &found->number);
        if (found->is_named)
            found->number = thread->number;
    }
    if (found->is_named && thread->number < found->number)
        found->number = thread->number;
    return index;
}
