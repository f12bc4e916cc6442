#include <errno.h>

#include "serve/serve.h"
#include "snapshot/monotonic.h"
#include "snapshot/series.h"

/* The file has a record for each process: its key and the length of what follows. */
struct record {
    struct ep_wide key;
    uint64_t bytes;
};

struct place {
    struct ep_wide key;
    uint64_t offset; /* of what follows the record, + 1; 0: there is none */
};

/* 0, or -1 and ENOMEM. */
static int find_places(struct ep_serve_counters *counters)
{
    struct record record;
    rewind(counters->before);
    while (fread(&record, sizeof record, 1, counters->before) == 1) {
        struct place *place = ep_series_row(&counters->places, sizeof *place, record.key);
        if (!place)
            return -1;
        place->offset = (uint64_t)ftello(counters->before) + 1;
        if (fseeko(counters->before, (off_t)record.bytes, SEEK_CUR) != 0)
            return -1;
    }
    return 0;
}

int ep_serve_counters_open(struct ep_serve_counters *counters, FILE *before, FILE *after)
{
    *counters = (struct ep_serve_counters){.before = before, .after = after};
    if (!before || find_places(counters) == 0)
        return 0;
    ep_serve_counters_close(counters);
    return -1;
}

static int read_known(struct ep_serve_counters *counters, struct ep_wide key,
                      struct ep_monotonic *known)
{
    struct place *place = ep_series_row(&counters->places, sizeof *place, key);
    *known = (struct ep_monotonic){.epoch = 0};
    if (!place)
        return -1;
    if (!place->offset)
        return 0;
    if (fseeko(counters->before, (off_t)(place->offset - 1), SEEK_SET) != 0)
        return -1;
    return ep_monotonic_read(known, counters->before);
}

/* The length is known after the rest is written. */
static int write_known(struct ep_serve_counters *counters, struct ep_wide key,
                       const struct ep_monotonic *known)
{
    struct record record = {.key = key};
    off_t start = ftello(counters->after), end;
    if (start < 0 || fwrite(&record, sizeof record, 1, counters->after) != 1 ||
        ep_monotonic_write(known, counters->after) != 0)
        return -1;
    end = ftello(counters->after);
    record.bytes = (uint64_t)(end - start) - sizeof record;
    if (fseeko(counters->after, start, SEEK_SET) != 0 ||
        fwrite(&record, sizeof record, 1, counters->after) != 1)
        return -1;
    return fseeko(counters->after, end, SEEK_SET);
}

static int advance(struct ep_serve_counters *counters, const struct ep_serve_image *image,
                   const struct ep_serve_sight *sight)
{
    struct ep_monotonic known;
    struct ep_wide key = ep_serve_images_key(image);
    int result = read_known(counters, key, &known);
    if (result == 0 && sight)
        result = ep_monotonic_raise(&known, sight->reset_generation, sight->snapshot);
    if (result == 0 && known.snapshots)
        result = write_known(counters, key, &known);
    ep_monotonic_free(&known);
    return result;
}

int ep_serve_counters_raise(struct ep_serve_counters *counters, const struct ep_serve_image *image,
                            const struct ep_serve_sight *sight)
{
    return advance(counters, image, sight);
}

int ep_serve_counters_keep(struct ep_serve_counters *counters, const struct ep_serve_image *image)
{
    int result = advance(counters, image, NULL);
    return result != 0 && errno == ENOMEM ? 0 : result;
}

void ep_serve_counters_close(struct ep_serve_counters *counters)
{
    ep_hash_table_free(&counters->places);
}
