#include "escape.h"

static size_t plain_run(const struct ep_escape *escape, const char *text, size_t most)
{
    size_t run = 0;
    for (size_t length; run < most && (length = escape->plain(text + run)) != 0;)
        run += length;
    return run;
}

void ep_escape_write(struct ep_output *out, const struct ep_escape *escape, const char *text,
                     size_t most)
{
    for (;;) {
        size_t run = plain_run(escape, text, most);
        ep_output_bytes(out, text, run);
        text += run;
        most -= run;
        if (!*text || !most)
            return;
        escape->write(out, *text++);
        most--;
    }
}

bool ep_escape_is_control(char byte)
{
    return (unsigned char)byte < 0x20 || byte == 0x7F;
}

void ep_escape_hex(struct ep_output *out, char byte)
{
    ep_output_print(out, "\\x%02x", (unsigned)(unsigned char)byte);
}
