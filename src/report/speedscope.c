#include "report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/escape.h"
#include "report/walk.h"
#include "snapshot/part.h"

/*
 * The format has two kinds of profile. A sampled one has the whole stack of each row: n * n / 2
 * frames for a chain of n scopes. An evented one has two lines for each row, where it opens and
 * where it closes, so all profiles here are evented. The self time of a row passes between two
 * events.
 */

/* Figures of a row without those of the rows below. */
static const struct ep_field dimensions[] = {
    {.name = "time", .offset = offsetof(struct eprof_row, self_ns), .is_duration = true},
    {.name = "calls", .offset = offsetof(struct eprof_row, calls)},
};

enum { DIMENSIONS = sizeof dimensions / sizeof dimensions[0] };

struct profile {
    struct ep_output *out;
    const struct eprof_snapshot *snapshot;
    const struct ep_report_frames *frames;
    const struct ep_field *dimension;
    struct ep_report_stack stack; /* the rows that are open */
    uint64_t at;                  /* the sum of the rows so far */
    const char *between;          /* separates events */
};

/* ---- events, a line each ---- */

static void write_event(struct profile *profile, char type, size_t row)
{
    ep_output_print(profile->out, "%s{\"type\":\"%c\",\"frame\":%" PRIu32 ",\"at\":%" PRIu64 "}",
                    profile->between, type,
                    ep_report_walk_frames_number(profile->frames, profile->snapshot, row),
                    profile->at);
    profile->between = ",\n";
}

/* Closes all but the outermost `count` rows. */
static void close_to(struct profile *profile, size_t count)
{
    while (profile->stack.count > count)
        write_event(profile, 'C', profile->stack.rows[--profile->stack.count]);
}

/* Rows that a view has only because of rows below them count as 0. The sum of a damaged image may
 * overflow; events still do not go back. */
static void pass(struct profile *profile, size_t row)
{
    uint64_t own = ep_columns_value(&profile->snapshot->rows[row], profile->dimension->offset);
    if (ep_report_walk_path_is_around(profile->snapshot, row))
        own = 0;
    if (__builtin_add_overflow(profile->at, own, &profile->at))
        profile->at = UINT64_MAX;
}

static void write_events(struct profile *profile, const struct ep_part *part)
{
    const struct eprof_snapshot *snapshot = profile->snapshot;
    for (size_t row = part->first; row < part->end && !profile->out->error; row++) {
        close_to(profile, ep_rows_position(snapshot, row)->depth);
        if (!ep_report_walk_stack_enter(&profile->stack, snapshot, row)) {
            ep_output_fail(profile->out, errno);
            return;
        }
        write_event(profile, 'O', row);
        pass(profile, row);
    }
    close_to(profile, 0);
}

/* ---- profiles ---- */

/* "time", or with threads "worker: time". */
static void write_name(const struct profile *profile, const struct ep_part *part)
{
    const struct eprof_snapshot *snapshot = profile->snapshot;
    char *text = NULL;
    if (!snapshot->options.threads || part->first == part->end)
        ep_escape_json(profile->out, profile->dimension->name);
    else if (asprintf(&text, "%s: %s", snapshot->rows[part->first].thread,
                      profile->dimension->name) < 0)
        ep_output_fail(profile->out, ENOMEM);
    else
        ep_escape_json(profile->out, text);
    free(text);
}

static void write_profile(struct profile *profile, const struct ep_part *part)
{
    struct ep_output *out = profile->out;
    bool is_ns = profile->dimension->is_duration && !profile->snapshot->options.ticks;
    ep_output_text(out, "{\"type\":\"evented\",\"name\":");
    write_name(profile, part);
    ep_output_print(out, ",\"unit\":\"%s\",\"startValue\":0,\"events\":[",
                    is_ns ? "nanoseconds" : "none");
    profile->between = "\n";
    profile->at = 0;
    write_events(profile, part);
    ep_output_print(out, "],\n\"endValue\":%" PRIu64 "}", profile->at);
}

/* The viewer rejects a file without a profile, so without a tree there is an empty profile. */
static void write_profiles(struct profile *profile)
{
    const struct eprof_snapshot *snapshot = profile->snapshot;
    struct ep_part part = {.first = snapshot->scope_first, .end = snapshot->scope_first};
    const char *between = "\n";
    bool is_tree = ep_rows_part_next(snapshot, &part);
    do
        for (size_t i = 0; i < DIMENSIONS; i++) {
            ep_output_text(profile->out, between);
            profile->dimension = &dimensions[i];
            write_profile(profile, &part);
            between = ",\n";
        }
    while (is_tree && ep_rows_part_next(snapshot, &part));
}

/* ---- the file ---- */

static void write_frame(struct ep_output *out, const struct eprof_row *row)
{
    ep_report_json_member(out, "{", "name", row->name);
    if (*row->file) {
        ep_report_json_member(out, ",", "file", row->file);
        ep_output_print(out, ",\"line\":%u", row->line);
    }
    ep_output_text(out, "}");
}

static void write_head(const struct profile *profile)
{
    struct ep_output *out = profile->out;
    const char *command = profile->snapshot->command;
    ep_output_text(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
                        "\"exporter\":\"eprof\"");
    if (command && *command)
        ep_report_json_member(out, ",", "name", command);
    ep_output_text(out, ",\"activeProfileIndex\":0,\n\"shared\":{\"frames\":[");
    for (uint32_t i = 0; i < profile->frames->count; i++) {
        ep_output_text(out, i > 0 ? ",\n" : "\n");
        write_frame(out, &profile->snapshot->rows[profile->frames->rows[i]]);
    }
    ep_output_text(out, "]},\n\"profiles\":[");
}

void ep_report_speedscope(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_report_frames frames;
    struct profile profile = {.out = out, .snapshot = snapshot, .frames = &frames};
    if (ep_report_walk_frames_find(&frames, snapshot) == 0) {
        write_head(&profile);
        write_profiles(&profile);
        ep_output_text(out, "]}\n");
    } else {
        ep_output_fail(out, errno);
    }
    ep_report_walk_stack_free(&profile.stack);
    ep_report_walk_frames_free(&frames);
}
