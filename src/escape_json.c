#include "escape_json.h"

#include "escape.h"
#include "utf8.h"

static size_t plain_in_json(const char *text)
{
    return ep_escape_is_control(*text) || *text == '"' || *text == '\\' ? 0 : ep_utf8_length(text);
}

static void write_json(struct ep_output *out, char byte)
{
    if (byte == '"' || byte == '\\')
        ep_output_print(out, "\\%c", byte);
    else if (ep_escape_is_control(byte))
        ep_output_print(out, "\\u%04x", (unsigned)byte);
    else
        ep_output_print(out, "\\\\x%02x", (unsigned)(unsigned char)byte);
}

static const struct ep_escape json_escape = {plain_in_json, write_json};

void ep_escape_json(struct ep_output *out, const char *text)
{
    ep_output_text(out, "\"");
    ep_escape_write(out, &json_escape, text, SIZE_MAX);
    ep_output_text(out, "\"");
}
