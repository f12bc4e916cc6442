/*
 * pprof_pieces.h - a profile for pprof, written piece by piece
 *
 * Messages one after the other are one message, in which what may be repeated is one list
 * (protobuf.dev/programming-guides/encoding, "Last One Wins"). So a profile never needs to be in
 * memory as a whole.
 */
#ifndef EP_CLI_PPROF_PIECES_H
#define EP_CLI_PPROF_PIECES_H

#include <pprof.pb-c.h> /* made of pprof.proto */

#include "gzip.h"

struct ep_pprof_pieces {
    struct ep_output *out; /* keeps the first error of all */
    struct ep_gzip gzip;
    uint8_t *bytes; /* of one piece */
    size_t room;
};

void ep_pprof_pieces_open(struct ep_pprof_pieces *pieces, struct ep_output *out);
void ep_pprof_pieces_write(struct ep_pprof_pieces *pieces, const Ep__Pprof__Profile *piece);
void ep_pprof_pieces_close(struct ep_pprof_pieces *pieces);

#endif /* EP_CLI_PPROF_PIECES_H */
