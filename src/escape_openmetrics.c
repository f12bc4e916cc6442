#include "escape_openmetrics.h"

#include "escape.h"
#include "utf8.h"

static size_t plain_in_openmetrics(const char *text)
{
    return *text == '"' || *text == '\\' || *text == '\n' ? 0 : ep_utf8_length(text);
}

static void write_openmetrics(struct ep_output *out, char byte)
{
    if (byte == '"' || byte == '\\')
        ep_output_print(out, "\\%c", byte);
    else if (byte == '\n')
        ep_output_text(out, "\\n");
    else
        ep_output_print(out, "\\\\x%02x", (unsigned)(unsigned char)byte);
}

static const struct ep_escape openmetrics_escape = {plain_in_openmetrics, write_openmetrics};

void ep_escape_openmetrics(struct ep_output *out, const char *text)
{
    ep_output_text(out, "\"");
    ep_escape_write(out, &openmetrics_escape, text, SIZE_MAX);
    ep_output_text(out, "\"");
}
