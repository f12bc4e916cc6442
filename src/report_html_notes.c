#include "report_html_notes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "escape_html.h"
#include "report_trouble.h"

/* The lines as text; to be freed. NULL: no memory. */
static char *lines_of(const struct eprof_snapshot *snapshot)
{
    char *text = NULL;
    size_t bytes;
    struct ep_output lines;
    FILE *stream = open_memstream(&text, &bytes);
    if (!stream)
        return NULL;
    ep_output_open(&lines, stream);
    ep_report_trouble_write(&lines, snapshot);
    bool is_whole = ep_output_close(&lines) == 0;
    if (fclose(stream) == 0 && is_whole)
        return text;
    free(text);
    return NULL;
}

void ep_report_html_notes(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    char *lines = lines_of(snapshot), *rest;
    if (!lines) {
        ep_output_fail(out, ENOMEM);
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
