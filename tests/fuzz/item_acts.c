#include "item_acts.h"

#include <errno.h>
#include <string.h>

#include "api/at_exit.h"
#include "api/config.h"
#include "api/profile.h"
#include "api/stderr_line.h"
#include "base/helper.h"
#include "instrument/function_filter.h"
#include "instrument/probe_cost.h"
#include "record/control.h"
#include "record/process_life.h"
#include "require.h"

/* The acts are stored here. */
static struct item_acts *noting;

static void note(const char *name, const char *value)
{
    ep_strings_print(&noting->done, "%s%s", name, value);
}

/* ---- replacements of the actions ---- */

int __wrap_ep_at_exit_report_add(const struct ep_report *report, const char *format,
                                 size_t format_bytes, const char *path, bool is_of_environment);
void __wrap_ep_at_exit_be_quiet(void);
const char *__wrap_ep_profile_ask(const char *path, bool is_of_environment);
const char *__wrap_ep_profile_begin(void);
void __wrap_ep_control_use_source(const struct ep_source *source);
void __real_ep_control_use_source(const struct ep_source *source);
void __wrap_ep_control_turn_off_for_good(void);
void __wrap_ep_probe_calibrate(void);
void __real_ep_probe_calibrate(void);
int __wrap_ep_function_filter_add(const char *pattern);
int __wrap_ep_helper_program_set(const char *path);
void __wrap_ep_stderr_line(const char *before, const char *name, const char *after,
                           const char *why);

int __wrap_ep_at_exit_report_add(const struct ep_report *report, const char *format,
                                 size_t format_bytes, const char *path, bool is_of_environment)
{
    struct ep_snapshot_options options;
    require(!is_of_environment, "items of a program are its own");
    require(ep_report_find(format, format_bytes, &options) == report, "a format is the one found");
    ep_strings_print(&noting->done, "%s%s%s%s%s%s%s%s", report->name,
                     options.threads ? ":threads" : "", options.raw ? ":raw" : "",
                     options.ticks ? ":ticks" : "", options.parent_shares ? ":parent" : "",
                     options.summaries ? ":summary" : "", path ? "=" : "", path ? path : "");
    return 0;
}

void __wrap_ep_at_exit_be_quiet(void)
{
    note("quiet", "");
}

const char *__wrap_ep_profile_ask(const char *path, bool is_of_environment)
{
    (void)is_of_environment;
    note("image=", path);
    return NULL;
}

const char *__wrap_ep_profile_begin(void)
{
    return NULL;
}

/* The set-up of the process occurs before the first item. */
void __wrap_ep_control_use_source(const struct ep_source *source)
{
    if (!noting)
        __real_ep_control_use_source(source);
    else
        note("source=", source->name);
}

void __wrap_ep_control_turn_off_for_good(void)
{
    note("off", "");
}

/* Another budget has other costs; to measure them takes long. */
void __wrap_ep_probe_calibrate(void)
{
    if (!noting)
        __real_ep_probe_calibrate();
}

int __wrap_ep_function_filter_add(const char *pattern)
{
    note("auto=", pattern);
    return 0;
}

int __wrap_ep_helper_program_set(const char *path)
{
    note("symbolizer=", path);
    return 0;
}

void __wrap_ep_stderr_line(const char *before, const char *name, const char *after, const char *why)
{
    require(*before && *after && *why, "a line says where it comes from, and why");
    ep_strings_add(&noting->refused, name);
}

/* ---- carrying out the items ---- */

static struct ep_sampled_probe_cell *budget(void)
{
    return &ep_process.image.cells[EP_CELL_SAMPLED_PROBE].sampled_probe;
}

/* The values of number items are kept in the process. */
static void set_numbers(struct item_numbers numbers)
{
    ep_image_tree(&ep_process.image)->limit_bytes = numbers.limit_bytes;
    budget()->budget_millionths = numbers.budget_millionths;
    budget()->period = numbers.period;
    ep_process.depth_limit = numbers.depth;
}

static struct item_numbers get_numbers(void)
{
    return (struct item_numbers){ep_image_tree(&ep_process.image)->limit_bytes,
                                 budget()->budget_millionths, budget()->period,
                                 ep_process.depth_limit};
}

int item_acts_of(struct item_acts *acts, const char *items)
{
    *acts = (struct item_acts){.numbers = ITEM_NUMBERS_NONE};
    require(ep_process_lock() == 0, "the process can be set up");
    noting = acts;
    set_numbers(acts->numbers);
    errno = 0;
    int result = ep_config_setup(items);
    int error = errno;
    acts->numbers = get_numbers();
    noting = NULL;
    ep_process_unlock();
    require(!acts->done.is_incomplete && !acts->refused.is_incomplete, "there is memory for acts");
    errno = error;
    return result;
}

static bool are_same(const struct ep_fields *fields, const struct ep_fields *others)
{
    return fields->count == others->count &&
           (fields->count == 0 || memcmp(fields->bytes, others->bytes, fields->count) == 0);
}

bool item_acts_are(const struct item_acts *acts, const struct item_acts *others)
{
    return are_same(&acts->done, &others->done) && are_same(&acts->refused, &others->refused) &&
           acts->numbers.limit_bytes == others->numbers.limit_bytes &&
           acts->numbers.budget_millionths == others->numbers.budget_millionths &&
           acts->numbers.period == others->numbers.period &&
           acts->numbers.depth == others->numbers.depth;
}

void item_acts_free(struct item_acts *acts)
{
    ep_strings_free(&acts->done);
    ep_strings_free(&acts->refused);
}
