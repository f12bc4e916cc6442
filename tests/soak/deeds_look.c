/* Snapshots and reports while others record. They need no moment, since they do not change
 * anything. */
#include <eprof.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "deeds.h"
#include "moment.h"
#include "told.h"

/* Except if forks need moments alone (FORKS_ALONE). */
static void begin(void)
{
    if (FORKS_ALONE)
        moment_begin();
}

static void end(void)
{
    if (FORKS_ALONE)
        moment_end();
}

static void check_row(struct soak_worker *worker, const struct row *row)
{
    if (row->errors || row->timed > row->calls || row->self_ns > row->total_ns ||
        strncmp(row->key, "diagnostic", strlen("diagnostic")) == 0)
        soak_fail(worker, "in the midst%s, on %s, %s: calls %llu, timed %llu, errors %llu",
                  moment_is_storm() ? " of a storm" : "", eprof_source_name(), row->key,
                  (unsigned long long)row->calls, (unsigned long long)row->timed,
                  (unsigned long long)row->errors);
}

void deed_snapshot(struct soak_worker *worker)
{
    struct rows rows = {.at = NULL};
    bool by_thread = deed_dice(worker, 2);
    begin();
    if (told_by_snapshot(by_thread ? eprof_snapshot_take_threads : eprof_snapshot_take, &rows) != 0)
        soak_fail(worker, "there is no snapshot to be had");
    for (size_t i = 0; i < rows.count; i++)
        check_row(worker, &rows.at[i]);
    rows_free(&rows);
    end();
}

void deed_report(struct soak_worker *worker)
{
    static const char *const formats[] = {"table",       "tree",        "csv",        "json",
                                          "html",        "folded",      "speedscope", "callgrind",
                                          "openmetrics", "csv:threads", "tree:ticks", "table:raw"};
    const char *format = formats[deed_dice(worker, sizeof formats / sizeof formats[0])];
    begin();
    FILE *nowhere = fopen("/dev/null", "w");
    if (!nowhere || eprof_report(nowhere, format) != 0)
        soak_fail(worker, "the report %s: %s", format, strerror(errno));
    if (nowhere)
        fclose(nowhere);
    end();
}

/* Half of the saves go to the same path, where the last one stays. */
void deed_save(struct soak_worker *worker)
{
    char path[24] = "saved";
    if (deed_dice(worker, 2))
        snprintf(path, sizeof path, "saved.%d", worker->number);
    begin();
    if (eprof_save(path) != 0)
        soak_fail(worker, "saving to %s: %s", path, strerror(errno));
    end();
}
