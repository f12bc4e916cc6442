#include "gzip.h"

#include <errno.h>
#include <limits.h>

/* For zlib's `windowBits` and `memLevel`, as its manual has them: the largest window, and 16 more
 * for a gzip header, which without a call of deflateSetHeader() tells no time: the same profile is
 * the same file. */
enum { WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8 };

void ep_gzip_open(struct ep_gzip *gzip, struct ep_output *out)
{
    *gzip = (struct ep_gzip){.out = out};
    if (deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        ep_output_fail(out, ENOMEM);
}

/* Until zlib has taken all that it was given and, at the end, has given all that it has. */
static void compress_all(struct ep_gzip *gzip, int flush)
{
    unsigned char chunk[16 * 1024];
    z_stream *stream = &gzip->stream;
    do {
        stream->next_out = chunk;
        stream->avail_out = sizeof chunk;
        deflate(stream, flush); /* which fails of a stream only that was never begun */
        ep_output_bytes(gzip->out, (const char *)chunk, sizeof chunk - stream->avail_out);
    } while (stream->avail_out == 0);
}

void ep_gzip_bytes(struct ep_gzip *gzip, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    while (count > 0 && !gzip->out->error) {
        unsigned part = count < UINT_MAX ? (unsigned)count : UINT_MAX;
        gzip->stream.next_in = at;
        gzip->stream.avail_in = part;
        compress_all(gzip, Z_NO_FLUSH);
        at += part;
        count -= part;
    }
}

void ep_gzip_close(struct ep_gzip *gzip)
{
    if (!gzip->out->error)
        compress_all(gzip, Z_FINISH);
    deflateEnd(&gzip->stream); /* one that was never begun it refuses */
}
