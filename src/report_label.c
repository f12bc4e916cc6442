#include "report_label.h"

#include <string.h>

#include "escape_name.h"

const char *ep_report_label_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* " (", ":", ")" and the digits of the line. */
static size_t frame_width(unsigned line)
{
    size_t width = strlen(" (:)") + 1;
    for (; line >= 10; line /= 10)
        width++;
    return width;
}

static size_t place_width(const struct eprof_row *row, bool is_ambiguous)
{
    if (!is_ambiguous || !*row->file)
        return 0;
    return frame_width(row->line) + ep_escape_name_width(ep_report_label_base_name(row->file));
}

size_t ep_report_label_width(const struct eprof_row *row, bool is_ambiguous)
{
    return ep_escape_name_width(row->name) + place_width(row, is_ambiguous);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* What the place gets of a width that is too small for both: half of it, or what the name
 * leaves. */
static size_t cut_place_width(size_t name, size_t place, size_t width)
{
    return least(place, width - least(name, width - width / 2));
}

void ep_report_label_write(struct ep_output *out, const struct eprof_row *row, bool is_ambiguous,
                           size_t width, const char *gap)
{
    size_t name = ep_escape_name_width(row->name), place = place_width(row, is_ambiguous);
    size_t frame = frame_width(row->line), file_least = ep_escape_name_width(gap) + 2;
    bool fits = name + place <= width;
    if (place == 0 || (!fits && width / 2 < frame + file_least)) {
        ep_escape_name_cut(out, row->name, width, gap);
        return;
    }
    if (!fits) {
        place = cut_place_width(name, place, width);
        name = width - place;
    }
    ep_escape_name_cut(out, row->name, name, gap);
    ep_output_text(out, " (");
    ep_escape_name_cut(out, ep_report_label_base_name(row->file), place - frame, gap);
    ep_output_print(out, ":%u)", row->line);
    ep_output_repeat(out, ' ', width - name - place);
}
