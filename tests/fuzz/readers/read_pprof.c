/* Uses zlib and protobuf-c: each row is a sample, in the same order. */
#include <zlib.h>

#include "../require.h"
#include "pprof.pb-c.h"
#include "readers.h"
#include "shown.h"

static const char *string_of(const Ep__Pprof__Profile *profile, int64_t number)
{
    require(number >= 0 && (uint64_t)number < profile->n_string_table, "a text is in the table");
    return profile->string_table[number];
}

static void require_text(const Ep__Pprof__Profile *profile, int64_t number, const char *text)
{
    require(is_text(shown_to_people(text), string_of(profile, number)), "pprof has a text");
}

/* Functions and locations are numbered from 1, each at its place. */
static void require_frame(const Ep__Pprof__Profile *profile, uint64_t location,
                          const struct eprof_row *row)
{
    require(location > 0 && location <= profile->n_location, "there is such a location");
    const Ep__Pprof__Line *line = profile->location[location - 1]->line[0];
    require(line->function_id > 0 && line->function_id <= profile->n_function,
            "there is such a function");
    const Ep__Pprof__Function *function = profile->function[line->function_id - 1];
    require_text(profile, function->name, row->name);
    require_text(profile, function->filename, row->file);
    require(line->line == row->line && function->start_line == row->line, "and it has its line");
}

static void require_thread(const Ep__Pprof__Profile *profile, const Ep__Pprof__Sample *sample,
                           const char *thread)
{
    require(sample->n_label == (*thread ? 1 : 0), "a thread is a label, and no thread is none");
    if (*thread) {
        require_text(profile, sample->label[0]->key, "thread");
        require_text(profile, sample->label[0]->str, thread);
    }
}

static void require_sample(const Ep__Pprof__Profile *profile, const struct eprof_snapshot *snapshot,
                           size_t index)
{
    const Ep__Pprof__Sample *sample = profile->sample[index];
    const struct eprof_row *row = &snapshot->rows[index];
    bool is_scope_row = index >= snapshot->scope_first;
    size_t depth = 0;
    for (size_t at = index; at != SIZE_MAX; depth++) {
        require(depth < sample->n_location_id, "a stack has all frames");
        require_frame(profile, sample->location_id[depth], &snapshot->rows[at]);
        at = is_scope_row ? snapshot->positions[at - snapshot->scope_first].parent : SIZE_MAX;
    }
    require(depth == sample->n_location_id && sample->n_value == 8, "and no more");
    size_t first = is_scope_row ? 0 : 2;
    require((uint64_t)sample->value[first] == row->calls, "pprof has the calls");
    require((uint64_t)sample->value[first + 1] == (is_scope_row ? row->self_ns : row->total_ns),
            "and the time");
    require_thread(profile, sample, snapshot->options.threads ? row->thread : "");
}

static void require_value(const Ep__Pprof__Profile *profile, const struct eprof_snapshot *snapshot,
                          size_t index)
{
    const Ep__Pprof__Sample *sample = profile->sample[snapshot->diagnostic_first + index];
    const struct eprof_row *row = &snapshot->values[index];
    size_t depth = 1;
    require(sample->n_location_id > 0 && sample->n_value == 8, "a value has a frame");
    require_frame(profile, sample->location_id[0], row);
    for (size_t at = snapshot->value_marks[index].around; at != SIZE_MAX; depth++) {
        require(depth < sample->n_location_id, "its stack has all scopes around");
        require_frame(profile, sample->location_id[depth], &snapshot->rows[at]);
        at = snapshot->positions[at - snapshot->scope_first].parent;
    }
    require(depth == sample->n_location_id, "and no more");
    require((uint64_t)sample->value[4] == row->calls, "pprof has how many there were");
    require(sample->value[5] + sample->value[6] + sample->value[7] == (int64_t)row->total_ns,
            "and their sum");
    require_thread(profile, sample, snapshot->options.threads ? row->thread : "");
}

/* The caller frees the text. */
static uint8_t *inflated(const struct report *report, size_t *bytes)
{
    enum { LARGEST = 1 << 20 };
    uint8_t *out = malloc(LARGEST);
    z_stream stream = {.next_in = (unsigned char *)report->text,
                       .avail_in = (unsigned)report->bytes,
                       .next_out = out,
                       .avail_out = LARGEST};
    require(out && inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK, "zlib can be set up");
    require(inflate(&stream, Z_FINISH) == Z_STREAM_END, "pprof is compressed to its end");
    *bytes = LARGEST - stream.avail_out;
    inflateEnd(&stream);
    return out;
}

void read_pprof(const struct report *report)
{
    size_t bytes;
    uint8_t *text = inflated(report, &bytes);
    Ep__Pprof__Profile *profile = ep__pprof__profile__unpack(NULL, bytes, text);
    require(profile != NULL, "protobuf-c can read it");
    size_t rows = report->snapshot->diagnostic_first, values = report->snapshot->value_count;
    require(profile->n_sample == rows + values, "each row is a sample");
    for (size_t i = 0; i < rows; i++)
        require_sample(profile, report->snapshot, i);
    for (size_t i = 0; i < values; i++)
        require_value(profile, report->snapshot, i);
    for (size_t i = 0; i < profile->n_string_table; i++)
        require(shown_is_plain(profile->string_table[i]), "all texts can be shown");
    ep__pprof__profile__free_unpacked(profile, NULL);
    free(text);
}
