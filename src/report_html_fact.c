#include "report_html_fact.h"

#include "escape_html.h"

void ep_report_html_fact_begin(struct ep_output *out, const char *name)
{
    ep_output_print(out, "<div><dt>%s</dt><dd>", name);
}

void ep_report_html_fact_end(struct ep_output *out)
{
    ep_output_text(out, "</dd></div>\n");
}

void ep_report_html_fact(struct ep_output *out, const char *name, const char *value)
{
    ep_report_html_fact_begin(out, name);
    ep_escape_html(out, value);
    ep_report_html_fact_end(out);
}

void ep_report_html_fact_count(struct ep_output *out, const char *name, size_t count)
{
    ep_report_html_fact_begin(out, name);
    ep_output_print(out, "%zu", count);
    ep_report_html_fact_end(out);
}
