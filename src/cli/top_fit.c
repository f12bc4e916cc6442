#include "top_fit.h"

#include "escape_name.h"

bool ep_top_fit(const char *text, const struct ep_report_sheet_style *style)
{
    return !style->columns || ep_escape_name_width(text) <= style->columns;
}

void ep_top_fit_write(struct ep_output *out, const char *text,
                      const struct ep_report_sheet_style *style)
{
    if (ep_top_fit(text, style))
        ep_escape_name(out, text);
    else
        ep_escape_name_cut(out, text, style->columns, ep_report_sheet_gap(style));
}
