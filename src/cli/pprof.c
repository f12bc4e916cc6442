#include "pprof.h"

#include <errno.h>

#include "pprof_frames.h"
#include "pprof_head.h"

struct writing {
    const struct eprof_snapshot *snapshot;
    struct ep_pprof_pieces pieces;
    struct ep_pprof_texts texts;
    struct ep_pprof_functions functions;
    struct ep_report_stack stack;
    size_t cut_count; /* stacks of which frames were left out */
};

/* The format has signed numbers; 2^63 ns are 292 years, which only a file gone bad has. */
static int64_t as_value(uint64_t figure)
{
    return figure <= INT64_MAX ? (int64_t)figure : INT64_MAX;
}

/* By threads a label tells whose it is; pprof takes an empty one for none. */
static void write_sample(struct writing *to, Ep__Pprof__Sample *sample, const char *thread)
{
    Ep__Pprof__Label label = EP__PPROF__LABEL__INIT, *labels = &label;
    if (to->snapshot->options.threads && *thread) {
        label.key = ep_pprof_texts_find(&to->texts, "thread");
        label.str = ep_pprof_texts_find(&to->texts, thread);
        sample->n_label = 1;
        /* cppcheck-suppress autoVariables; both end with this function, which writes the sample */
        sample->label = &labels;
    }
    Ep__Pprof__Profile piece = EP__PPROF__PROFILE__INIT;
    piece.n_sample = 1;
    piece.sample = &sample;
    ep_pprof_pieces_write(&to->pieces, &piece);
}

static void write_instance(struct writing *to, const struct eprof_row *row)
{
    uint64_t location_id = ep_pprof_functions_of_instance(&to->functions, row);
    int64_t values[EP_PPROF_VALUES] = {[EP_PPROF_INSTANCE_CALLS] = as_value(row->calls),
                                       [EP_PPROF_INSTANCE_TIME] = as_value(row->total_ns)};
    Ep__Pprof__Sample sample = EP__PPROF__SAMPLE__INIT;
    sample.n_location_id = 1;
    sample.location_id = &location_id;
    sample.n_value = EP_PPROF_VALUES;
    sample.value = values;
    write_sample(to, &sample, row->thread);
}

/* What is its own: pprof itself adds up what is inside. */
static void write_scope(struct writing *to, size_t index)
{
    const struct eprof_row *row = &to->snapshot->rows[index];
    const struct ep_tree_place *place = &to->snapshot->places[index - to->snapshot->scope_first];
    uint64_t frames[EP_PPROF_FRAMES];
    if (!ep_report_stack_enter(&to->stack, to->snapshot, index)) {
        ep_output_fail(to->pieces.out, errno);
        return;
    }
    if (place->is_around)
        return;
    to->cut_count += ep_pprof_frames_are_cut(&to->stack);
    int64_t values[EP_PPROF_VALUES] = {
        [EP_PPROF_CALLS] = as_value(row->calls), [EP_PPROF_TIME] = as_value(row->self_ns)};
    Ep__Pprof__Sample sample = EP__PPROF__SAMPLE__INIT;
    sample.n_location_id = ep_pprof_frames_list(&to->functions, to->snapshot, &to->stack, frames);
    sample.location_id = frames;
    sample.n_value = EP_PPROF_VALUES;
    sample.value = values;
    write_sample(to, &sample, row->thread);
}

static void write_rows(struct writing *to)
{
    const struct eprof_snapshot *snapshot = to->snapshot;
    for (size_t i = 0; i < snapshot->scope_first && !to->pieces.out->error; i++)
        write_instance(to, &snapshot->rows[i]);
    for (size_t i = snapshot->scope_first; i < snapshot->trouble_first && !to->pieces.out->error;
         i++)
        write_scope(to, i);
}

/* A function in the middle of such a stack has less below it here than it had. */
static void write_cut_count(struct writing *to)
{
    char line[128];
    if (to->cut_count == 0)
        return;
    int bytes =
        snprintf(line, sizeof line,
                 "stacks of more than %d frames, of which the middle is left out (and missing "
                 "in cum): %zu",
                 EP_PPROF_FRAMES, to->cut_count);
    ep_pprof_head_comment(&to->pieces, &to->texts, line, (size_t)bytes);
}

static void write_pprof(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct writing to = {.snapshot = snapshot};
    to.functions = (struct ep_pprof_functions){.texts = &to.texts, .pieces = &to.pieces};
    ep_pprof_pieces_open(&to.pieces, out);
    ep_pprof_texts_open(&to.texts, out);
    ep_pprof_head_write(&to.pieces, &to.texts, snapshot);
    write_rows(&to);
    write_cut_count(&to);
    ep_pprof_texts_write(&to.texts, &to.pieces); /* by now all of them are known */
    ep_report_stack_free(&to.stack);
    ep_pprof_functions_close(&to.functions);
    ep_pprof_texts_close(&to.texts);
    ep_pprof_pieces_close(&to.pieces);
}

const struct ep_report ep_pprof_report = {.name = "pprof", .write = write_pprof};
