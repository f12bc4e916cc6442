/*
 * unwind_table.h - .eh_frame_hdr, the table of a module's functions that unwinding searches (Linux
 * Standard Base Core 5.0, 10.6.2)
 */
#ifndef EP_AUTO_UNWIND_TABLE_H
#define EP_AUTO_UNWIND_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/* In the form that all linkers write: numbers of 4 bytes, and a table sorted for binary search,
 * with addresses relative to its header. */
struct ep_unwind_table {
    unsigned char version, frames_encoding, count_encoding, row_encoding;
    int32_t frames;
    uint32_t count;
    struct {
        int32_t function, frame;
    } rows[];
};

static inline bool ep_unwind_table_is_known(const struct ep_unwind_table *table)
{
    enum { UNSIGNED_4 = 0x03, SIGNED_4_RELATIVE_TO_CODE = 0x1b, SIGNED_4_RELATIVE_TO_TABLE = 0x3b };
    return table->version == 1 && table->frames_encoding == SIGNED_4_RELATIVE_TO_CODE &&
           table->count_encoding == UNSIGNED_4 && table->row_encoding == SIGNED_4_RELATIVE_TO_TABLE;
}

#endif /* EP_AUTO_UNWIND_TABLE_H */
