/*
 * The format is that of valgrind's manual, "Callgrind Format Specification".
 *
 * Its readers know functions and calls, and no paths. A row gives its function the row's self time,
 * and the function that it was called in a call with the row's total. callgrind_annotate and
 * KCachegrind add up what the calls *of* a function cost, and not what it calls: that is its
 * inclusive time. So self and inclusive times are the sums of a function's rows, to the last ns,
 * and no function takes more than the whole: of two rows of one function none is inside the other.
 * For that, every root has to be called as well: by its thread.
 *
 * Where recursion folds, the calls that a function makes can come to more than itself: the time of
 * what was folded is in its own row, and in those that it passed through. Nobody adds them up.
 */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "escape_callgrind.h"
#include "map.h"
#include "report_label.h"
#include "report_path.h"
#include "snapshot_part.h"

/* No file of a program: what threads are called by. */
static const char thread_file[] = "(thread)";

/* What functions are told by: a name stands where it is used first, with a number that stands for
 * it from then on. So no name can be taken for a number. */
struct writer {
    struct ep_output *out;
    const struct eprof_snapshot *snapshot;
    const struct ep_part *part; /* the tree at hand */
    struct ep_map files, functions;
};

enum { THREAD = 0 }; /* sites count from 1 */

/* A function, or a thread, in the tree at hand. */
struct function {
    const struct eprof_row *row; /* its name, file and line */
    uint32_t site;               /* THREAD, or its number */
    bool is_ambiguous;
};

static struct function function_of(const struct writer *writer, size_t row)
{
    const struct ep_tree_place *place =
        &writer->snapshot->places[row - writer->snapshot->scope_first];
    return (struct function){&writer->snapshot->rows[row], place->site, place->mark.is_ambiguous};
}

/* The number that stands for `key`; *is_new: nothing has been told by it. */
static uint32_t number_of(struct writer *writer, struct ep_map *numbers, uint64_t key, bool *is_new)
{
    uint32_t number = ep_map_find(numbers, key);
    *is_new = number == EP_MAP_NONE;
    if (!*is_new)
        return number;
    if (ep_map_reserve(numbers, numbers->count + 1) != 0) {
        ep_output_fail(writer->out, errno);
        return 0;
    }
    number = (uint32_t)numbers->count + 1;
    ep_map_add(numbers, key, number);
    return number;
}

static void write_file(struct writer *writer, const char *word, const char *file)
{
    bool is_new;
    uint32_t number = number_of(writer, &writer->files, (uintptr_t)file, &is_new);
    ep_output_print(writer->out, "%s=(%" PRIu32 ")", word, number);
    if (is_new) {
        ep_output_text(writer->out, " ");
        if (*file)
            ep_escape_callgrind(writer->out, file);
        else
            ep_output_text(writer->out, "???"); /* as valgrind says that it does not know */
    }
    ep_output_text(writer->out, "\n");
}

/* To readers a function is its file and name: so those of one name have their place behind it,
 * and by threads each has the thread's, as valgrind tells a function by its callers. */
static void write_name(struct writer *writer, struct function function)
{
    const struct eprof_row *row = function.row;
    ep_escape_callgrind(writer->out, row->name);
    if (function.is_ambiguous && *row->file) {
        ep_output_text(writer->out, " (");
        ep_escape_callgrind(writer->out, ep_report_label_base_name(row->file));
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
    bool is_new;
    uint32_t number = number_of(writer, &writer->functions, key, &is_new);
    ep_output_print(writer->out, "%s=(%" PRIu32 ")", word, number);
    if (is_new) {
        ep_output_text(writer->out, " ");
        write_name(writer, function);
    }
    ep_output_text(writer->out, "\n");
}

/* Calls that have begun. To a reader no calls cost nothing, and what they cost would be taken for
 * the caller's own: there is one at least, where one from before a reset has others in it. */
static uint64_t calls_of(const struct eprof_row *row)
{
    uint64_t calls = row->calls + row->open;
    return calls ? calls : 1;
}

/* Where in the caller it is called is not known: it is told as the place of the caller. */
static void write_call(struct writer *writer, struct function caller, size_t row)
{
    struct function called = function_of(writer, row);
    if (strcmp(caller.row->file, called.row->file) != 0)
        write_file(writer, "cfl", called.row->file);
    write_function(writer, "cfn", called);
    ep_output_print(writer->out, "calls=%" PRIu64 " %u\n%u %" PRIu64 "\n", calls_of(called.row),
                    called.row->line, caller.row->line, called.row->total_ns);
}

/* The first row from `row` on, before `end`, that was asked for. */
static size_t asked_for(const struct writer *writer, size_t row, size_t end)
{
    while (row < end && ep_report_path_is_around(writer->snapshot, row))
        row++;
    return row;
}

/* What is in a row that was not asked for is called by who called that. */
static void write_calls(struct writer *writer, struct function caller, size_t first, size_t end)
{
    const struct ep_tree_place *places = writer->snapshot->places;
    for (size_t row = asked_for(writer, first, end); row < end && !writer->out->error;
         row = asked_for(writer, places[row - writer->snapshot->scope_first].end, end))
        write_call(writer, caller, row);
}

static void write_row(struct writer *writer, size_t row)
{
    struct function function = function_of(writer, row);
    ep_output_text(writer->out, "\n");
    write_file(writer, "fl", function.row->file);
    write_function(writer, "fn", function);
    ep_output_print(writer->out, "%u %" PRIu64 "\n", function.row->line, function.row->self_ns);
    write_calls(writer, function, row + 1,
                writer->snapshot->places[row - writer->snapshot->scope_first].end);
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

static struct ep_part before_the_first(const struct eprof_snapshot *snapshot)
{
    return (struct ep_part){.end = snapshot->scope_first};
}

/* Of all there is: shares are parts of that, as in other reports. */
static uint64_t sum_of_trees(const struct eprof_snapshot *snapshot)
{
    struct ep_part part = before_the_first(snapshot);
    uint64_t total_ns = 0;
    while (ep_part_next(snapshot, &part))
        total_ns += ep_part_whole(snapshot, &part).total_ns;
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
    struct ep_part part = before_the_first(snapshot);
    struct writer writer = {.out = out, .snapshot = snapshot, .part = &part};
    write_head(out, snapshot);
    while (ep_part_next(snapshot, &part) && !out->error)
        write_tree(&writer);
    ep_map_free(&writer.files);
    ep_map_free(&writer.functions);
}
