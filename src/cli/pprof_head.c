#include "pprof_head.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report_origin.h"
#include "report_trouble.h"
#include "text_output.h"

static const struct {
    const char *name;
    bool is_time;
} values[EP_PPROF_VALUES] = {
    [EP_PPROF_CALLS] = {"calls", false},
    [EP_PPROF_TIME] = {"time", true},
    [EP_PPROF_INSTANCE_CALLS] = {"instance_calls", false},
    [EP_PPROF_INSTANCE_TIME] = {"instance_time", true},
};

/* The names that pprof knows of units; others it shows as they are. */
static const char *unit_of(const struct eprof_snapshot *snapshot, enum ep_pprof_value value)
{
    if (!values[value].is_time)
        return "count";
    return snapshot->options.ticks ? "ticks" : "nanoseconds";
}

static Ep__Pprof__ValueType type_of(struct ep_pprof_texts *texts,
                                    const struct eprof_snapshot *snapshot,
                                    enum ep_pprof_value value)
{
    Ep__Pprof__ValueType type = EP__PPROF__VALUE_TYPE__INIT;
    type.type = ep_pprof_texts_find(texts, values[value].name);
    type.unit = ep_pprof_texts_find(texts, unit_of(snapshot, value));
    return type;
}

/* A sample is a sum of calls, not what was seen at some moment: hence a period of 1. Of a file gone
 * bad the time may be none that the format can hold. */
static void write_types(struct ep_pprof_pieces *pieces, struct ep_pprof_texts *texts,
                        const struct eprof_snapshot *snapshot)
{
    bool has_scopes = snapshot->trouble_first > snapshot->scope_first;
    enum ep_pprof_value shown_first =
        has_scopes || !snapshot->scope_first ? EP_PPROF_TIME : EP_PPROF_INSTANCE_TIME;
    Ep__Pprof__Profile piece = EP__PPROF__PROFILE__INIT;
    Ep__Pprof__ValueType types[EP_PPROF_VALUES], *list[EP_PPROF_VALUES];
    for (enum ep_pprof_value i = 0; i < EP_PPROF_VALUES; i++) {
        types[i] = type_of(texts, snapshot, i);
        list[i] = &types[i];
    }
    piece.n_sample_type = EP_PPROF_VALUES;
    piece.sample_type = list;
    piece.default_sample_type = types[shown_first].type;
    piece.period_type = &types[EP_PPROF_TIME];
    piece.period = 1;
    piece.time_nanos = snapshot->realtime_ns <= INT64_MAX ? (int64_t)snapshot->realtime_ns : 0;
    ep_pprof_pieces_write(pieces, &piece);
}

/* Without a program pprof would warn that it misses one, and of one whose functions it is not told
 * it would look for them. The command line's first word may be a part of a name with a blank; it is
 * a heading and no more. */
static void write_program(struct ep_pprof_pieces *pieces, struct ep_pprof_texts *texts,
                          const char *command)
{
    Ep__Pprof__Mapping program = EP__PPROF__MAPPING__INIT, *programs = &program;
    program.id = EP_PPROF_PROGRAM;
    program.filename = ep_pprof_texts_find_bytes(texts, command, strcspn(command, " "));
    program.has_functions = program.has_filenames = program.has_line_numbers = true;
    Ep__Pprof__Profile piece = EP__PPROF__PROFILE__INIT;
    piece.n_mapping = 1;
    piece.mapping = &programs;
    ep_pprof_pieces_write(pieces, &piece);
}

/* The lines of what a report for people says of itself: of what it is, and how far its figures can
 * be trusted. To be freed. NULL and errno. */
static char *lines_about(const struct eprof_snapshot *snapshot)
{
    struct ep_text_output lines;
    if (ep_text_output_open(&lines) != 0)
        return NULL;
    ep_report_origin_write(&lines.out, snapshot, 0, "");
    ep_report_trouble_write(&lines.out, snapshot);
    return ep_text_output_close(&lines);
}

void ep_pprof_head_comment(struct ep_pprof_pieces *pieces, struct ep_pprof_texts *texts,
                           const char *line, size_t bytes)
{
    int64_t comment = ep_pprof_texts_find_bytes(texts, line, bytes);
    Ep__Pprof__Profile piece = EP__PPROF__PROFILE__INIT;
    piece.n_comment = 1;
    piece.comment = &comment;
    ep_pprof_pieces_write(pieces, &piece);
}

static void write_comments(struct ep_pprof_pieces *pieces, struct ep_pprof_texts *texts,
                           const struct eprof_snapshot *snapshot)
{
    char *lines = lines_about(snapshot);
    if (!lines) {
        ep_output_fail(pieces->out, errno);
        return;
    }
    for (const char *line = lines; *line; line += strspn(line, "\n")) {
        size_t bytes = strcspn(line, "\n");
        if (bytes > 0)
            ep_pprof_head_comment(pieces, texts, line, bytes);
        line += bytes;
    }
    free(lines);
}

void ep_pprof_head_write(struct ep_pprof_pieces *pieces, struct ep_pprof_texts *texts,
                         const struct eprof_snapshot *snapshot)
{
    const char *command = snapshot->command ? snapshot->command : "";
    write_types(pieces, texts, snapshot);
    write_program(pieces, texts, *command ? command : "unknown");
    write_comments(pieces, texts, snapshot);
}
