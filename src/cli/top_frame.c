#include "top_frame.h"

#include <errno.h>
#include <stdio.h>

#include "top_fit.h"
#include "top_keys.h"
#include "top_list.h"

enum {
    PLAIN_LINES = 20, /* of the list, where no terminal tells how many are read */
    AROUND_LINES = 4  /* an empty one, the titles, the rule, the keys */
};

static size_t room_of(const struct ep_top_place *place, size_t head_lines)
{
    size_t around = head_lines + AROUND_LINES, room = PLAIN_LINES;
    if (place->rows)
        room = place->rows > around + 1 ? place->rows - around : 1;
    else if (place->most)
        room = place->most;
    return place->most && place->most < room ? place->most : room;
}

/* So many between the list and the keys, which stand at the bottom. */
static size_t lines_left(const struct ep_top_place *place, size_t lines)
{
    return place->rows > lines + AROUND_LINES ? place->rows - lines - AROUND_LINES : 0;
}

/* What is being typed, or which lines these are and what the keys do: in as many columns as there
 * are. */
static void write_bottom(struct ep_output *out, const struct ep_top_lines *lines,
                         const struct ep_top_view *view, const struct ep_top_place *place)
{
    char text[EP_TOP_FILTER_BYTES + 128];
    size_t last = view->first + view->room;
    if (view->is_typing)
        snprintf(text, sizeof text, "filter: %s_   Enter keeps it, Esc the one before",
                 view->filter);
    else if (lines->count > view->room)
        snprintf(text, sizeof text, EP_TOP_KEYS_HELP "   %zu-%zu of %zu", view->first + 1,
                 last < lines->count ? last : lines->count, lines->count);
    else
        snprintf(text, sizeof text, EP_TOP_KEYS_HELP);
    ep_top_fit_write(out, text, &place->style);
}

void ep_top_frame_write(struct ep_output *out, const struct ep_top_sight *sight,
                        struct ep_top_view *view, const struct ep_top_notes *notes,
                        const struct ep_top_place *place)
{
    struct ep_top_lines lines;
    out->is_ascii = !place->style.is_utf8;
    if (ep_top_lines_make(&lines, sight, view) != 0) {
        ep_output_fail(out, ENOMEM);
        return;
    }
    size_t head_lines = ep_top_head_lines(sight, notes);
    view->room = room_of(place, head_lines);
    ep_top_view_fit(view, lines.count);
    ep_top_head_write(out, sight, &lines, view, notes, &place->style);
    ep_output_text(out, "\n");
    ep_top_list_write(out, sight, &lines, view, &place->style, !place->rows);
    if (place->rows) {
        size_t shown = lines.count < view->room ? lines.count : view->room;
        ep_output_repeat(out, '\n', lines_left(place, head_lines + shown));
        write_bottom(out, &lines, view, place);
    }
    ep_top_lines_free(&lines);
}
