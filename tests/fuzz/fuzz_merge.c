#include "fuzz_merge.h"

#include <string.h>

#include "image_read.h"
#include "memory_file.h"
#include "merge.h"
#include "report.h"
#include "require.h"

/* To be freed. */
static char *say(const struct ep_image *image, bool by_threads)
{
    struct ep_snapshot_options options;
    const struct ep_report *csv = ep_report_find("csv", strlen("csv"), &options);
    options.threads = by_threads;
    struct eprof_snapshot *snapshot = ep_snapshot_take_stored(image, options);
    require(snapshot != NULL, "there is memory for a snapshot of a sum");
    char *text;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    require(stream != NULL, "there is memory for a report");
    require(ep_report_write(csv, snapshot, stream) == 0, "a sum can be reported");
    fclose(stream);
    ep_snapshot_free(snapshot);
    return text;
}

static void say_the_same(const struct ep_image *sum, const struct ep_image *again, bool by_threads)
{
    char *before = say(sum, by_threads), *after = say(again, by_threads);
    require(strcmp(before, after) == 0, "a sum says the same when it is read");
    free(before);
    free(after);
}

static void read_again(const struct ep_image *sum)
{
    struct ep_image again;
    struct ep_image_file_state state;
    const char *why;
    size_t bytes = (size_t)ep_image_root(sum)->cells_used * EP_CELL_BYTES;
    require(ep_image_read(memory_file_of(sum->cells, bytes), &again, &state, &why) == 0,
            "a sum is sound");
    say_the_same(sum, &again, false);
    say_the_same(sum, &again, true);
    ep_image_destroy(&again);
}

void fuzz_merge(const struct ep_image *image)
{
    struct ep_merge *merge = ep_merge_begin(false);
    require(merge != NULL, "there is memory for a merge");
    for (int i = 0; i < 2; i++)
        ep_merge_weigh(merge, image->cells);
    for (int i = 0; i < 2; i++)
        require(ep_merge_add(merge, image) == 0, "there is memory for a sum");
    const struct ep_image *sum = ep_merge_image(merge);
    require(sum != NULL, "there is memory for the image of a sum");
    read_again(sum);
    ep_merge_end(merge);
}
