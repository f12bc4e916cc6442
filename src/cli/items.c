#include "items.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* A backslash that escapes nothing, since nothing follows, would take what follows now. */
static bool ends_in_a_plain_backslash(const char *items)
{
    bool is_escaping = false;
    for (const char *c = items; *c; c++)
        is_escaping = *c == '\\' && !is_escaping;
    return is_escaping;
}

static void write_value(FILE *text, const char *name, const char *value)
{
    fprintf(text, "%s=", name);
    for (const char *c = value; *c; c++) {
        if (*c == ',' || *c == '\\')
            fputc('\\', text);
        fputc(*c, text);
    }
}

char *ep_items_with(const char *before, const char *image, const char *source)
{
    char *items;
    size_t bytes;
    FILE *text = open_memstream(&items, &bytes);
    if (!text)
        return NULL;
    if (before && *before)
        fprintf(text, "%s%s,", before, ends_in_a_plain_backslash(before) ? "\\" : "");
    write_value(text, "image", image);
    if (source) {
        fputc(',', text);
        write_value(text, "source", source);
    }
    if (fclose(text) == 0)
        return items;
    free(items);
    return NULL;
}
