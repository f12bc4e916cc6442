/*
 * report_frames.h - the sites of a snapshot's rows, numbered from 0
 *
 * For formats that name a function once and then tell it by its number. Threads share them.
 */
#ifndef EP_REPORT_FRAMES_H
#define EP_REPORT_FRAMES_H

#include "snapshot.h"

struct ep_report_frames {
    uint32_t *numbers; /* by site */
    size_t *rows;      /* by number: the first row of that site */
    uint32_t count;
};

/* 0, or -1 and ENOMEM; ep_report_frames_free() in any case. */
int ep_report_frames_find(struct ep_report_frames *frames, const struct eprof_snapshot *snapshot);
void ep_report_frames_free(struct ep_report_frames *frames);

/* Of a row of a scope. */
uint32_t ep_report_frames_number(const struct ep_report_frames *frames,
                                 const struct eprof_snapshot *snapshot, size_t row);

#endif /* EP_REPORT_FRAMES_H */
