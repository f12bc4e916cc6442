#include "check.h"

#include <eprof.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "told.h"

/* Times are as measured: the cost of the probes is not subtracted. */
static const char *const report_format = "csv:threads:raw";

static int compare(const struct rows *library, const struct ledger *ledger, bool by_thread,
                   enum rows_measure measure, char *why, size_t bytes)
{
    struct rows expected = {.at = NULL};
    ledger_rows(ledger, by_thread, &expected);
    int result = rows_compare(library, &expected, measure, why, bytes);
    rows_free(&expected);
    return result;
}

static int check_snapshot(const struct ledger *ledger, bool by_thread, enum rows_measure measure,
                          char *why, size_t bytes)
{
    struct rows library = {.at = NULL};
    snprintf(why, bytes, "there is no snapshot to be had");
    int result =
        told_by_snapshot(by_thread ? eprof_snapshot_take_threads : eprof_snapshot_take, &library);
    if (result == 0)
        result = compare(&library, ledger, by_thread, measure, why, bytes);
    rows_free(&library);
    return result;
}

int check_snapshots(const struct ledger *ledger, enum rows_measure measure, char *why, size_t bytes)
{
    if (check_snapshot(ledger, true, measure, why, bytes) != 0)
        return -1;
    return check_snapshot(ledger, false, measure, why, bytes);
}

int check_report(const struct ledger *ledger, enum rows_measure measure, char *why, size_t bytes)
{
    struct rows library = {.at = NULL};
    snprintf(why, bytes, "the report cannot be read");
    int result = told_by_report(report_format, &library);
    if (result == 0)
        result = compare(&library, ledger, true, measure, why, bytes);
    rows_free(&library);
    return result;
}

int check_file(const struct ledger *ledger, enum rows_measure measure, const char *command,
               char *why, size_t bytes)
{
    struct rows library = {.at = NULL};
    int result = eprof_save("saved");
    snprintf(why, bytes, "saving: %s", strerror(errno));
    if (result == 0) {
        snprintf(why, bytes, "the file cannot be read");
        result = told_by_file(command, "saved", report_format, &library);
    }
    if (result == 0)
        result = compare(&library, ledger, true, measure, why, bytes);
    rows_free(&library);
    return result;
}
