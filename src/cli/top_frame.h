/*
 * top_frame.h - what `eprof top` shows at one moment: the lines above, the list, the keys
 */
#ifndef EP_CLI_TOP_FRAME_H
#define EP_CLI_TOP_FRAME_H

#include "top_head.h"

/* Where it is shown, whatever the output is. */
struct ep_top_place {
    struct ep_report_sheet_style style;
    size_t rows;   /* of the terminal; 0: it is none, and there are no keys */
    uint64_t most; /* lines of the list; 0: what there is room for */
};

/* `first` and `room` of the view are made to fit. Without memory the output fails. */
void ep_top_frame_write(struct ep_output *out, const struct ep_top_sight *sight,
                        struct ep_top_view *view, const struct ep_top_notes *notes,
                        const struct ep_top_place *place);

#endif /* EP_CLI_TOP_FRAME_H */
