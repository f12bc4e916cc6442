#include "figures.h"

const char *figures_text(const char *label)
{
    static char text[256];
    struct eprof_row row;
    if (take_rows(eprof_snapshot_take, "instance", label, NULL, &row) == 0)
        return "no row";
    snprintf(text, sizeof text,
             "calls %" PRIu64 ", timed %" PRIu64 ", errors %" PRIu64 ", open %" PRIu64
             ", total %" PRIu64,
             row.calls, row.timed, row.errors, row.open, row.total_ns);
    return text;
}

const char *diagnostic_text(void)
{
    static char text[256];
    size_t length = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    text[0] = '\0';
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (strcmp(row.kind, "diagnostic") == 0 && length < sizeof text)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %" PRIu64,
                                       length ? ", " : "", row.name, row.calls);
    }
    eprof_snapshot_free(snapshot);
    return text;
}
