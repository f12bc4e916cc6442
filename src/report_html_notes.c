#include "report_html_notes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "escape_html.h"
#include "report_trouble.h"
#include "text_output.h"

/* The lines as text; to be freed. NULL and errno. */
static char *lines_of(const struct eprof_snapshot *snapshot)
{
    struct ep_text_output lines;
    if (ep_text_output_open(&lines) != 0)
        return NULL;
    ep_report_trouble_write(&lines.out, snapshot);
    return ep_text_output_close(&lines);
}

void ep_report_html_notes(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    char *lines = lines_of(snapshot), *rest;
    if (!lines) {
        ep_output_fail(out, errno);
        return;
    }
    ep_output_text(out, "<ul class=\"notes\">\n");
    for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        ep_output_text(out, "<li>");
        ep_escape_html(out, line);
        ep_output_text(out, "</li>\n");
    }
    ep_output_text(out, "</ul>\n");
    free(lines);
}
