#include "report_openmetrics_head.h"

#include <inttypes.h>
#include <stdio.h>

#include "report_metric.h"

/* OpenMetrics has a type for this, which the text format does not know. */
static void write_information(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    const char *between = "{";
    ep_metric_begin(out, "eprof_info", "gauge", NULL, "What the figures are of; always 1.");
    ep_output_text(out, "eprof_info");
    ep_metric_label(out, &between, "source", snapshot->source);
    ep_metric_label(out, &between, "raw", snapshot->options.raw ? "true" : "false");
    if (snapshot->command && *snapshot->command)
        ep_metric_label(out, &between, "command", snapshot->command);
    if (snapshot->command && snapshot->process_id) {
        char text[24];
        snprintf(text, sizeof text, "%" PRIu64, snapshot->process_id);
        ep_metric_label(out, &between, "process_id", text);
    }
    ep_output_text(out, "} 1\n");
}

/* Of a stored image. */
static void write_start(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (!snapshot->command || snapshot->realtime_ns == 0)
        return;
    ep_metric_begin(out, "eprof_start_time_seconds", "gauge", "seconds",
                    "When the program began, since 1970.");
    ep_output_text(out, "eprof_start_time_seconds ");
    ep_metric_seconds(out, snapshot->realtime_ns);
    ep_output_text(out, "\n");
}

/* A power of ten makes of it what the unit says, and loses nothing. */
static void write_clock(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (snapshot->ticks_per_us > 0) {
        ep_metric_begin(out, "eprof_source_frequency_hertz", "gauge", "hertz",
                        "Ticks of the time source in a second.");
        ep_output_text(out, "eprof_source_frequency_hertz ");
        ep_output_decimal(out, snapshot->ticks_per_us, 6);
        ep_output_text(out, "e6\n");
    }
    if (!(snapshot->resolution_ns > 0))
        return;
    ep_metric_begin(out, "eprof_source_resolution_seconds", "gauge", "seconds",
                    "What all steps of the time source are multiples of.");
    ep_output_text(out, "eprof_source_resolution_seconds ");
    ep_output_decimal(out, snapshot->resolution_ns, 6);
    ep_output_text(out, "e-9\n");
}

/* By what is measured with it: an instance, a scope, a function. */
struct costs {
    const char *kind;
    double ns;
};

static void write_costs(struct ep_output *out, const char *name, const char *help,
                        const struct costs costs[3])
{
    bool is_begun = false;
    for (int i = 0; i < 3; i++) {
        const char *between = "{";
        if (!(costs[i].ns > 0)) /* it was not measured */
            continue;
        if (!is_begun)
            ep_metric_begin(out, name, "gauge", "seconds", help);
        is_begun = true;
        ep_output_text(out, name);
        ep_metric_label(out, &between, "kind", costs[i].kind);
        ep_output_text(out, "} ");
        ep_output_decimal(out, costs[i].ns, 6);
        ep_output_text(out, "e-9\n");
    }
}

static void write_probe(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    const struct costs around[] = {{"instance", snapshot->pair_ns},
                                   {"scope", snapshot->scope_pair_ns},
                                   {"function", snapshot->function_pair_ns}};
    const struct costs inside[] = {{"instance", snapshot->inside_ns},
                                   {"scope", snapshot->scope_inside_ns},
                                   {"function", snapshot->function_inside_ns}};
    write_costs(out, "eprof_probe_pair_seconds", "What the probe of a call costs around it.",
                around);
    write_costs(out, "eprof_probe_inside_seconds",
                "What of that is measured as time inside, unless it is taken off.", inside);
}

/* Of so many sites only some of the calls are timed. */
static void write_throttled(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (!snapshot->thinned_count)
        return;
    ep_metric_begin(out, "eprof_throttled_functions", "gauge", NULL,
                    "Functions whose times are estimates from a sample of their calls.");
    ep_output_print(out, "eprof_throttled_functions %zu\n", snapshot->thinned_count);
}

void ep_openmetrics_head_write(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    write_information(out, snapshot);
    write_start(out, snapshot);
    write_clock(out, snapshot);
    write_probe(out, snapshot);
    write_throttled(out, snapshot);
}
