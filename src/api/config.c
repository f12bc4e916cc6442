#include "api/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/at_exit.h"
#include "api/job.h"
#include "api/path_pattern.h"
#include "api/profile.h"
#include "api/stderr_line.h"
#include "base/helper.h"
#include "base/platform.h"
#include "instrument/function_filter.h"
#include "instrument/function_table.h"
#include "instrument/probe_cost.h"
#include "record/control.h"
#include "record/cpu.h"
#include "record/horizon.h"
#include "record/process_life.h"
#include "record/sampling.h"

static const char no_memory[] = "no memory";
static bool is_of_environment; /* EPROF is being read */

/* Counts an item that was not carried out, and says why. */
static void complain(const char *item, const char *why)
{
    struct ep_identity_cell *identity = &ep_process.image.cells[EP_CELL_IDENTITY].identity;
    ep_store(&identity->items_not_understood, identity->items_not_understood + 1);
    ep_stderr_line("\"", item, "\" in EPROF or eprof_setup()", why);
}

/* ---- numbers ---- */

/* A decimal number from `least` to `most`. One of the suffixes may follow it: the first multiplies
 * it by 2^10, the second by 2^20 and so on. false: the text is no such number. */
static bool read_number(const char *text, const char *suffixes, uint64_t least, uint64_t most,
                        uint64_t *number)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *number = strtoull(text, &end, 10);
    const char *suffix = *end ? strchr(suffixes, *end) : NULL;
    unsigned shift = suffix ? 10 * (unsigned)(suffix - suffixes + 1) : 0;
    if (errno || (*end && (!suffix || end[1])) || *number > UINT64_MAX >> shift)
        return false;
    *number <<= shift;
    return *number >= least && *number <= most;
}

/*
 * ---- what each item does: NULL, or why it is not carried out ----
 *
 * `is_overruled`: EPROF has set this item, and the program may not change it.
 */

static const char *set_pattern(const char *pattern, bool is_overruled)
{
    if (!*pattern || strcmp(pattern, "!") == 0)
        return "a pattern of names is missing";
    if (is_overruled)
        return NULL;
    if (ep_function_filter_add(pattern) != 0)
        return no_memory;
    ep_function_ask_again();
    return NULL;
}

static const char *set_depth(const char *text, bool is_overruled)
{
    uint64_t depth;
    if (!read_number(text, "", 1, UINT16_MAX, &depth))
        return "not a depth; known are 1 to 65535";
    if (is_overruled)
        return NULL;
    ep_store(&ep_process.depth_limit, (uint32_t)depth);
    ep_horizon_raise(); /* edges may lead below that depth */
    return NULL;
}

/* A percentage, with up to four digits after the point, in millionths. false: it is none. */
static bool read_percent(const char *text, uint64_t *millionths)
{
    uint64_t scale = 10000;
    bool has_point = false;
    *millionths = 0;
    if (*text < '0' || *text > '9')
        return false;
    for (; *text; text++) {
        if (*text == '.' && !has_point && text[1]) {
            has_point = true;
            continue;
        }
        scale /= has_point ? 10 : 1;
        if (*text < '0' || *text > '9' || scale == 0 || *millionths > EP_SAMPLING_MILLION)
            return false;
        uint64_t digit = (uint64_t)(*text - '0');
        *millionths = has_point ? *millionths + digit * scale : *millionths * 10 + digit * 10000;
    }
    return *millionths > 0 && *millionths <= EP_SAMPLING_MILLION;
}

static const char *set_budget(const char *text, bool is_overruled)
{
    uint64_t millionths = 0, period = 0;
    bool is_period = strncmp(text, "1/", 2) == 0;
    if (is_period &&
        (!read_number(text + 2, "", 1, UINT64_C(1) << EP_SAMPLING_SHIFT_MOST, &period) ||
         period & (period - 1)))
        return "not a period; known are powers of two from 1/1 to 1/4096";
    if (!is_period && strcmp(text, "off") != 0 && !read_percent(text, &millionths))
        return "not a budget; known are 0.0001 to 100 (percent), 1/N, and off";
    if (is_overruled)
        return NULL;
    if (ep_sampling_set(millionths, period)) {
        ep_probe_forget();
        if (ep_process.image.backing.cells)
            ep_probe_calibrate();
    }
    return NULL;
}

/* Each probe is measured again, since it takes longer now. */
static const char *set_cpu(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
        return "this system has no clock of a thread's processor time";
    if (ep_cpu_set(&ep_source_thread_cputime)) {
        ep_probe_forget();
        if (ep_process.image.backing.cells)
            ep_probe_calibrate();
    }
    return NULL;
}

static const char *set_throttle(const char *text, bool is_overruled)
{
    (void)text;
    (void)is_overruled;
    return "no longer known; budget=PERCENT limits what timing costs, and budget=off times each "
           "call";
}

/* Without libeprof-mpi these two have no effect, so one environment serves programs with and
 * without MPI. */
static const char *set_mpi(const char *path, bool is_overruled)
{
    if (!*path || strcmp(path, "-") == 0)
        return "the profile of a whole MPI job is a file, and needs a path";
    if (is_overruled)
        return NULL;
    return ep_job_ask(path, is_of_environment) == 0 ? NULL : no_memory;
}

static const char *set_mpi_calls(const char *text, bool is_overruled)
{
    if (strcmp(text, "off") != 0)
        return "not known; known is off";
    if (!is_overruled)
        ep_job_calls_off();
    return NULL;
}

static const char *set_symbolizer(const char *path, bool is_overruled)
{
    if (is_overruled)
        return NULL;
    char *absolute = ep_path_pattern_absolute(path, false);
    const char *why = no_memory;
    if (absolute && !ep_helper_is_program(absolute))
        why = "not a program; it takes the path of the program eprof";
    else if (absolute && ep_helper_program_set(absolute) == 0)
        why = NULL;
    free(absolute);
    return why;
}

static const char *set_limit(const char *text, bool is_overruled)
{
    enum { LEAST_BYTES = 64 << 10 }; /* a few blocks of a thread: even small trees need them */
    uint64_t bytes;
    if (!read_number(text, "KMG", LEAST_BYTES, UINT64_MAX, &bytes))
        return "not a number of bytes; known are 64K and more, with K, M or G";
    if (!is_overruled)
        ep_image_tree(&ep_process.image)->limit_bytes = bytes;
    return NULL;
}

static const char *set_image(const char *path, bool is_overruled)
{
    if (!*path || strcmp(path, "-") == 0)
        return "an image is a file, and needs a path";
    return is_overruled ? NULL : ep_profile_ask(path, is_of_environment);
}

static char *awaited_source;    /* EPROF named it, but the program has not added it yet */
static bool is_awaited_at_exit; /* the handler is registered that complains if it never was */
static pid_t process_id;        /* the process that read EPROF */

static const char *why_no_source(int error)
{
    return error == ENOTSUP
               ? "this machine has no such counter"
               : "no such source; known are auto, rdtsc, rdtsc_ordered, clock_gettime, "
                 "gettimeofday, thread_cputime and those the program adds";
}

/* An image with a file must contain the probe cost of this source whenever the process ends. */
void ep_config_use_source(const struct ep_source *source)
{
    ep_control_use_source(source);
    if (ep_process.image.backing.cells)
        ep_probe_calibrate();
}

static void forget_awaited_source(void)
{
    free(awaited_source);
    awaited_source = NULL;
}

static const char *set_source(const char *name, bool is_overruled)
{
    if (is_overruled)
        return NULL;
    const struct ep_source *source = ep_source_find(name);
    int error = errno;
    /* EPROF is read before the program can have added a source of its own */
    bool is_awaited = !source && error == EINVAL && is_of_environment && *name;
    if (!source && !is_awaited)
        return why_no_source(error);
    if (is_of_environment)
        forget_awaited_source(); /* the last of several is used */
    if (source)
        ep_config_use_source(source);
    else if (is_awaited_at_exit)
        awaited_source = strdup(name);
    return source || awaited_source ? NULL : no_memory;
}

void ep_config_source_added(const char *name)
{
    if (!awaited_source || strcmp(awaited_source, name) != 0)
        return;
    ep_config_use_source(ep_source_find(name));
    forget_awaited_source();
}

static void complain_of_awaited_source(void)
{
    char item[64];
    /* not in a forked child, since its parent reports it */
    if (!awaited_source || getpid() != process_id || ep_process_lock() != 0)
        return;
    snprintf(item, sizeof item, "source=%s", awaited_source);
    complain(item, why_no_source(EINVAL));
    ep_process_unlock();
}

void ep_config_filter_is_blind(void)
{
    static bool was_said;
    if (!was_said)
        complain("auto=", "the names of some functions and files are not known (it takes "
                          "the program eprof, and symbols); dynamic symbols are matched");
    was_said = true;
}

/* ---- an item ---- */

/* The end of a format with its options. The "=" in ":columns=" is not that before a path. */
static size_t format_bytes(const char *item)
{
    static const char columns[] = ":columns";
    size_t bytes = strcspn(item, "="), least = sizeof columns - 1;
    while (item[bytes] && bytes >= least && memcmp(item + bytes - least, columns, least) == 0)
        bytes += 1 + strcspn(item + bytes + 1, "=:");
    return bytes + strcspn(item + bytes, "=");
}

static const char *add_report(const char *item)
{
    static char explanation[512]; /* written under the process lock */
    size_t name_bytes = format_bytes(item);
    const char *path = item[name_bytes] ? item + name_bytes + 1 : NULL;
    struct ep_snapshot_options options = {.threads = false};
    const struct ep_report *report = ep_report_find(item, name_bytes, &options);
    if (ep_report_explain(item, name_bytes, explanation, sizeof explanation))
        return explanation;
    if (!report || (path && !*path))
        return "not understood; known are " EP_REPORT_NAMES
               " (each with :threads, :raw, :ticks, and =PATH; table and tree also with :where and "
               ":columns=A+B; tree:parent; openmetrics:summary), source=NAME, limit=BYTES, "
               "image=PATH, auto=PATTERN, depth=N, budget=PERCENT, 1/N or off, cpu, "
               "symbolizer=PATH, quiet, off";
    return ep_at_exit_report_add(report, item, name_bytes, path, is_of_environment) == 0
               ? NULL
               : no_memory;
}

/* NULL, or why it is not carried out. */
static const char *carry_out(const char *item)
{
    static struct {
        const char *name;
        const char *(*set)(const char *value, bool is_overruled);
        bool is_set_by_environment;
    } items[] = {{"auto=", set_pattern, false},
                 {"depth=", set_depth, false},
                 {"budget=", set_budget, false},
                 {"throttle=", set_throttle, false},
                 {"symbolizer=", set_symbolizer, false},
                 {"source=", set_source, false},
                 {"limit=", set_limit, false},
                 {"image=", set_image, false},
                 {"mpi=", set_mpi, false},
                 {"mpi-calls=", set_mpi_calls, false}};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        size_t bytes = strlen(items[i].name);
        if (strncmp(item, items[i].name, bytes) != 0)
            continue;
        bool is_overruled = items[i].is_set_by_environment && !is_of_environment;
        const char *why = items[i].set(item + bytes, is_overruled);
        items[i].is_set_by_environment |= is_of_environment && !why;
        return why;
    }
    if (strcmp(item, "cpu") == 0)
        return set_cpu();
    if (strcmp(item, "off") == 0)
        ep_control_turn_off_for_good();
    else if (strcmp(item, "quiet") == 0)
        ep_at_exit_be_quiet();
    else
        return add_report(item);
    return NULL;
}

/* ---- all items of a text ---- */

/* Copies the next item without its backslashes; returns the text after its comma. */
static const char *next_item(const char *items, char *item)
{
    for (; *items && *items != ','; items++) {
        if (*items == '\\' && (items[1] == ',' || items[1] == '\\'))
            items++;
        *item++ = *items;
    }
    *item = '\0';
    return *items ? items + 1 : items;
}

/* The image is created after all items have been read. */
static int carry_out_all(const char *items)
{
    int failed = 0;
    char *item = calloc(strlen(items) + 1, 1);
    if (!item)
        return -1;
    while (*items) {
        items = next_item(items, item);
        const char *why = *item ? carry_out(item) : NULL;
        if (why)
            complain(item, why);
        failed |= why != NULL;
    }
    free(item);
    const char *why = ep_profile_begin();
    if (why && asprintf(&item, "image=%s", ep_profile_asked()) >= 0) {
        complain(item, why);
        free(item);
    } else if (why) {
        complain("image=", why);
    }
    if (!failed && !why)
        return 0;
    errno = EINVAL;
    return -1;
}

int ep_config_setup(const char *items)
{
    return carry_out_all(items);
}

void ep_config_first_use(void)
{
    ep_stderr_line_begin();
    ep_path_pattern_begin();
    ep_at_exit_begin(forget_awaited_source);
    process_id = getpid();
    /* handlers run in reverse order, so this one runs before the reports, which count the item */
    is_awaited_at_exit = atexit(complain_of_awaited_source) == 0;
    /* a call from .preinit_array comes before the C library has set up environ */
    char *early = environ ? NULL : ep_platform_first_environment("EPROF");
    const char *items = early ? early : secure_getenv("EPROF");
    is_of_environment = true;
    if (items && carry_out_all(items) != 0 && errno == ENOMEM)
        complain(items, no_memory);
    is_of_environment = false;
    free(early);
}
