/* A report for `go tool pprof`. */
#include "cli/options.h"

#include <errno.h>
#include <limits.h>
#include <pprof.pb-c.h> /* made of pprof.proto */
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST /* zlib does not change its input */
#include <zlib.h>

#include "base/escape.h"
#include "cli/pprof/pprof.h"
#include "merge/tables.h"
#include "report/format.h"
#include "report/walk.h"

/* The values of each sample, in their order. Scopes and instances overlap, so that one sum of both
 * would be wrong; numbers that were recorded have other units. All are always there, since pprof
 * compares only profiles that have the same. Calls come first, since with -mean pprof divides by
 * the first. */
enum value {
    CALLS,
    TIME,
    INSTANCE_CALLS,
    INSTANCE_TIME,
    NUMBERS,     /* how many were recorded */
    NUMBERS_SUM, /* of EPROF_VALUE */
    BYTES,       /* of EPROF_BYTES */
    OVER_BUDGET, /* the time by which frames exceeded their budget */
    VALUES
};

/*
 * The format has no tree: each sample has its whole stack, and all those of a chain of n scopes are
 * n * n / 2 frames. The middle of a longer stack is left out: the innermost frames say whose time
 * it is and who called, the outermost where in the program that was.
 *
 * 256 is twice what Go's own profiler (1.23) and perf (sysctl kernel.perf_event_max_stack) record.
 * With 256 frames pprof takes 1.2 GB of memory for a chain of 100,000 scopes.
 */
enum { FRAMES = 256, OUTER_FRAMES = 64 };

struct ep_pprof {
    struct ep_output *out; /* keeps the first error */
    struct ep_pprof_head head;
    const struct eprof_snapshot *snapshot; /* of the process that is being added */
    const char *process;                   /* its label; NULL: none */
    uint64_t program;                      /* the number of its mapping, from 1 */
    uint64_t function_count;               /* of the processes before it */
    bool has_scopes, has_instances;        /* of any process */
    bool is_in_ticks;
    z_stream stream;
    uint8_t *bytes; /* of one piece */
    size_t room;
    struct ep_merge_names texts; /* by their index; 0 is the empty text */
    struct ep_map functions;     /* of the process; their numbers less `function_count` */
    struct ep_report_stack stack;
    size_t cut_count; /* the number of stacks with frames left out */
};

/* ---- compression ---- */

/* zlib's `windowBits` and `memLevel`: the largest window, and 16 more for a gzip header. Without a
 * call of deflateSetHeader() the header has no time, so the same profile gives the same file. */
enum { WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8 };

/* Runs until zlib has taken all input and, at the end, has written all output. */
static void compress_all(struct ep_pprof *to, int flush)
{
    unsigned char chunk[16 * 1024];
    do {
        to->stream.next_out = chunk;
        to->stream.avail_out = sizeof chunk;
        deflate(&to->stream, flush); /* fails only if the stream was not initialized */
        ep_output_bytes(to->out, (const char *)chunk, sizeof chunk - to->stream.avail_out);
    } while (to->stream.avail_out == 0);
}

/* ---- pieces ---- */

static bool make_room(struct ep_pprof *to, size_t bytes)
{
    if (bytes <= to->room)
        return true;
    uint8_t *larger = bytes <= UINT_MAX ? realloc(to->bytes, bytes) : NULL;
    if (!larger) {
        ep_output_fail(to->out, ENOMEM);
        return false;
    }
    to->bytes = larger;
    to->room = bytes;
    return true;
}

/* Several messages one after the other are read as one message, whose lists are joined
 * (protobuf.dev/programming-guides/encoding, "Last One Wins"). So a profile never needs to be in
 * memory as a whole. */
static void write_piece(struct ep_pprof *to, const Ep__Pprof__Profile *piece)
{
    if (to->out->error || !make_room(to, ep__pprof__profile__get_packed_size(piece)))
        return;
    to->stream.avail_in = (unsigned)ep__pprof__profile__pack(piece, to->bytes);
    to->stream.next_in = to->bytes;
    compress_all(to, Z_NO_FLUSH);
}

/* ---- texts, each of which is written once, at the end ---- */

static int64_t bytes_index(struct ep_pprof *to, const char *text, size_t bytes)
{
    uint32_t index = bytes <= UINT32_MAX
                         ? ep_merge_tables_names_find(&to->texts, text, (uint32_t)bytes)
                         : EP_MAP_NONE;
    if (index != EP_MAP_NONE)
        return index;
    ep_output_fail(to->out, ENOMEM);
    return 0;
}

static int64_t text_index(struct ep_pprof *to, const char *text)
{
    return bytes_index(to, text, strlen(text));
}

/* Escapes the text like a name on a terminal: pprof writes it to one, and the format takes only
 * UTF-8. */
static void write_text(struct ep_pprof *to, const char *text)
{
    struct ep_text_output shown;
    char *escaped = NULL;
    if (ep_output_text_open(&shown) == 0) {
        ep_escape_name(&shown.out, text);
        escaped = ep_output_text_close(&shown);
    }
    Ep__Pprof__Profile piece = EP__PPROF__PROFILE__INIT;
    piece.n_string_table = 1;
    piece.string_table = &escaped;
    if (escaped)
        write_piece(to, &piece);
    else
        ep_output_fail(to->out, errno);
    free(escaped);
}

/* ---- the origin of the profile, and what its values are ---- */

/* The units have the names that pprof knows; others it shows as they are. */
static Ep__Pprof__ValueType type_of(struct ep_pprof *to, enum value value)
{
    static const char *const names[VALUES] = {"calls",  "time",  "instance_calls", "instance_time",
                                              "values", "value", "bytes",          "over_budget"};
    const char *unit = to->is_in_ticks ? "ticks" : "nanoseconds";
    bool is_time = value == TIME || value == INSTANCE_TIME || value == OVER_BUDGET;
    Ep__Pprof__ValueType type = EP__PPROF__VALUE_TYPE__INIT;
    type.type = text_index(to, names[value]);
    type.unit = text_index(to, is_time ? unit : value == BYTES ? "bytes" : "count");
    return type;
}

/* The format has signed numbers; 2^63 ns are 292 years, which only a damaged file has. */
static int64_t as_value(uint64_t figure)
{
    return figure <= INT64_MAX ? (int64_t)figure : INT64_MAX;
}

/* The period is 1, since a sample is a sum of calls, not the state at some moment. */
static void write_types(struct ep_pprof *to)
{
    enum value shown_first = to->has_scopes || !to->has_instances ? TIME : INSTANCE_TIME;
    Ep__Pprof__Profile piece = EP__PPROF__PROFILE__INIT;
    Ep__Pprof__ValueType types[VALUES], *list[VALUES];
    for (enum value i = 0; i < VALUES; i++) {
        types[i] = type_of(to, i);
        list[i] = &types[i];
    }
    piece.n_sample_type = VALUES;
    piece.sample_type = list;
    piece.default_sample_type = types[shown_first].type;
    piece.period_type = &types[TIME];
    piece.period = 1;
    piece.time_nanos = as_value(to->head.realtime_ns);
    piece.duration_nanos = as_value(to->head.duration_ns);
    write_piece(to, &piece);
}

/* Without a program pprof would warn. It would look up the functions of a program that does not
 * state that it has them. The first word of the command line may be only a part of a name with a
 * blank; it is only a heading. */
static void write_program(struct ep_pprof *to)
{
    const char *command = to->snapshot->command;
    if (!command || !*command)
        command = "unknown";
    Ep__Pprof__Mapping program = EP__PPROF__MAPPING__INIT, *programs = &program;
    program.id = to->program;
    program.filename = bytes_index(to, command, strcspn(command, " "));
    program.has_functions = program.has_filenames = program.has_line_numbers = true;
    Ep__Pprof__Profile piece = EP__PPROF__PROFILE__INIT;
    piece.n_mapping = 1;
    piece.mapping = &programs;
    write_piece(to, &piece);
}

/* A line that pprof shows above its own reports. */
static void write_comment(struct ep_pprof *to, const char *line, size_t bytes)
{
    int64_t comment = bytes_index(to, line, bytes);
    Ep__Pprof__Profile piece = EP__PPROF__PROFILE__INIT;
    piece.n_comment = 1;
    piece.comment = &comment;
    write_piece(to, &piece);
}

/* The lines of a report for people: the origin, and how far the figures can be trusted. */
static void write_comments(struct ep_pprof *to)
{
    struct ep_text_output text;
    char *lines = NULL;
    if (ep_output_text_open(&text) == 0) {
        ep_report_format_origin(&text.out, to->snapshot, 0, "");
        ep_report_notes_write(&text.out, to->snapshot);
        lines = ep_output_text_close(&text);
    }
    if (!lines)
        ep_output_fail(to->out, errno);
    for (const char *line = lines; line && *line; line += strspn(line, "\n")) {
        size_t bytes = strcspn(line, "\n");
        if (bytes > 0)
            write_comment(to, line, bytes);
        line += bytes;
    }
    free(lines);
}

/* ---- functions: scopes, instances and what numbers were recorded as ---- */

/* Keys: the number of a site or of a label, which is less than 2^32, and which of the two it is. */
#define OF_SITES (UINT64_C(1) << 32)
#define OF_LABELS (UINT64_C(2) << 32)
#define OF_GAPS (UINT64_C(3) << 32)
#define OF_NUMBERS (UINT64_C(4) << 32)

/* To pprof a sample is at a location, a location in a line, a line in a function. Here each
 * function has one location, in the line where it begins, with the same number. */
static void write_function(struct ep_pprof *to, uint64_t number, const struct eprof_row *row)
{
    Ep__Pprof__Function function = EP__PPROF__FUNCTION__INIT, *function_list = &function;
    function.id = number;
    function.name = text_index(to, row->name);
    function.filename = text_index(to, row->file);
    function.start_line = row->line;

    Ep__Pprof__Line line = EP__PPROF__LINE__INIT, *line_list = &line;
    line.function_id = number;
    line.line = row->line;

    Ep__Pprof__Location location = EP__PPROF__LOCATION__INIT, *location_list = &location;
    location.id = number;
    location.mapping_id = to->program;
    location.n_line = 1;
    location.line = &line_list;

    Ep__Pprof__Profile piece = EP__PPROF__PROFILE__INIT;
    piece.n_function = 1;
    piece.function = &function_list;
    piece.n_location = 1;
    piece.location = &location_list;
    write_piece(to, &piece);
}

/* The number of a row's function, which is written when it is first asked for. */
static uint64_t number_of(struct ep_pprof *to, uint64_t key, const struct eprof_row *row)
{
    uint32_t known = ep_hash_map_find(&to->functions, key);
    if (known != EP_MAP_NONE)
        return to->function_count + known;
    size_t number = to->functions.count + 1;
    if (ep_hash_map_reserve(&to->functions, number) != 0) {
        ep_output_fail(to->out, ENOMEM);
        return 0;
    }
    ep_hash_map_add(&to->functions, key, (uint32_t)number);
    write_function(to, to->function_count + number, row);
    return to->function_count + number;
}

/* ---- samples ---- */

/* pprof ignores an empty label. */
static void add_label(struct ep_pprof *to, Ep__Pprof__Sample *sample, Ep__Pprof__Label *label,
                      const char *key, const char *text)
{
    ep__pprof__label__init(label);
    label->key = text_index(to, key);
    label->str = text_index(to, text);
    sample->label[sample->n_label++] = label;
}

/* `sum` is the value of `what`. Of several processes, samples of zeros would be most of the profile
 * of some seconds. */
static void write_sample(struct ep_pprof *to, const struct eprof_row *row, enum value calls,
                         enum value what, int64_t sum, uint64_t *frames, size_t frame_count)
{
    int64_t values[VALUES] = {0};
    values[calls] = as_value(row->calls);
    values[what] = sum;
    if (to->process && !values[calls] && !sum)
        return;
    Ep__Pprof__Sample sample = EP__PPROF__SAMPLE__INIT, *samples = &sample;
    Ep__Pprof__Label labels[2], *label_list[2];
    sample.n_location_id = frame_count;
    sample.location_id = frames;
    sample.n_value = VALUES;
    sample.value = values;
    sample.label = label_list;
    if (to->snapshot->options.threads && *row->thread)
        add_label(to, &sample, &labels[0], "thread", row->thread);
    if (to->process)
        add_label(to, &sample, &labels[1], "process", to->process);
    Ep__Pprof__Profile piece = EP__PPROF__PROFILE__INIT;
    piece.n_sample = 1;
    piece.sample = &samples;
    write_piece(to, &piece);
}

static void write_instance(struct ep_pprof *to, const struct eprof_row *row)
{
    uint64_t frame = number_of(to, OF_LABELS + (uint64_t)text_index(to, row->name), row);
    write_sample(to, row, INSTANCE_CALLS, INSTANCE_TIME, as_value(row->total_ns), &frame, 1);
}

/* Lists the frames of the current scope, the innermost first, after `count` others. Returns the
 * number of all. */
static size_t list_frames(struct ep_pprof *to, uint64_t frames[FRAMES], size_t count)
{
    static const struct eprof_row gap = {.name = "(frames left out)", .file = ""};
    size_t depth = to->stack.count + count;
    for (size_t i = to->stack.count; i > 0; i--) {
        if (depth > FRAMES && count == FRAMES - OUTER_FRAMES - 1) {
            frames[count++] = number_of(to, OF_GAPS, &gap);
            i = OUTER_FRAMES;
        }
        size_t row = to->stack.rows[i - 1];
        uint32_t site = ep_rows_position(to->snapshot, row)->site;
        frames[count++] = number_of(to, OF_SITES + site, &to->snapshot->rows[row]);
    }
    to->cut_count += depth > FRAMES;
    return count;
}

/* The value is the self time: pprof itself adds up the time inside. */
static void write_scope(struct ep_pprof *to, size_t index)
{
    const struct eprof_row *row = &to->snapshot->rows[index];
    uint64_t frames[FRAMES];
    if (!ep_report_walk_stack_enter(&to->stack, to->snapshot, index))
        ep_output_fail(to->out, errno);
    else if (!ep_report_walk_path_is_around(to->snapshot, index))
        write_sample(to, row, CALLS, TIME, as_value(row->self_ns), frames,
                     list_frames(to, frames, 0));
}

/* ---- numbers: a sample for each call path, whose innermost frame has their name ---- */

static enum value kind_of(const struct eprof_row *row)
{
    return strcmp(row->unit, "bytes") == 0 ? BYTES
           : strcmp(row->unit, "1") == 0   ? NUMBERS_SUM
                                           : OVER_BUDGET;
}

/* The rows of the scopes around, from the root. */
static bool stack_up(struct ep_pprof *to, size_t around)
{
    size_t count = 0;
    for (size_t row = around; row != SIZE_MAX; row = ep_rows_position(to->snapshot, row)->parent)
        count++;
    struct ep_report_stack *stack = &to->stack;
    while (stack->room < count) {
        void *rows = ep_memory_room(stack->rows, stack->room, &stack->room, sizeof *stack->rows);
        if (!rows)
            return false;
        stack->rows = rows;
    }
    stack->count = count;
    for (size_t row = around; row != SIZE_MAX; row = ep_rows_position(to->snapshot, row)->parent)
        stack->rows[--count] = row;
    return true;
}

static void write_numbers(struct ep_pprof *to, size_t index)
{
    const struct eprof_row *row = &to->snapshot->values[index];
    const struct ep_value_mark *mark = &to->snapshot->value_marks[index];
    uint64_t frames[FRAMES];
    frames[0] = number_of(to, OF_NUMBERS + mark->site, row);
    if (!stack_up(to, mark->around))
        ep_output_fail(to->out, ENOMEM);
    else
        write_sample(to, row, NUMBERS, kind_of(row), (int64_t)row->total_ns, frames,
                     list_frames(to, frames, 1));
}

/* A function in the middle of a cut stack shows less below it than it had. */
static void write_cut_count(struct ep_pprof *to)
{
    char line[128];
    int bytes = snprintf(line, sizeof line,
                         "stacks of more than %d frames, of which the middle is left out (and "
                         "missing in cum): %zu",
                         FRAMES, to->cut_count);
    if (to->cut_count > 0)
        write_comment(to, line, (size_t)bytes);
}

/* ---- the report ---- */

struct ep_pprof *ep_pprof_begin(struct ep_output *out, const struct ep_pprof_head *head)
{
    struct ep_pprof *to = calloc(1, sizeof *to);
    if (!to)
        return NULL;
    to->out = out;
    to->head = *head;
    if (deflateInit2(&to->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        ep_output_fail(out, ENOMEM);
    text_index(to, "");
    return to;
}

void ep_pprof_add(struct ep_pprof *to, const struct eprof_snapshot *snapshot, const char *process)
{
    to->snapshot = snapshot;
    to->process = process;
    to->program++;
    to->function_count += to->functions.count;
    ep_hash_map_clear(&to->functions);
    to->has_scopes |= snapshot->diagnostic_first > snapshot->scope_first;
    to->has_instances |= snapshot->scope_first > 0;
    /* the time of a damaged file may be too large for the format */
    if (!to->head.realtime_ns && snapshot->realtime_ns <= INT64_MAX)
        to->head.realtime_ns = snapshot->realtime_ns;
    to->is_in_ticks = snapshot->options.ticks;
    write_program(to);
    if (!process)
        write_comments(to);
    for (size_t i = 0; i < snapshot->diagnostic_first && !to->out->error; i++)
        if (i < snapshot->scope_first)
            write_instance(to, &snapshot->rows[i]);
        else
            write_scope(to, i);
    for (size_t i = 0; i < snapshot->value_count && !to->out->error; i++)
        write_numbers(to, i);
    ep_report_walk_stack_free(&to->stack);
}

void ep_pprof_comment(struct ep_pprof *to, const char *line)
{
    write_comment(to, line, strlen(line));
}

void ep_pprof_end(struct ep_pprof *to)
{
    write_types(to);
    write_cut_count(to);
    for (uint32_t i = 0; i < to->texts.table.count && !to->out->error; i++)
        write_text(to, ep_merge_names_at(&to->texts, i)->text);
    if (!to->out->error)
        compress_all(to, Z_FINISH);
    deflateEnd(&to->stream); /* refuses a stream that was not initialized */
    ep_hash_map_free(&to->functions);
    ep_merge_tables_names_free(&to->texts);
    free(to->bytes);
    free(to);
}

static void write_pprof(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_pprof *to = ep_pprof_begin(out, &(struct ep_pprof_head){.duration_ns = 0});
    if (!to) {
        ep_output_fail(out, ENOMEM);
        return;
    }
    ep_pprof_add(to, snapshot, NULL);
    ep_pprof_end(to);
}

const struct ep_report ep_pprof_report = {.name = "pprof", .write = write_pprof};
