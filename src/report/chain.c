#include "report/chain.h"

#include <string.h>

#include "base/output.h"
#include "report/format.h"
#include "snapshot/snapshot.h"

void ep_report_chain_add(struct ep_report_chain *chain, const struct eprof_row *row,
                         bool is_located)
{
    chain->last = (struct ep_report_chain_name){row, is_located};
    if (chain->count < EP_REPORT_CHAIN_MOST)
        chain->names[chain->count] = chain->last;
    chain->count++;
}

static void write_name(struct ep_output *out, const struct ep_report_chain *chain,
                       const struct ep_report_chain_name *name)
{
    size_t whole = strlen(name->row->name);
    ep_output_bytes(out, name->row->name,
                    chain->count == 1 ? whole : ep_rows_bytes_without_parameters(name->row));
    if (name->is_located && *name->row->file)
        ep_output_print(out, " (%s:%u)", ep_report_format_label_base_name(name->row->file),
                        name->row->line);
}

char *ep_report_chain_text(const struct ep_report_chain *chain, const char *between,
                           const char *gap)
{
    struct ep_text_output text;
    bool is_cut = chain->count > EP_REPORT_CHAIN_MOST;
    size_t shown = is_cut ? EP_REPORT_CHAIN_FIRST : chain->count;
    if (ep_output_text_open(&text) != 0)
        return NULL;
    for (size_t i = 0; i < shown; i++) {
        ep_output_text(&text.out, i ? between : "");
        write_name(&text.out, chain, &chain->names[i]);
    }
    if (is_cut) {
        ep_output_print(&text.out, "%s%s %zu more%s", between, gap, chain->count - shown - 1,
                        between);
        write_name(&text.out, chain, &chain->last);
    }
    return ep_output_text_close(&text);
}
