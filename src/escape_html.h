/*
 * escape_html.h - text of an html page, and of its attributes between double quotes
 */
#ifndef EP_ESCAPE_HTML_H
#define EP_ESCAPE_HTML_H

#include "output.h"

/* What a terminal would not show as it is, a page does not either: \xNN, as escape_name.h has
 * it. So a name cannot look like another, nor turn the line that it is in. */
void ep_escape_html(struct ep_output *out, const char *text);

#endif /* EP_ESCAPE_HTML_H */
