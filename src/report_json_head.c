#include "report_json_head.h"

#include <inttypes.h>

#include "escape_json.h"
#include "report_origin.h"

/* What is above zero was measured; another figure of the probe is not known. */
static void write_measured(struct ep_output *out, const char *name, double value)
{
    ep_output_print(out, ",\"%s\":", name);
    if (value > 0)
        ep_output_decimal(out, value, 6);
    else
        ep_output_text(out, "null");
}

/* Of a stored image; what is not known is null. */
static void write_origin(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_report_moment started = ep_report_moment_utc(snapshot->realtime_ns);
    ep_output_text(out, ",\"command\":");
    if (*snapshot->command)
        ep_escape_json(out, snapshot->command);
    else
        ep_output_text(out, "null");
    ep_output_text(out, ",\"process_id\":");
    if (snapshot->process_id)
        ep_output_print(out, "%" PRIu64, snapshot->process_id);
    else
        ep_output_text(out, "null");
    ep_output_text(out, ",\"started\":");
    if (*started.text)
        ep_escape_json(out, started.text);
    else
        ep_output_text(out, "null");
}

void ep_report_json_head_write(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, "\"source\":");
    ep_escape_json(out, snapshot->source);
    ep_output_text(out, ",\"unit\":");
    ep_escape_json(out, snapshot->unit);
    ep_output_print(out, ",\"raw\":%s", snapshot->options.raw ? "true" : "false");
    write_measured(out, "ticks_per_us", snapshot->ticks_per_us);
    write_measured(out, "resolution_ns", snapshot->resolution_ns);
    write_measured(out, "pair_ns", snapshot->pair_ns);
    write_measured(out, "inside_ns", snapshot->inside_ns);
    if (snapshot->command)
        write_origin(out, snapshot);
    if (snapshot->thinned_count)
        ep_output_print(out, ",\"throttled\":%zu", snapshot->thinned_count);
}

void ep_report_json_head_write_trouble(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, "\"trouble\":{");
    for (size_t i = snapshot->trouble_first; i < snapshot->row_count; i++) {
        ep_output_text(out, i > snapshot->trouble_first ? "," : "");
        ep_escape_json(out, snapshot->rows[i].name);
        ep_output_print(out, ":%" PRIu64, snapshot->rows[i].calls);
    }
    ep_output_text(out, "}");
}
