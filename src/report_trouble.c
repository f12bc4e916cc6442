#include "report_trouble.h"

#include <inttypes.h>
#include <string.h>

#include "escape_name.h"
#include "report_rate.h"

/* What one of `what` costs, and what of that would be taken for time inside. */
static void write_probe(struct ep_output *out, const char *what, double pair_ns, double inside_ns,
                        bool raw)
{
    if (pair_ns > 0) {
        ep_output_print(out, "; the probe of a %s costs ", what);
        ep_output_decimal(out, pair_ns, 1);
        ep_output_text(out, " ns");
    }
    if (inside_ns > 0) {
        if (pair_ns > 0)
            ep_output_text(out, ", of which ");
        else
            ep_output_print(out, "; of the probe of a %s ", what);
        ep_output_decimal(out, inside_ns, 1);
        ep_output_text(out, raw ? " ns are read inside (not taken off)"
                                : " ns would be read inside (taken off)");
    }
}

static bool has_rows_of(const struct eprof_snapshot *snapshot, const char *kind)
{
    for (size_t row = snapshot->scope_first; row < snapshot->trouble_first; row++)
        if (strcmp(snapshot->rows[row].kind, kind) == 0)
            return true;
    return false;
}

/* Of the kinds of rows that there are. */
static void write_probes(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    bool is_raw = snapshot->options.raw;
    bool has_functions = snapshot->function_pair_ns > 0 && has_rows_of(snapshot, "function");
    bool has_scopes = snapshot->scope_pair_ns > 0 &&
                      (has_functions ? has_rows_of(snapshot, "scope")
                                     : snapshot->trouble_first > snapshot->scope_first);
    if (snapshot->scope_first || (!has_scopes && !has_functions))
        write_probe(out, "pair", snapshot->pair_ns, snapshot->inside_ns, is_raw);
    if (has_scopes)
        write_probe(out, "scope", snapshot->scope_pair_ns, snapshot->scope_inside_ns, is_raw);
    if (has_functions)
        write_probe(out, "function", snapshot->function_pair_ns, snapshot->function_inside_ns,
                    is_raw);
}

/* What is not known is left out. */
static void write_source(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    double ticks_per_us = snapshot->ticks_per_us;
    ep_output_text(out, "\nsource ");
    ep_escape_name(out, snapshot->source);
    if (ticks_per_us > 0) {
        ep_output_text(out, ": ");
        ep_report_rate_write(out, ticks_per_us);
    }
    if (snapshot->resolution_ns > 0) {
        ep_output_text(out, ticks_per_us > 0 ? ", resolution " : ": resolution ");
        ep_output_decimal(out, snapshot->resolution_ns, 1);
        ep_output_text(out, " ns");
    }
    write_probes(out, snapshot);
    ep_output_text(out, "\n");
}

/* What a user reads of trouble: what happened, and what to do about it. */
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
    {"stray_keeps", "call of eprof_keep() without an eprof_hold()",
     "calls of eprof_keep() without an eprof_hold()", "both belong on one thread"},
    {"clock", "pair with an impossible length", "pairs with an impossible length",
     "the clock went back or jumped; they count as calls and errors only; try another source"},
    {"clock_apart", "program whose clock is apart from CLOCK_MONOTONIC",
     "programs whose clock is apart from CLOCK_MONOTONIC",
     "it jumped or was set; a time across that is wrong by as much; try another source"},
    {"items_not_understood", "item of EPROF or eprof_setup() that was not carried out",
     "items of EPROF or eprof_setup() that were not carried out",
     "a line on stderr named each of them"},
    {"not_closed", "program that was killed, or ended by _exit()",
     "programs that were killed, or ended by _exit()",
     "what was open is shown without its last time"},
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

static void write_trouble(struct ep_output *out, const struct eprof_row *row)
{
    const struct advice *advice = find_advice(row->name);
    ep_output_print(out, "%" PRIu64 " ", row->calls);
    if (!advice) {
        ep_escape_name(out, row->name);
        ep_output_text(out, "\n");
        return;
    }
    ep_output_print(out, "%s (%s): %s\n", row->calls == 1 ? advice->one : advice->many,
                    advice->name, advice->remedy);
}

/* No trouble: it was done so that the program need not wait. */
static void write_thinned(struct ep_output *out, size_t count)
{
    if (count > 0)
        ep_output_print(out,
                        "%zu function%s throttled: 1 in %d of %s calls timed, times are estimates "
                        "(~)\n",
                        count, count == 1 ? " was" : "s were", EP_SAMPLE_WEIGHT,
                        count == 1 ? "its" : "their");
}

/* Of all rows. */
static uint64_t count_timed(const struct eprof_snapshot *snapshot, bool *is_any_longer)
{
    uint64_t timed = 0;
    for (size_t i = 0; i < snapshot->trouble_first; i++) {
        timed += snapshot->rows[i].timed;
        *is_any_longer |= snapshot->rows[i].max_ns > 0;
    }
    return timed;
}

/* A clock that was seen to move neither when it was looked at, nor in any call. No trouble is
 * counted: calls may be that brief. */
static void write_still(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    bool has_moved = snapshot->resolution_ns > 0;
    uint64_t timed = count_timed(snapshot, &has_moved);
    if (timed > 0 && !has_moved)
        ep_output_print(out,
                        "the clock did not move in any of %" PRIu64
                        " timed calls: it stands still, or its ticks are too long for them\n",
                        timed);
}

void ep_report_trouble_write(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    write_source(out, snapshot);
    write_still(out, snapshot);
    write_thinned(out, snapshot->thinned_count);
    for (size_t i = snapshot->trouble_first; i < snapshot->row_count; i++)
        write_trouble(out, &snapshot->rows[i]);
}
