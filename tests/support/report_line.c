#include "report_line.h"

const char *line_of_text(const char *text, const char *part)
{
    static char line[1024];
    const char *found = strstr(text, part);
    if (!found)
        return "no line";
    while (found > text && found[-1] != '\n')
        found--;
    snprintf(line, sizeof line, "%.*s", (int)strcspn(found, "\n"), found);
    return line;
}

const char *report_line(const char *format, const char *part)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    assert_return_code(eprof_report(out, format), errno);
    fclose(out);
    const char *line = line_of_text(text, part);
    free(text);
    return line;
}

void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in \"%s\"", part, text);
}
