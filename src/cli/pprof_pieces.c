#include "pprof_pieces.h"

#include <errno.h>
#include <stdlib.h>

void ep_pprof_pieces_open(struct ep_pprof_pieces *pieces, struct ep_output *out)
{
    *pieces = (struct ep_pprof_pieces){.out = out};
    ep_gzip_open(&pieces->gzip, out);
}

static bool make_room(struct ep_pprof_pieces *pieces, size_t bytes)
{
    if (bytes <= pieces->room)
        return true;
    uint8_t *larger = realloc(pieces->bytes, bytes);
    if (!larger) {
        ep_output_fail(pieces->out, ENOMEM);
        return false;
    }
    pieces->bytes = larger;
    pieces->room = bytes;
    return true;
}

void ep_pprof_pieces_write(struct ep_pprof_pieces *pieces, const Ep__Pprof__Profile *piece)
{
    if (pieces->out->error || !make_room(pieces, ep__pprof__profile__get_packed_size(piece)))
        return;
    size_t bytes = ep__pprof__profile__pack(piece, pieces->bytes);
    ep_gzip_bytes(&pieces->gzip, pieces->bytes, bytes);
}

void ep_pprof_pieces_close(struct ep_pprof_pieces *pieces)
{
    ep_gzip_close(&pieces->gzip);
    free(pieces->bytes);
}
