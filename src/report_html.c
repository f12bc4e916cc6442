#include "report.h"

#include "report_html_head.h"
#include "report_html_headline.h"
#include "report_html_list.h"
#include "report_html_notes.h"
#include "report_html_threads.h"

static void write_head(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_report_html_head_begin(out);
    ep_report_html_headline_program(out, snapshot);
    ep_output_text(out, " \u2013 profile");
    ep_report_html_head_end(out);
}

static void write_end(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, "<footer>\n");
    ep_report_html_notes(out, snapshot);
    ep_output_text(out, "<p>To search and to zoom at will, write the report "
                        "<code>speedscope</code> and open it in the viewer of that name.</p>\n"
                        "</footer>\n</body>\n</html>\n");
}

void ep_report_html(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    write_head(out, snapshot);
    ep_output_text(out, "<body>\n");
    ep_report_html_headline(out, snapshot);
    ep_output_text(out, "<main>\n");
    ep_report_html_threads(out, snapshot);
    ep_report_html_list_instances(
        &(struct ep_report_html_page){.out = out, .snapshot = snapshot, .prefix = 'i'});
    if (snapshot->trouble_first == 0)
        ep_output_text(out, "<p>Nothing was recorded.</p>\n");
    ep_output_text(out, "</main>\n");
    write_end(out, snapshot);
}
