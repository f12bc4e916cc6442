#include "report_html_name.h"

#include <inttypes.h>

#include "escape_html.h"

void ep_report_html_text(struct ep_output *out, const char *name)
{
    ep_output_text(out, *name ? "<bdi>" : "<small>(empty)</small>");
    ep_escape_html(out, name);
    ep_output_text(out, *name ? "</bdi>" : "");
}

void ep_report_html_bare_text(struct ep_output *out, const char *name)
{
    if (*name)
        ep_escape_html(out, name);
    else
        ep_output_text(out, "(empty)");
}

static void write_badge(struct ep_output *out, uint64_t count, const char *what)
{
    if (count)
        ep_output_print(out, " <em>%" PRIu64 " %s</em>", count, what);
}

void ep_report_html_name(struct ep_output *out, const struct eprof_row *row, bool is_ambiguous)
{
    ep_report_html_text(out, row->name);
    if (is_ambiguous && *row->file) {
        ep_output_text(out, " <small>");
        ep_escape_html(out, row->file);
        ep_output_print(out, ":%u</small>", row->line);
    }
    write_badge(out, row->open, "open");
    write_badge(out, row->errors, row->errors == 1 ? "error" : "errors");
}
