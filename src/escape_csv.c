#include "escape_csv.h"

#include <string.h>

#include "escape.h"
#include "utf8.h"

static size_t plain_in_csv(const char *text)
{
    return *text == '"' ? 0 : ep_utf8_length(text);
}

static void write_csv(struct ep_output *out, char byte)
{
    if (byte == '"')
        ep_output_text(out, "\"\"");
    else
        ep_escape_hex(out, byte);
}

static const struct ep_escape csv_escape = {plain_in_csv, write_csv};

void ep_escape_csv(struct ep_output *out, const char *field)
{
    const char *quote = strpbrk(field, "\",\r\n") ? "\"" : "";
    ep_output_text(out, quote);
    ep_escape_write(out, &csv_escape, field, SIZE_MAX);
    ep_output_text(out, quote);
}
