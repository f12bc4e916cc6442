#include "fingerprint_table.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"

/* The key of the row, or the free one that it would have: 0 is no key. */
static uint64_t key_of(const struct ep_fingerprint_table *table, size_t bytes, struct ep_wide print)
{
    for (uint64_t key = print.low;; key++) {
        key += key == 0;
        uint32_t row = ep_map_find(&table->index, key);
        if (row == EP_MAP_NONE)
            return key;
        struct ep_wide there;
        memcpy(&there, (const char *)table->rows + row * bytes, sizeof there);
        if (there.low == print.low && there.high == print.high)
            return key;
    }
}

uint32_t ep_fingerprint_table_find(struct ep_fingerprint_table *table, size_t bytes,
                                   struct ep_wide print)
{
    uint64_t key = key_of(table, bytes, print);
    uint32_t found = ep_map_find(&table->index, key);
    if (found != EP_MAP_NONE)
        return found;
    void *grown = ep_array_room(table->rows, table->count, &table->room, bytes);
    if (!grown)
        return EP_MAP_NONE;
    table->rows = grown;
    if (ep_map_reserve(&table->index, table->count + 1) != 0)
        return EP_MAP_NONE;
    char *row = (char *)table->rows + table->count * bytes;
    memset(row, 0, bytes);
    memcpy(row, &print, sizeof print);
    ep_map_add(&table->index, key, (uint32_t)table->count);
    return (uint32_t)table->count++;
}

void ep_fingerprint_table_clear(struct ep_fingerprint_table *table)
{
    ep_map_clear(&table->index);
    table->count = 0;
}

void ep_fingerprint_table_free(struct ep_fingerprint_table *table)
{
    free(table->rows);
    ep_map_free(&table->index);
    *table = (struct ep_fingerprint_table){.rows = NULL};
}
