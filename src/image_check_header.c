#include <stdio.h>
#include <string.h>

#include "image_check.h"

/* What a transfer as text makes of "\r\n": the reason why it is in there. */
static bool is_mangled(const char *bytes, size_t count)
{
    return (count >= 6 && memcmp(bytes, "eprof\n", 6) == 0) ||
           (count >= 7 && memcmp(bytes, "eprof\r\r", 7) == 0) ||
           (count >= 7 && memcmp(bytes, "eprof\r\n", 7) == 0);
}

/* Lives until the next call. */
static const char *say_version(uint32_t version)
{
    static char text[96];
    snprintf(text, sizeof text,
             "version %u of the format, and this eprof knows %d to %d: use a %s eprof",
             (unsigned)version, EP_FORMAT_OLDEST, EP_FORMAT_VERSION,
             version > EP_FORMAT_VERSION ? "newer" : "matching");
    return text;
}

static const char *check_format(const struct ep_identity_cell *identity)
{
    if (identity->byte_order == __builtin_bswap32(0x01020304))
        return "written on a machine of the other byte order: read it on one of that";
    if (identity->byte_order != 0x01020304)
        return "damaged: a byte order that there is not";
    if (identity->version < EP_FORMAT_OLDEST || identity->version > EP_FORMAT_VERSION)
        return say_version(identity->version);
    if (identity->cell_bytes != EP_CELL_BYTES || identity->header_cells != EP_HEADER_CELLS)
        return "damaged: cells of a size that this version of the format does not have";
    if (identity->state < EP_STATE_RUNNING || identity->state > EP_STATE_SAVED)
        return "damaged: a state that there is not";
    return NULL;
}

const char *ep_image_check_header(const union ep_cell *header, size_t bytes)
{
    const struct ep_identity_cell *identity = &header[EP_CELL_IDENTITY].identity;
    size_t there = bytes < sizeof identity->magic ? bytes : sizeof identity->magic;
    if (bytes == 0)
        return "empty: its program wrote nothing into it";
    if (memcmp(identity->magic, EP_IMAGE_MAGIC, there) != 0)
        return is_mangled(identity->magic, there)
                   ? "mangled: it was transferred as text, which has to be as binary"
                   : "not an eprof image";
    if (bytes < sizeof *identity)
        return "cut off: not even its header is whole";
    const char *fault = check_format(identity);
    if (fault)
        return fault;
    if (bytes < EP_HEADER_CELLS * sizeof *header)
        return "cut off: not even its header is whole";
    if (header[EP_CELL_ROOT].root.cells_used < EP_HEADER_CELLS)
        return "damaged: a count of cells that cannot be";
    return NULL;
}

/* A saved image is whole, also one of a process whose file was cut short. */
bool ep_image_check_is_cut_short(const union ep_cell *header)
{
    const struct ep_identity_cell *identity = &header[EP_CELL_IDENTITY].identity;
    return identity->cut_short && identity->state != EP_STATE_SAVED;
}
