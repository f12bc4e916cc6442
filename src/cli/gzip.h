/*
 * gzip.h - bytes that are compressed on their way to an output
 */
#ifndef EP_CLI_GZIP_H
#define EP_CLI_GZIP_H

#define ZLIB_CONST /* what is compressed stays as it is */
#include <zlib.h>

#include "output.h"

struct ep_gzip {
    struct ep_output *out; /* keeps the first error, this one's too */
    z_stream stream;
};

void ep_gzip_open(struct ep_gzip *gzip, struct ep_output *out);
void ep_gzip_bytes(struct ep_gzip *gzip, const void *bytes, size_t count);
void ep_gzip_close(struct ep_gzip *gzip);

#endif /* EP_CLI_GZIP_H */
