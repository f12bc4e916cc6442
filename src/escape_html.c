#include "escape_html.h"

#include <string.h>

#include "escape.h"
#include "escape_name.h"

/* The five that mean something in text or in an attribute (HTML Living Standard, 13.1.2). */
static size_t plain_in_html(const char *text)
{
    return strchr("&<>\"'", *text) ? 0 : ep_escape_name_plain(text);
}

static void write_html(struct ep_output *out, char byte)
{
    if (strchr("&<>\"'", byte))
        ep_output_print(out, "&#%d;", byte);
    else
        ep_escape_hex(out, byte);
}

static const struct ep_escape html_escape = {plain_in_html, write_html};

void ep_escape_html(struct ep_output *out, const char *text)
{
    ep_escape_write(out, &html_escape, text, SIZE_MAX);
}
