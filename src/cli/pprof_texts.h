/*
 * pprof_texts.h - the texts of a profile for pprof, each of which stands in it once
 *
 * They are written as names are for a terminal (escape_name.h): pprof passes on to it whatever they
 * have, and the format itself takes no text that is not UTF-8.
 */
#ifndef EP_CLI_PPROF_TEXTS_H
#define EP_CLI_PPROF_TEXTS_H

#include "merge_names.h"
#include "pprof_pieces.h"

struct ep_pprof_texts {
    struct ep_output *out; /* keeps the first error */
    struct ep_merge_names names;
};

void ep_pprof_texts_open(struct ep_pprof_texts *texts, struct ep_output *out);
/* What stands for the text: 0 is the empty one. */
int64_t ep_pprof_texts_find(struct ep_pprof_texts *texts, const char *text);
int64_t ep_pprof_texts_find_bytes(struct ep_pprof_texts *texts, const char *text, size_t bytes);
/* Writes all, in their order. */
void ep_pprof_texts_write(const struct ep_pprof_texts *texts, struct ep_pprof_pieces *pieces);
void ep_pprof_texts_close(struct ep_pprof_texts *texts);

#endif /* EP_CLI_PPROF_TEXTS_H */
