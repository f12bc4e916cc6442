/* A profile of some seconds: by how much the figures of each process have grown between two
 * moments. The figures of the first one are kept in a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/platform.h"
#include "cli/pprof/pprof.h"
#include "serve/serve.h"
#include "snapshot/series.h"

/* ---- the file: a moment, then a record for each process with its rows ---- */

struct moment {
    uint64_t monotonic_ns, realtime_ns;
};

struct record {
    struct ep_wide key; /* of the process */
    uint64_t reset_generation;
    uint64_t count; /* of rows; UNREADABLE: they are not known */
};

#define UNREADABLE UINT64_MAX

struct had {
    struct ep_wide print; /* of the row (snapshot/series.h) */
    uint64_t calls, total_ns, self_ns;
};

struct place {
    struct ep_wide key;
    uint64_t offset; /* of its record */
    bool is_known, is_unreadable;
};

static struct moment now(void)
{
    return (struct moment){ep_platform_monotonic_ns(), ep_platform_clock_ns(CLOCK_REALTIME)};
}

static bool write_bytes(FILE *to, const void *from, size_t bytes)
{
    return fwrite(from, bytes, 1, to) == 1;
}

static bool read_bytes(FILE *from, void *to, size_t bytes)
{
    if (fread(to, bytes, 1, from) == 1)
        return true;
    errno = EIO;
    return false;
}

/* ---- the rows of a profile: those of scopes and instances, then those of values ---- */

static size_t count_rows(const struct eprof_snapshot *snapshot)
{
    return snapshot->diagnostic_first + snapshot->value_count;
}

static bool is_value(const struct eprof_snapshot *snapshot, size_t i)
{
    return i >= snapshot->diagnostic_first;
}

static struct eprof_row *row_at(const struct eprof_snapshot *snapshot, size_t i)
{
    return is_value(snapshot, i) ? &snapshot->values[i - snapshot->diagnostic_first]
                                 : &snapshot->rows[i];
}

/* `prints`: the identities of the rows that are no values. */
static struct ep_wide print_at(const struct eprof_snapshot *snapshot, const struct ep_wide *prints,
                               size_t i)
{
    return is_value(snapshot, i) ? ep_series_value_identity(row_at(snapshot, i)) : prints[i];
}

/* ---- the first moment ---- */

static bool write_rows(FILE *to, const struct ep_serve_image *image,
                       const struct ep_serve_sight *sight)
{
    const struct eprof_snapshot *snapshot = sight->snapshot;
    struct record record = {ep_serve_images_key(image), sight->reset_generation,
                            count_rows(snapshot)};
    struct ep_wide *prints = ep_series_identities(snapshot);
    bool is_written = prints && write_bytes(to, &record, sizeof record);
    for (size_t i = 0; is_written && i < count_rows(snapshot); i++) {
        const struct eprof_row *row = row_at(snapshot, i);
        struct had had = {print_at(snapshot, prints, i), row->calls, row->total_ns, row->self_ns};
        is_written = write_bytes(to, &had, sizeof had);
    }
    free(prints);
    return is_written;
}

static bool write_unreadable(FILE *to, const struct ep_serve_image *image)
{
    struct record record = {.key = ep_serve_images_key(image), .count = UNREADABLE};
    return write_bytes(to, &record, sizeof record);
}

static int begin(struct ep_serve_task *task, const struct ep_serve_images *images, char *why)
{
    struct moment moment = now();
    bool is_of_one = *task->route->process;
    bool is_written = write_bytes(task->answer, &moment, sizeof moment);
    for (size_t i = 0; i < images->count && is_written; i++) {
        struct ep_serve_sight sight;
        int status =
            images->at[i].fault
                ? 500
                : ep_serve_images_take(task, &images->at[i],
                                       (struct ep_snapshot_options){.no_tops = true}, &sight, why);
        if (status != 200 && is_of_one)
            return status;
        if (status != 200) {
            is_written = write_unreadable(task->answer, &images->at[i]);
            continue;
        }
        is_written = write_rows(task->answer, &images->at[i], &sight);
        ep_snapshot_free(sight.snapshot);
    }
    if (is_written)
        return 200;
    snprintf(why, EP_SERVE_WHY_BYTES, "the figures cannot be kept: %s", strerror(errno));
    return 500;
}

/* ---- the second moment ---- */

static bool find_places(FILE *before, struct ep_fingerprint_table *places)
{
    struct record record;
    for (off_t at = ftello(before); fread(&record, sizeof record, 1, before) == 1;
         at = ftello(before)) {
        struct place *place = ep_series_row(places, sizeof *place, record.key);
        if (!place)
            return false;
        place->offset = (uint64_t)at;
        place->is_known = true;
        place->is_unreadable = record.count == UNREADABLE;
        if (place->is_unreadable)
            continue;
        if (fseeko(before, (off_t)(record.count * sizeof(struct had)), SEEK_CUR) != 0)
            return false;
    }
    return true;
}

/* Reads the rows of a process at the first moment; none if it is new, or was reset since then. */
static bool read_rows(FILE *before, struct ep_fingerprint_table *places,
                      const struct ep_serve_image *image, const struct ep_serve_sight *sight,
                      struct ep_fingerprint_table *rows)
{
    struct record record;
    struct had read;
    struct place *place = ep_series_row(places, sizeof *place, ep_serve_images_key(image));
    if (!place || !place->is_known)
        return place != NULL;
    if (fseeko(before, (off_t)place->offset, SEEK_SET) != 0 ||
        !read_bytes(before, &record, sizeof record))
        return false;
    if (record.reset_generation != sight->reset_generation)
        return true;
    for (uint64_t i = 0; i < record.count; i++) {
        struct had *had = read_bytes(before, &read, sizeof read)
                              ? ep_series_row(rows, sizeof *had, read.print)
                              : NULL;
        if (!had)
            return false;
        *had = read;
    }
    return true;
}

/* An estimate may have become smaller. */
static void subtract(uint64_t *figure, uint64_t had)
{
    *figure = *figure > had ? *figure - had : 0;
}

static bool subtract_rows(struct eprof_snapshot *snapshot, struct ep_fingerprint_table *rows)
{
    struct ep_wide *prints = ep_series_identities(snapshot);
    bool is_done = prints != NULL;
    for (size_t i = 0; is_done && i < count_rows(snapshot); i++) {
        struct eprof_row *row = row_at(snapshot, i);
        const struct had *had = /* zeros if it is new */
            ep_series_row(rows, sizeof *had, print_at(snapshot, prints, i));
        is_done = had != NULL;
        if (!had)
            continue;
        subtract(&row->calls, had->calls);
        if (is_value(snapshot, i))
            row->total_ns -= had->total_ns; /* signed */
        else
            subtract(&row->total_ns, had->total_ns);
        subtract(&row->self_ns, had->self_ns);
    }
    free(prints);
    return is_done;
}

struct second {
    struct ep_serve_task *task;
    struct moment first;
    size_t unreadable; /* images, at one of the two moments */
    struct ep_fingerprint_table places;
    struct ep_pprof *pprof;
};

/* Returns the status. */
static int add_growth(struct second *second, const struct ep_serve_image *image, char *why)
{
    struct ep_serve_sight sight;
    struct ep_fingerprint_table rows = {.rows = NULL};
    int status = ep_serve_images_take(second->task, image,
                                      (struct ep_snapshot_options){.no_tops = true}, &sight, why);
    if (status != 200)
        return status;
    if (read_rows(second->task->before, &second->places, image, &sight, &rows) &&
        subtract_rows(sight.snapshot, &rows)) {
        ep_pprof_add(second->pprof, sight.snapshot, image->name);
    } else {
        snprintf(why, EP_SERVE_WHY_BYTES, "the difference cannot be made: %s", strerror(errno));
        status = 500;
    }
    ep_hash_table_free(&rows);
    ep_snapshot_free(sight.snapshot);
    return status;
}

/* What an image has recorded before the first moment must be known, unless the program started
 * later. An image that could not be read at all then had no key but its name. */
static bool has_first_moment(struct second *second, const struct ep_serve_image *image)
{
    struct place *place = ep_series_row(&second->places, sizeof *place, ep_serve_images_key(image));
    bool is_recorded = place && place->is_known && !place->is_unreadable;
    return is_recorded || image->realtime_ns >= second->first.realtime_ns;
}

static int add_all(struct second *second, const struct ep_serve_images *images, char *why)
{
    bool is_of_one = *second->task->route->process;
    for (size_t i = 0; i < images->count; i++) {
        const struct ep_serve_image *image = &images->at[i];
        int status = 500;
        snprintf(why, EP_SERVE_WHY_BYTES, "it could not be read when the profile began");
        if (!image->fault && has_first_moment(second, image))
            status = add_growth(second, image, why);
        if (status != 200 && is_of_one)
            return status;
        second->unreadable += status != 200;
    }
    return 200;
}

static void write_unreadable_count(const struct second *second)
{
    char line[64];
    snprintf(line, sizeof line, "images that could not be read: %zu", second->unreadable);
    if (second->unreadable)
        ep_pprof_comment(second->pprof, line);
}

static int fail(char *why)
{
    snprintf(why, EP_SERVE_WHY_BYTES, "the profile cannot be written: %s", strerror(errno));
    return 500;
}

static int end(struct ep_serve_task *task, const struct ep_serve_images *images, char *why)
{
    struct moment last = now();
    struct second second = {.task = task};
    struct ep_output out;
    rewind(task->before);
    if (!read_bytes(task->before, &second.first, sizeof second.first) ||
        !find_places(task->before, &second.places)) {
        ep_hash_table_free(&second.places);
        return fail(why);
    }
    ep_output_open(&out, task->answer);
    second.pprof = ep_pprof_begin(
        &out, &(struct ep_pprof_head){second.first.realtime_ns,
                                      last.monotonic_ns - second.first.monotonic_ns});
    int status = second.pprof ? add_all(&second, images, why) : fail(why);
    if (second.pprof) {
        write_unreadable_count(&second);
        ep_pprof_end(second.pprof);
    }
    ep_hash_table_free(&second.places);
    task->result->type = EP_SERVE_BYTES;
    if (ep_output_close(&out) != 0 && status == 200)
        status = fail(why);
    return status;
}

int ep_serve_profile(struct ep_serve_task *task, const struct ep_serve_images *images, char *why)
{
    return task->before ? end(task, images, why) : begin(task, images, why);
}
