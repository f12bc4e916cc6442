#include "report/openmetrics_head.h"

#include <inttypes.h>

#include "base/escape.h"

/* ---- lines ---- */

#define NS_PER_SECOND UINT64_C(1000000000)

/*
 * The parsers disagree about the name of a counter: OpenMetrics leaves out the _total that its
 * samples have, the text format does not. Both parsers accept the name with _total. OpenMetrics
 * requires that a name ends with its unit, so a counter has none; the text format takes the unit
 * for a comment.
 */
void ep_report_openmetrics_head_family(struct ep_output *out, const char *name, const char *type,
                                       const char *unit, const char *help)
{
    ep_output_print(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
    if (unit)
        ep_output_print(out, "# UNIT %s %s\n", name, unit);
}

void ep_report_openmetrics_head_label(struct ep_output *out, const char **between, const char *name,
                                      const char *value)
{
    ep_output_print(out, "%s%s=", *between, name);
    ep_escape_openmetrics(out, value);
    *between = ",";
}

void ep_report_openmetrics_head_seconds(struct ep_output *out, uint64_t ns)
{
    ep_output_print(out, "%" PRIu64 ".%09" PRIu64, ns / NS_PER_SECOND, ns % NS_PER_SECOND);
}

/* ---- the program, its clock, and the cost of the probes ---- */

/* A gauge, since the text format does not know the type info of OpenMetrics. */
static void write_information(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    const char *between = "{";
    ep_report_openmetrics_head_family(out, "eprof_info", "gauge", NULL,
                                      "The process and the clock of the figures; the value is "
                                      "always 1.");
    ep_output_text(out, "eprof_info");
    ep_report_openmetrics_head_label(out, &between, "source", snapshot->source);
    ep_report_openmetrics_head_label(out, &between, "raw",
                                     snapshot->options.raw ? "true" : "false");
    if (snapshot->command && *snapshot->command)
        ep_report_openmetrics_head_label(out, &between, "command", snapshot->command);
    if (snapshot->command && snapshot->process_id)
        ep_output_print(out, ",process_id=\"%" PRIu64 "\"", snapshot->process_id);
    ep_output_text(out, "} 1\n");
}

/* Only a stored image contains the time of the start. */
static void write_start(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (!snapshot->command || snapshot->realtime_ns == 0)
        return;
    ep_report_openmetrics_head_family(out, "eprof_start_time_seconds", "gauge", "seconds",
                                      "When the program began, since 1970.");
    ep_output_text(out, "eprof_start_time_seconds ");
    ep_report_openmetrics_head_seconds(out, snapshot->realtime_ns);
    ep_output_text(out, "\n");
}

/* Describes a figure of the clock or of a probe. `power` is the power of ten that converts the
 * figure to the unit without a loss. */
struct gauge {
    const char *name, *unit, *help, *power;
};

/* `kinds` are the kinds of probes, one for each value; NULL: there is one value. Values that were
 * not measured are left out, and the metric if none was. */
static void write_measured(struct ep_output *out, struct gauge gauge, const double *values,
                           const char *const *kinds, size_t count)
{
    bool is_begun = false;
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] > 0))
            continue;
        if (!is_begun)
            ep_report_openmetrics_head_family(out, gauge.name, "gauge", gauge.unit, gauge.help);
        is_begun = true;
        ep_output_text(out, gauge.name);
        if (kinds)
            ep_output_print(out, "{kind=\"%s\"}", kinds[i]);
        ep_output_text(out, " ");
        ep_output_decimal(out, values[i], 6);
        ep_output_print(out, "%s\n", gauge.power);
    }
}

static void write_clock(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    static const char *const kinds[] = {"instance", "scope", "function"};
    const double around_ns[] = {snapshot->pair_ns, snapshot->scope_pair_ns,
                                snapshot->function_pair_ns};
    const double inside_ns[] = {snapshot->inside_ns, snapshot->scope_inside_ns,
                                snapshot->function_inside_ns};
    write_measured(out,
                   (struct gauge){"eprof_source_frequency_hertz", "hertz",
                                  "Ticks of the time source in a second.", "e6"},
                   &snapshot->ticks_per_us, NULL, 1);
    write_measured(out,
                   (struct gauge){"eprof_source_resolution_seconds", "seconds",
                                  "The smallest step of the time source.", "e-9"},
                   &snapshot->resolution_ns, NULL, 1);
    write_measured(out,
                   (struct gauge){"eprof_probe_pair_seconds", "seconds",
                                  "The cost of the probe of one call.", "e-9"},
                   around_ns, kinds, 3);
    write_measured(out,
                   (struct gauge){"eprof_probe_inside_seconds", "seconds",
                                  "The part of that cost inside the measured time; it is "
                                  "subtracted unless raw is true.",
                                  "e-9"},
                   inside_ns, kinds, 3);
}

/* Writes nothing for 0. */
static void write_count(struct ep_output *out, const char *name, uint64_t count, const char *help)
{
    if (!count)
        return;
    ep_report_openmetrics_head_family(out, name, "gauge", NULL, help);
    ep_output_print(out, "%s %" PRIu64 "\n", name, count);
}

static void write_holds(struct ep_output *out, const struct ep_notes *notes)
{
    if (!notes->holds_ended)
        return;
    ep_report_openmetrics_head_family(out, "eprof_holds_total", "counter", NULL,
                                      "Holds that have ended, EPROF_SLOW among them.");
    ep_output_print(out, "eprof_holds_total{result=\"kept\"} %" PRIu64 "\n", notes->holds_kept);
    ep_output_print(out, "eprof_holds_total{result=\"dropped\"} %" PRIu64 "\n",
                    notes->holds_ended - notes->holds_kept);
}

void ep_report_openmetrics_head_write(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    write_information(out, snapshot);
    write_start(out, snapshot);
    write_clock(out, snapshot);
    write_count(out, "eprof_sampled_regions", snapshot->sampled_count,
                "Regions whose times are estimates from a part of their calls.");
    write_holds(out, &snapshot->notes);
    write_count(out, "eprof_forked_children", snapshot->notes.missing,
                "Child processes that were forked and are not in these figures.");
}
