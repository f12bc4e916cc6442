#include "snapshot_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "require.h"

/* The paths of a deep tree with long names would fill the memory. */
enum { PATHS_MOST_BYTES = 1 << 20 };

/* ---- rows, with their other data ---- */

static void write_row(FILE *out, const struct eprof_row *row)
{
    fprintf(out, " %s \"%s\" thread \"%s\" at \"%s\":%u id %d", row->kind, row->name, row->thread,
            row->file, row->line, row->id);
    for (size_t i = 0; i < EP_FIELDS; i++)
        fprintf(out, " %s=%" PRIu64, ep_columns[i].name,
                ep_columns_value(row, ep_columns[i].offset));
}

/* Without the number of the site, which has a meaning only in its image. */
static void write_mark(FILE *out, const struct ep_site_mark *mark)
{
    fprintf(out, "%s%s%s", mark->is_ambiguous ? " ambiguous" : "",
            mark->is_sampled ? " sampled" : "", mark->is_self_rest ? " rest" : "");
}

static void write_outline(FILE *out, const struct ep_sparkline *sparkline)
{
    for (uint8_t i = 0; sparkline && i < sparkline->columns; i++)
        fprintf(out, "%s%u", i ? "," : " sparkline ", sparkline->heights[i]);
}

static void write_instance_place(FILE *out, const struct ep_instance_slot *place)
{
    fprintf(out, " born %" PRIu64 " of thread %" PRIu32, place->born, place->thread);
    write_outline(out, place->distribution.sparkline);
}

static void write_tree_place(FILE *out, const struct ep_tree_position *place)
{
    fprintf(out, " depth %" PRIu32 " in %zd to %zu of thread %" PRIu32 "%s", place->depth,
            (ssize_t)place->parent, place->end, place->thread, place->is_around ? " around" : "");
    write_mark(out, &place->mark);
    write_outline(out, place->distribution.sparkline);
}

static void write_rows(FILE *out, struct eprof_snapshot *snapshot)
{
    size_t most_bytes = PATHS_MOST_BYTES;
    for (size_t i = 0; i < snapshot->row_count; i++) {
        fprintf(out, "row %zu", i);
        write_row(out, &snapshot->rows[i]);
        if (i < snapshot->scope_first)
            write_instance_place(out, &snapshot->instance_slots[i]);
        else if (i < snapshot->diagnostic_first)
            write_tree_place(out, &snapshot->positions[i - snapshot->scope_first]);
        const char *path = most_bytes ? ep_rows_path(snapshot, i) : "";
        require(path != NULL, "there is memory for a path");
        most_bytes -= strlen(path) < most_bytes ? strlen(path) : most_bytes;
        fprintf(out, " path \"%s\"\n", path);
    }
}

static void write_tops(FILE *out, const struct eprof_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->top_count; i++) {
        fprintf(out, "top %zu", i);
        write_row(out, &snapshot->tops[i]);
        write_mark(out, &snapshot->top_marks[i]);
        fprintf(out, "\n");
    }
}

/* ---- the whole text ---- */

/* Rates are printed with all their digits. */
static void write_head(FILE *out, const struct eprof_snapshot *snapshot)
{
    fprintf(out,
            "rows %zu, scopes from %zu, diagnostics from %zu, sampled %zu, clock errors %" PRIu64
            "\n",
            snapshot->row_count, snapshot->scope_first, snapshot->diagnostic_first,
            snapshot->sampled_count, snapshot->clock_errors);
    fprintf(out, "of \"%s\", process %" PRIu64 ", %" PRIu64 " ns\n",
            snapshot->command ? snapshot->command : "(itself)", snapshot->process_id,
            snapshot->realtime_ns);
    fprintf(out, "in %s by \"%s\": %.17g ticks/us, step %.17g\n", snapshot->unit, snapshot->source,
            snapshot->ticks_per_us, snapshot->resolution_ns);
    fprintf(out, "pair %.17g and %.17g, scope %.17g and %.17g, function %.17g and %.17g\n",
            snapshot->pair_ns, snapshot->inside_ns, snapshot->scope_pair_ns,
            snapshot->scope_inside_ns, snapshot->function_pair_ns, snapshot->function_inside_ns);
}

static void write_all(FILE *out, struct eprof_snapshot *snapshot)
{
    write_head(out, snapshot);
    write_rows(out, snapshot);
    write_tops(out, snapshot);
    if (snapshot->by_threads) {
        fprintf(out, "by threads\n");
        write_all(out, snapshot->by_threads);
    }
}

static FILE *begin(char **text, size_t *bytes)
{
    FILE *out = open_memstream(text, bytes);
    require(out != NULL, "there is memory for a text");
    return out;
}

char *snapshot_text(struct eprof_snapshot *snapshot)
{
    char *text;
    size_t bytes;
    FILE *out = begin(&text, &bytes);
    write_all(out, snapshot);
    fclose(out);
    return text;
}

char *snapshot_text_of_image(const struct ep_image *image, bool is_net)
{
    static const struct ep_snapshot_options all[] = {
        {.both = true, .sparklines = true}, {.ticks = true}, {.raw = true}};
    size_t count = sizeof all / sizeof all[0] - is_net;
    char *text;
    size_t bytes;
    FILE *out = begin(&text, &bytes);
    for (size_t i = 0; i < count; i++) {
        struct eprof_snapshot *snapshot = ep_snapshot_take_stored(image, all[i]);
        require(snapshot != NULL, "there is memory for a snapshot of a sound image");
        write_all(out, snapshot);
        ep_snapshot_free(snapshot);
    }
    fclose(out);
    return text;
}

/* ---- comparison ---- */

static int line_bytes(const char *line)
{
    return (int)strcspn(line, "\n");
}

/* Prints the first lines in which the texts differ. */
static void tell_difference(const char *text, const char *other)
{
    size_t line = 0;
    for (size_t i = 0; text[i] && text[i] == other[i]; i++)
        line = text[i] == '\n' ? i + 1 : line;
    fprintf(stderr, "%.*s\nand\n%.*s\n", line_bytes(text + line), text + line,
            line_bytes(other + line), other + line);
}

void require_same_text(char *text, char *other, const char *what)
{
    bool is_same = strcmp(text, other) == 0;
    if (!is_same)
        tell_difference(text, other);
    require(is_same, what);
    free(text);
    free(other);
}
