#include "report_frames.h"

#include <errno.h>
#include <stdlib.h>

#define NONE UINT32_MAX

static uint32_t site_of(const struct eprof_snapshot *snapshot, size_t row)
{
    return snapshot->places[row - snapshot->scope_first].site;
}

static size_t count_sites(const struct eprof_snapshot *snapshot)
{
    size_t count = 0;
    for (size_t row = snapshot->scope_first; row < snapshot->trouble_first; row++)
        if (site_of(snapshot, row) >= count)
            count = (size_t)site_of(snapshot, row) + 1;
    return count;
}

static void number(struct ep_report_frames *frames, const struct eprof_snapshot *snapshot)
{
    for (size_t row = snapshot->scope_first; row < snapshot->trouble_first; row++) {
        uint32_t *of_site = &frames->numbers[site_of(snapshot, row)];
        if (*of_site != NONE)
            continue;
        *of_site = frames->count;
        frames->rows[frames->count++] = row;
    }
}

int ep_report_frames_find(struct ep_report_frames *frames, const struct eprof_snapshot *snapshot)
{
    size_t sites = count_sites(snapshot);
    *frames = (struct ep_report_frames){
        .numbers = malloc((sites + 1) * sizeof *frames->numbers),
        .rows = malloc((sites + 1) * sizeof *frames->rows),
    };
    if (!frames->numbers || !frames->rows) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t site = 0; site < sites; site++)
        frames->numbers[site] = NONE;
    number(frames, snapshot);
    return 0;
}

void ep_report_frames_free(struct ep_report_frames *frames)
{
    free(frames->numbers);
    free(frames->rows);
    *frames = (struct ep_report_frames){.numbers = NULL};
}

uint32_t ep_report_frames_number(const struct ep_report_frames *frames,
                                 const struct eprof_snapshot *snapshot, size_t row)
{
    return frames->numbers[site_of(snapshot, row)];
}
