#include "merge_table.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"

uint32_t ep_merge_table_find(struct ep_merge_table *table, size_t bytes, uint64_t key)
{
    uint32_t row = ep_map_find(&table->index, key);
    if (row != EP_MAP_NONE)
        return row;
    void *grown = ep_array_room(table->rows, table->count, &table->room, bytes);
    if (!grown)
        return EP_MAP_NONE;
    table->rows = grown;
    if (ep_map_reserve(&table->index, table->count + 1) != 0)
        return EP_MAP_NONE;
    memset((char *)table->rows + table->count * bytes, 0, bytes);
    row = (uint32_t)table->count++;
    ep_map_add(&table->index, key, row);
    return row;
}

void ep_merge_table_free(struct ep_merge_table *table)
{
    free(table->rows);
    ep_map_free(&table->index);
}
