/*
 * chain.h - a line of names, each the caller or the callee of the one before: "a > b > c"
 */
#ifndef EP_REPORT_CHAIN_H
#define EP_REPORT_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "eprof.h"

enum {
    EP_REPORT_CHAIN_MOST = 6, /* names in one line */
    EP_REPORT_CHAIN_FIRST = 4 /* if there are more: so many, a gap, and the last one */
};

struct ep_report_chain_name {
    const struct eprof_row *row;
    bool is_located; /* shown with file and line */
};

/* All zero: empty. */
struct ep_report_chain {
    struct ep_report_chain_name names[EP_REPORT_CHAIN_MOST], last;
    size_t count;
};

/* The row must live until the text is made. */
void ep_report_chain_add(struct ep_report_chain *chain, const struct eprof_row *row,
                         bool is_located);

/* The names with `between` between them, unescaped, to be freed; several without their parameters.
 * NULL and errno. */
char *ep_report_chain_text(const struct ep_report_chain *chain, const char *between,
                           const char *gap);

#endif /* EP_REPORT_CHAIN_H */
