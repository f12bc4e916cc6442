#include "report/report.h"

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "report/format.h"

/* The cost of a probe, and the part of it that the measured time contains. */
static void write_probe(struct ep_output *out, const char *what, double pair_ns, double inside_ns,
                        bool raw)
{
    if (!(inside_ns > 0 || pair_ns > 0))
        return;
    ep_output_print(out, "; the probe of a %s costs ", what);
    if (pair_ns > 0)
        ep_output_print(out, "%s, ", ep_report_format_cost(pair_ns).text);
    /* written even if it is 0, since it says how much is subtracted */
    ep_output_print(out, "%s %sinside the measured time (%ssubtracted)",
                    ep_report_format_cost(inside_ns).text, pair_ns > 0 ? "of it " : "",
                    raw ? "not " : "");
}

static bool has_rows_of(const struct eprof_snapshot *snapshot, const char *kind)
{
    for (size_t row = snapshot->scope_first; row < snapshot->diagnostic_first; row++)
        if (strcmp(snapshot->rows[row].kind, kind) == 0)
            return true;
    return false;
}

/* Writes the costs of the probes for the kinds of rows in the report. */
static void write_probes(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    bool is_raw = snapshot->options.raw;
    bool has_functions = snapshot->function_pair_ns > 0 && has_rows_of(snapshot, "function");
    bool has_scopes = snapshot->scope_pair_ns > 0 &&
                      (has_functions ? has_rows_of(snapshot, "scope")
                                     : snapshot->diagnostic_first > snapshot->scope_first);
    if (snapshot->scope_first || (!has_scopes && !has_functions))
        write_probe(out, "pair", snapshot->pair_ns, snapshot->inside_ns, is_raw);
    if (has_scopes)
        write_probe(out, "scope", snapshot->scope_pair_ns, snapshot->scope_inside_ns, is_raw);
    if (has_functions)
        write_probe(out, "function", snapshot->function_pair_ns, snapshot->function_inside_ns,
                    is_raw);
}

/* Leaves out figures that are not known. */
static void write_source(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    double ticks_per_us = snapshot->ticks_per_us;
    ep_output_text(out, "\nsource ");
    ep_escape_name(out, snapshot->source);
    if (ticks_per_us > 0) {
        ep_output_text(out, ": ");
        ep_report_format_rate(out, ticks_per_us);
    }
    if (snapshot->resolution_ns > 0)
        ep_output_print(out, "%s resolution %s", ticks_per_us > 0 ? "," : ":",
                        ep_report_format_cost(snapshot->resolution_ns).text);
    write_probes(out, snapshot);
    ep_output_text(out, "\n");
}

/* A diagnostic: its description for one and for many, and what to do about it. */
struct advice {
    const char *name;
    const char *one;
    const char *many;
    const char *remedy;
};

static const struct advice advices[] = {
    {"unbalanced", "stop without a start on its thread", "stops without a start on their thread",
     "for a region that ends on another thread use eprof_record()"},
    {"bad_handles", "call with a handle of no instance", "calls with a handle of no instance",
     "it was freed, or eprof_alloc() had returned -1"},
    {"unknown_labels", "call of eprof_free() with a label that is not there",
     "calls of eprof_free() with a label that is not there",
     "compare it with the label that eprof_alloc() was given"},
    {"lost", "call that could not be recorded", "calls that could not be recorded",
     "the figures above are without them"},
    {"out_of_cells", "call for which there was no more memory",
     "calls for which there was no more memory",
     "those of scopes may be in \"(other)\"; raise the limit by EPROF=limit=, release instances "
     "that are done with, or give the process more memory"},
    {"forced_closes", "region whose end never came", "regions whose end never came",
     "look for a longjmp() out of it, or a missing eprof_leave()"},
    {"unmatched_keeps", "call of eprof_keep() without an eprof_hold()",
     "calls of eprof_keep() without an eprof_hold()", "both belong on one thread"},
    {"clock", "pair with an impossible length", "pairs with an impossible length",
     "the clock went back or jumped; they count as calls and errors only; try another source"},
    {"saturated", "row whose time is too large for 64 bits",
     "rows whose times are too large for 64 bits",
     "the highest number is in its place; try a source with longer ticks"},
    {"clock_apart", "program whose clock is apart from CLOCK_MONOTONIC",
     "programs whose clock is apart from CLOCK_MONOTONIC",
     "it jumped or was set; a time across that is wrong by as much; try another source"},
    {"items_not_understood", "item of EPROF or eprof_setup() that was not carried out",
     "items of EPROF or eprof_setup() that were not carried out",
     "a line on stderr named each of them"},
    {"not_closed", "program that was killed, or ended by _exit()",
     "programs that were killed, or ended by _exit()",
     "what was open is shown without its last time"},
    {"interrupted", "thread that was killed while it moved figures",
     "threads that were killed while they moved figures",
     "of the hold that it kept, or of an ended thread of its name, figures may be missing"},
    {"cut_short", "file that could not grow", "files that could not grow",
     "what was new after that is not in the figures above; give it more room"},
};

static const struct advice *find_advice(const char *name)
{
    for (size_t i = 0; i < sizeof advices / sizeof advices[0]; i++)
        if (strcmp(advices[i].name, name) == 0)
            return &advices[i];
    return NULL;
}

/* The regions without an end, where they are known. */
static void write_unended(struct ep_output *out, const struct ep_notes *notes)
{
    for (size_t i = 0; i < notes->unended_count; i++) {
        const struct ep_unended_site *site = &notes->unended[i];
        ep_output_text(out, i ? ", " : "");
        ep_escape_name(out, site->name);
        if (!*site->file)
            continue;
        ep_output_text(out, " (");
        ep_escape_name(out, ep_report_format_label_base_name(site->file));
        ep_output_print(out, ":%" PRIu32 ")", site->line);
    }
    if (notes->unended_count)
        ep_output_text(out, notes->has_more_unended ? " and others; " : "; ");
}

static void write_diagnostics(struct ep_output *out, const struct eprof_row *row,
                              const struct ep_notes *notes)
{
    const struct advice *advice = find_advice(row->name);
    ep_output_print(out, "%" PRIu64 " ", row->calls);
    if (!advice) {
        ep_escape_name(out, row->name);
        ep_output_text(out, "\n");
        return;
    }
    ep_output_print(out, "%s (%s): ", row->calls == 1 ? advice->one : advice->many, advice->name);
    if (strcmp(advice->name, "forced_closes") == 0)
        write_unended(out, notes);
    ep_output_print(out, "%s\n", advice->remedy);
}

/* Not a diagnostic: sampling saves the program time. */
static void write_sampled(struct ep_output *out, size_t count)
{
    if (count > 0)
        ep_output_print(out,
                        "%zu region%s sampled: each call counted, a part of them timed; times are "
                        "estimates (~)\n",
                        count, count == 1 ? " was" : "s were");
}

/* What reading the processor time cost the program: two readings in each timed call. */
static void write_cpu(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    uint64_t timed = 0;
    if (snapshot->cpu_read_ns <= 0)
        return;
    for (size_t i = 0; i < snapshot->diagnostic_first; i++)
        timed += snapshot->rows[i].timed;
    double cost_ns = 2 * snapshot->cpu_read_ns * (double)timed;
    ep_output_print(out,
                    "processor time was read twice in each timed call, %s a time, about %s in all; "
                    "wait is the rest of the total\n",
                    ep_report_format_cost(snapshot->cpu_read_ns).text,
                    ep_report_format_duration((uint64_t)cost_ns).text);
}

/* Estimates whose error is not known. */
static void write_without_interval(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    size_t count = 0;
    for (size_t i = 0; i < snapshot->diagnostic_first; i++)
        count += snapshot->rows[i].estimated && snapshot->rows[i].total_error_ns == EPROF_UNKNOWN;
    if (count > 0)
        ep_output_print(out,
                        "no interval for %zu row%s of estimates (?): few calls were timed, or few "
                        "long ones decide "
                        "their time\n",
                        count, count == 1 ? "" : "s");
}

/* Forked children that are not in the figures, and how to get their figures. */
static void write_forked(struct ep_output *out, const struct ep_notes *notes)
{
    bool is_one = notes->missing == 1;
    if (notes->missing == 0)
        return;
    if (notes->is_sum)
        ep_output_print(out, "%" PRIu64 " of %" PRIu64 " child processes that were forked %s\n",
                        notes->missing, notes->forked,
                        is_one ? "is not in this sum: it recorded nothing, or its profile was not "
                                 "added"
                               : "are not in this sum: they recorded nothing, or their profiles "
                                 "were not added");
    else
        ep_output_print(out, "%" PRIu64 " child process%s not in this report; %s\n", notes->missing,
                        is_one ? " was forked and is" : "es were forked and are",
                        notes->children_have_file
                            ? "each that records has a profile of its own, which eprof merge adds"
                            : "image=PATH in EPROF gives each that records a profile");
}

/* A clock that did not move in its calibration or in any call. It is not counted as a diagnostic:
 * the calls may be that short. */
static void write_still(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    bool has_moved = snapshot->resolution_ns > 0;
    uint64_t timed = 0;
    for (size_t i = 0; i < snapshot->diagnostic_first; i++) {
        timed += snapshot->rows[i].timed;
        has_moved |= snapshot->rows[i].max_ns > 0;
    }
    if (timed > 0 && !has_moved)
        ep_output_print(out,
                        "the clock did not move in any of %" PRIu64
                        " timed calls: it stands still, or its ticks are too long for them\n",
                        timed);
}

void ep_report_notes_write(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    write_source(out, snapshot);
    write_still(out, snapshot);
    write_sampled(out, snapshot->sampled_count);
    write_without_interval(out, snapshot);
    write_cpu(out, snapshot);
    if (snapshot->notes.holds_ended > 0)
        ep_output_print(out, "holds: %" PRIu64 " of %" PRIu64 " kept\n", snapshot->notes.holds_kept,
                        snapshot->notes.holds_ended);
    write_forked(out, &snapshot->notes);
    for (size_t i = snapshot->diagnostic_first; i < snapshot->row_count; i++)
        write_diagnostics(out, &snapshot->rows[i], &snapshot->notes);
}
