/* Only with EPROF_PPROF, which needs zlib as well. */
#include <string.h>
#include <unistd.h>
#define ZLIB_CONST /* zlib does not change its input */
#include <zlib.h>

#include "serve/serve.h"

/* A weight of 0 refuses a coding (RFC 9110, 12.5.3). */
bool ep_serve_gzip_is_accepted(const char *codings)
{
    const char *gzip = codings ? strcasestr(codings, "gzip") : NULL;
    double weight;
    if (!gzip)
        return false;
    return sscanf(gzip + strlen("gzip"), " ; q = %lf", &weight) != 1 || weight > 0;
}

/* Its level is the fastest: a higher one takes twice the time for a fifth less. */
static int compress_stream(FILE *from, FILE *to)
{
    enum { GZIP_WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8 };
    unsigned char plain[16 * 1024], packed[16 * 1024];
    z_stream stream = {.zalloc = NULL};
    int flush = Z_NO_FLUSH;
    if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW_BITS, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return -1;
    while (flush != Z_FINISH) {
        stream.avail_in = (unsigned)fread(plain, 1, sizeof plain, from);
        stream.next_in = plain;
        flush = stream.avail_in < sizeof plain ? Z_FINISH : Z_NO_FLUSH;
        do {
            stream.next_out = packed;
            stream.avail_out = sizeof packed;
            deflate(&stream, flush); /* fails only if the stream was not initialized */
            fwrite(packed, 1, sizeof packed - stream.avail_out, to);
        } while (stream.avail_out == 0);
    }
    deflateEnd(&stream);
    return fflush(to) == 0 && !ferror(to) && !ferror(from) ? 0 : -1;
}

/* The server has the file of the answer open, so it gets the compressed bytes as its contents. */
int ep_serve_gzip(FILE *answer, bool *is_gzip)
{
    FILE *packed = ep_serve_temporary();
    rewind(answer);
    *is_gzip = packed && compress_stream(answer, packed) == 0;
    int result = 0;
    if (*is_gzip) {
        rewind(answer);
        result = ftruncate(fileno(answer), 0);
        if (result == 0)
            result = ep_serve_temporary_copy(packed, answer);
    }
    if (packed)
        fclose(packed);
    return result;
}
