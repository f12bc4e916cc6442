/*
 * The format is that of valgrind's manual, "Callgrind Format Specification".
 *
 * Its readers know functions and calls, but no paths. For each row the writer adds the self time to
 * the row's function, and a call with the row's total to the function that called it.
 * callgrind_annotate and KCachegrind compute the inclusive time of a function from the costs of the
 * calls *of* it, not of those that it makes. So self and inclusive times are the exact sums of a
 * function's rows, and no function takes more than the whole, since no row of a function is inside
 * another of it. Therefore every root needs a caller too: its thread.
 *
 * With folded recursion the calls that a function makes can cost more than the function: the time
 * of a folded call is in its own row and in the rows that it passed through. No reader adds up
 * those.
 */
#include "report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/hash.h"
#include "base/wide.h"
#include "report/format.h"
#include "report/walk.h"
#include "snapshot/part.h"

/* The name that threads have in place of a file. */
static const char thread_file[] = "(thread)";

/* A name has a number before it where it is used first, and is replaced by the number from then on.
 * So no name can be mistaken for a number. */
struct writer {
    struct ep_output *out;
    const struct eprof_snapshot *snapshot;
    const struct ep_part *part; /* the current tree */
    struct ep_map files, functions;
};

enum { THREAD = 0 }; /* sites count from 1 */

/* A function or a thread in the current tree. */
struct function {
    const struct eprof_row *row; /* its name, file and line */
    uint32_t site;               /* the number of the site, or THREAD */
    bool is_ambiguous;
};

static struct function function_of(const struct writer *writer, size_t row)
{
    const struct ep_tree_position *position = ep_rows_position(writer->snapshot, row);
    return (struct function){&writer->snapshot->rows[row], position->site,
                             position->mark.is_ambiguous};
}

/* "WORD=(NUMBER)" for a key. True: it has not been used yet, so its name must follow. */
static bool write_number(struct writer *writer, const char *word, struct ep_map *numbers,
                         uint64_t key)
{
    uint32_t number = ep_hash_map_find(numbers, key);
    bool is_new = number == EP_MAP_NONE;
    if (is_new && ep_hash_map_reserve(numbers, numbers->count + 1) != 0) {
        ep_output_fail(writer->out, errno);
        return false;
    }
    if (is_new) {
        number = (uint32_t)numbers->count + 1;
        ep_hash_map_add(numbers, key, number);
    }
    ep_output_print(writer->out, is_new ? "%s=(%" PRIu32 ") " : "%s=(%" PRIu32 ")", word, number);
    return is_new;
}

static void write_file(struct writer *writer, const char *word, const char *file)
{
    if (!write_number(writer, word, &writer->files, (uintptr_t)file))
        file = NULL;
    if (file && *file)
        ep_escape_callgrind(writer->out, file);
    else if (file)
        ep_output_text(writer->out, "???"); /* as valgrind writes an unknown file */
    ep_output_text(writer->out, "\n");
}

/* Readers identify a function by file and name. So an ambiguous name has its location after it, and
 * with threads each name has that of its thread, as valgrind separates a function by callers. */
static void write_name(struct writer *writer, struct function function)
{
    const struct eprof_row *row = function.row;
    ep_escape_callgrind(writer->out, row->name);
    if (function.is_ambiguous && *row->file) {
        ep_output_text(writer->out, " (");
        ep_escape_callgrind(writer->out, ep_report_format_label_base_name(row->file));
        ep_output_print(writer->out, ":%u)", row->line);
    }
    if (function.site != THREAD && writer->snapshot->options.threads) {
        ep_output_text(writer->out, "'");
        ep_escape_callgrind(writer->out, row->thread);
    }
}

static void write_function(struct writer *writer, const char *word, struct function function)
{
    uint64_t key = (uint64_t)writer->part->number << 32 | function.site;
    if (write_number(writer, word, &writer->functions, key))
        write_name(writer, function);
    ep_output_text(writer->out, "\n");
}

/* Calls that have begun, at least one: a scope that was open at a reset may have no call of its
 * own, but calls inside it. If there were 0 calls, readers would add the cost to the caller's own.
 */
static uint64_t calls_of(const struct eprof_snapshot *snapshot, size_t row)
{
    uint64_t calls = snapshot->rows[row].calls + ep_rows_position(snapshot, row)->mark.uncounted;
    return calls ? calls : 1;
}

/* The call site in the caller is not known: the line is that of the caller. */
static void write_call(struct writer *writer, struct function caller, size_t row)
{
    struct function called = function_of(writer, row);
    if (strcmp(caller.row->file, called.row->file) != 0)
        write_file(writer, "cfl", called.row->file);
    write_function(writer, "cfn", called);
    ep_output_print(writer->out, "calls=%" PRIu64 " %u\n%u %" PRIu64 "\n",
                    calls_of(writer->snapshot, row), called.row->line, caller.row->line,
                    called.row->total_ns);
}

/* The first row that was asked for, from `row` on and before `end`. */
static size_t asked_for(const struct writer *writer, size_t row, size_t end)
{
    while (row < end && ep_report_walk_path_is_around(writer->snapshot, row))
        row++;
    return row;
}

/* The children of a row that was not asked for are called by its caller. */
static void write_calls(struct writer *writer, struct function caller, size_t first, size_t end)
{
    for (size_t row = asked_for(writer, first, end); row < end && !writer->out->error;
         row = asked_for(writer, ep_rows_position(writer->snapshot, row)->end, end))
        write_call(writer, caller, row);
}

static void write_row(struct writer *writer, size_t row)
{
    struct function function = function_of(writer, row);
    ep_output_text(writer->out, "\n");
    write_file(writer, "fl", function.row->file);
    write_function(writer, "fn", function);
    ep_output_print(writer->out, "%u %" PRIu64 "\n", function.row->line, function.row->self_ns);
    write_calls(writer, function, row + 1, ep_rows_position(writer->snapshot, row)->end);
}

static void write_tree(struct writer *writer)
{
    const struct ep_part *part = writer->part;
    const struct eprof_row as_row = {.name = writer->snapshot->rows[part->first].thread,
                                     .file = thread_file};
    const struct function thread = {&as_row, THREAD, false};
    ep_output_text(writer->out, "\n");
    write_file(writer, "fl", as_row.file);
    write_function(writer, "fn", thread);
    write_calls(writer, thread, part->first, part->end);
    for (size_t row = asked_for(writer, part->first, part->end);
         row < part->end && !writer->out->error; row = asked_for(writer, row + 1, part->end))
        write_row(writer, row);
}

/* The whole that shares refer to, as in other reports. */
static uint64_t sum_of_trees(const struct eprof_snapshot *snapshot)
{
    struct ep_part part = {.end = snapshot->scope_first};
    uint64_t total_ns = 0;
    while (ep_rows_part_next(snapshot, &part))
        total_ns = ep_saturating_add(total_ns, ep_rows_part_whole(snapshot, &part).total_ns);
    return total_ns;
}

static void write_head(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, "# callgrind format\nversion: 1\ncreator: libeprof\n");
    if (snapshot->process_id)
        ep_output_print(out, "pid: %" PRIu64 "\n", snapshot->process_id);
    if (snapshot->command && *snapshot->command) {
        ep_output_text(out, "cmd: ");
        ep_escape_callgrind(out, snapshot->command);
        ep_output_text(out, "\n");
    }
    ep_output_print(out, "positions: line\nevent: %s : Time in %s\nevents: %s\n", snapshot->unit,
                    snapshot->unit, snapshot->unit);
    ep_output_print(out, "summary: %" PRIu64 "\n", sum_of_trees(snapshot));
}

void ep_report_callgrind(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_part part = {.end = snapshot->scope_first};
    struct writer writer = {.out = out, .snapshot = snapshot, .part = &part};
    write_head(out, snapshot);
    while (ep_rows_part_next(snapshot, &part) && !out->error)
        write_tree(&writer);
    ep_hash_map_free(&writer.files);
    ep_hash_map_free(&writer.functions);
}
