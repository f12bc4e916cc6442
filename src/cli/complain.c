#include "complain.h"

#include <stdarg.h>
#include <stdlib.h>

#include "escape_name.h"
#include "output.h"

/* NULL: no memory. */
static char *formatted(const char *format, va_list values)
{
    char *text;
    return vasprintf(&text, format, values) < 0 ? NULL : text;
}

void ep_complain(const char *name, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *text = formatted(format, values);
    va_end(values);

    struct ep_output out;
    ep_output_open(&out, stderr);
    ep_output_text(&out, "eprof: ");
    if (name) {
        ep_escape_name(&out, name);
        ep_output_text(&out, ": ");
    }
    ep_escape_name(&out, text ? text : "no memory");
    ep_output_text(&out, "\n");
    ep_output_close(&out); /* there is nobody else to tell */
    free(text);
}

int ep_complain_of_memory(void)
{
    ep_complain(NULL, "no memory");
    return -1;
}
