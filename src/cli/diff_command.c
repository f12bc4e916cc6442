#include "diff_command.h"

#include <stdlib.h>

#include "complain.h"
#include "deliver.h"
#include "diff_make.h"
#include "diff_options.h"
#include "gate.h"
#include "load_each.h"
#include "twice.h"

/* ---- reading ---- */

struct sides {
    struct ep_diff_making *making;
    size_t before_count; /* files from there on are of after */
};

static enum ep_diff_side side_of(const struct sides *sides, size_t file)
{
    return file < sides->before_count ? EP_DIFF_BEFORE : EP_DIFF_AFTER;
}

static void weigh(void *context, size_t file, const union ep_cell *header)
{
    struct sides *sides = context;
    ep_diff_make_weigh(sides->making, side_of(sides, file), header);
}

static int add(void *context, size_t file, const struct ep_image *image)
{
    struct sides *sides = context;
    return ep_diff_make_add(sides->making, side_of(sides, file), image);
}

/* NULL: it was complained of. */
static struct ep_diff *load(const struct ep_diff_command_options *options)
{
    struct sides sides = {ep_diff_make_begin(options->diff), options->counts[EP_DIFF_BEFORE]};
    struct ep_load_files files = {.paths = options->files,
                                  .count = options->counts[EP_DIFF_BEFORE] +
                                           options->counts[EP_DIFF_AFTER],
                                  .debug_directory = options->debug_directory};
    struct ep_load_visitor visitor = {&sides, weigh, add};
    struct ep_diff *diff = NULL;
    if (sides.making) {
        if (ep_load_each(&files, &visitor) != 0) {
            ep_diff_make_abandon(sides.making);
            return NULL;
        }
        diff = ep_diff_make_end(sides.making);
    }
    if (!diff)
        ep_complain_of_memory();
    return diff;
}

/* ---- writing ---- */

struct writing {
    const struct ep_report_diff *report;
    const struct ep_diff *diff;
    struct ep_report_diff_options options;
};

static int write_to(const void *context, FILE *stream)
{
    const struct writing *writing = context;
    return ep_report_diff_write(writing->report, writing->diff, &writing->options, stream);
}

static enum ep_status write_report(const struct ep_diff_command_options *options,
                                   const struct ep_diff *diff)
{
    struct writing writing = {options->report, diff, {.top = options->top}};
    const char *const first[EP_DIFF_SIDES] = {options->files[0],
                                              options->files[options->counts[EP_DIFF_BEFORE]]};
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        writing.options.names[side] = options->counts[side] == 1 ? first[side] : NULL;
    return ep_deliver(options->output, write_to, &writing);
}

static enum ep_status compare(const struct ep_diff_command_options *options,
                              const struct ep_diff *diff)
{
    if (diff->row_count == 0 && options->diff.filter) {
        ep_complain(options->diff.filter, "no region of either side has such a name");
        return EP_STATUS_FAILED;
    }
    enum ep_status status = write_report(options, diff);
    return status == EP_STATUS_DONE ? ep_gate_decide(options, diff) : status;
}

/* The same run twice would be evidence of itself. */
static bool has_each_run_once(const struct ep_diff_command_options *options)
{
    char *const *files = options->files;
    for (int side = 0; side < EP_DIFF_SIDES; files += options->counts[side++]) {
        const char *twice = ep_twice_find(files, options->counts[side]);
        if (!twice)
            continue;
        ep_complain(twice, "named twice on one side, where each file is a run of its own");
        return false;
    }
    return true;
}

static enum ep_status run(const struct ep_diff_command_options *options)
{
    if (!has_each_run_once(options))
        return EP_STATUS_USAGE;
    struct ep_diff *diff = load(options);
    enum ep_status status = diff ? compare(options, diff) : EP_STATUS_FAILED;
    ep_diff_free(diff);
    return status;
}

int ep_diff_command(int argc, char **argv)
{
    struct ep_diff_command_options options = ep_diff_options_read(argc, argv);
    enum ep_status status = run(&options);
    ep_diff_options_free(&options);
    return (int)status;
}
