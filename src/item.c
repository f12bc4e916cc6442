#include "item.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "control.h"
#include "exit_report.h"
#include "item_function.h"
#include "process.h"
#include "profile.h"
#include "stderr_line.h"

#define KNOWN_ITEMS                                                                                \
    EP_REPORT_NAMES " (each with :threads, :raw, :ticks, and =PATH), source=NAME, limit=BYTES, "   \
                    "image=PATH, " EP_ITEM_FUNCTION_NAMES ", off"

/* Some blocks of a thread: below, not even small trees have room. */
enum { LEAST_LIMIT_BYTES = 64 << 10 };

static bool has_source;      /* EPROF named it */
static char *awaited_source; /* EPROF named it, and the program has not added it yet */
static bool is_told_at_exit; /* if it never does: there was memory for the handler */
static bool has_limit;       /* EPROF named one */
static pid_t process_id;     /* of the process that read EPROF */

void ep_item_complain(const char *item, const char *why)
{
    struct ep_identity_cell *identity = &ep_process.image.cells[EP_CELL_IDENTITY].identity;
    ep_store(&identity->items_not_understood, identity->items_not_understood + 1);
    ep_stderr_line("\"", item, "\" in EPROF or eprof_setup()", why);
}

static int carry_out_report(const char *item, bool is_of_environment)
{
    size_t name_bytes = strcspn(item, "=");
    const char *path = item[name_bytes] ? item + name_bytes + 1 : NULL;
    struct ep_snapshot_options options = {.threads = false};
    const struct ep_report *report = ep_report_find(item, name_bytes, &options);
    if (!report || (path && !*path)) {
        ep_item_complain(item, "not understood; known are " KNOWN_ITEMS);
        return -1;
    }
    if (ep_exit_report_add(report, item, name_bytes, path, is_of_environment) != 0) {
        ep_item_complain(item, "no memory");
        return -1;
    }
    return 0;
}

static void complain_of_source(const char *item, int error)
{
    ep_item_complain(
        item, error == ENOTSUP
                  ? "this machine has no such counter"
                  : "no such source; known are auto, rdtsc, rdtsc_ordered, "
                    "clock_gettime, gettimeofday, thread_cputime and those the program adds");
}

static void forget_awaited_source(void)
{
    free(awaited_source);
    awaited_source = NULL;
}

static int carry_out_source(const char *item, bool is_of_environment)
{
    if (has_source && !is_of_environment)
        return 0;
    const char *name = item + strlen("source=");
    const struct ep_source *source = ep_source_find(name);
    if (!source && errno == EINVAL && is_of_environment && *name) {
        /* EPROF is read before the program can have added a source of its own */
        forget_awaited_source();
        awaited_source = is_told_at_exit ? strdup(name) : NULL;
        has_source = awaited_source != NULL;
        if (has_source)
            return 0;
        ep_item_complain(item, "no memory");
        return -1;
    }
    if (!source) {
        complain_of_source(item, errno);
        return -1;
    }
    if (is_of_environment)
        forget_awaited_source(); /* of several, the last stands */
    has_source = is_of_environment;
    ep_control_use_source(source);
    return 0;
}

void ep_item_source_added(const char *name)
{
    if (!awaited_source || strcmp(awaited_source, name) != 0)
        return;
    ep_control_use_source(ep_source_find(name));
    forget_awaited_source();
}

static void complain_of_awaited_source(void)
{
    char item[64];
    /* not in a forked child, whose parent will say it */
    if (!awaited_source || getpid() != process_id || ep_process_lock() != 0)
        return;
    snprintf(item, sizeof item, "source=%s", awaited_source);
    complain_of_source(item, EINVAL);
    ep_process_unlock();
}

/* "64M" in bytes; 0: it is no such number. */
static uint64_t read_bytes(const char *text)
{
    static const char suffixes[] = "KMG"; /* 2^10, 2^20, 2^30 */
    char *end;
    errno = 0;
    uint64_t number = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
    if (number == 0 || errno)
        return 0;
    const char *suffix = *end ? strchr(suffixes, *end) : NULL;
    if (*end && (!suffix || end[1]))
        return 0;
    unsigned shift = suffix ? 10 * (unsigned)(suffix - suffixes + 1) : 0;
    return number <= UINT64_MAX >> shift ? number << shift : 0;
}

static int carry_out_limit(const char *item, bool is_of_environment)
{
    uint64_t bytes = read_bytes(item + strlen("limit="));
    if (bytes < LEAST_LIMIT_BYTES) {
        ep_item_complain(item, "not a number of bytes; known are 64K and more, with K, M or G");
        return -1;
    }
    if (has_limit && !is_of_environment)
        return 0;
    has_limit = is_of_environment;
    ep_image_tree(&ep_process.image)->limit_bytes = bytes;
    return 0;
}

static int carry_out_image(const char *item, bool is_of_environment)
{
    const char *why;
    const char *path = item + strlen("image=");
    if (!*path || strcmp(path, "-") == 0) {
        ep_item_complain(item, "an image is a file, and needs a path");
        return -1;
    }
    if (ep_profile_ask(path, is_of_environment, &why) == 0)
        return 0;
    ep_item_complain(item, why);
    return -1;
}

int ep_item_begin_image(void)
{
    const char *why;
    if (ep_profile_begin(&why) == 0)
        return 0;
    char *item;
    if (asprintf(&item, "image=%s", ep_profile_asked()) < 0)
        item = NULL;
    ep_item_complain(item ? item : "image=", why);
    free(item);
    return -1;
}

int ep_item_carry_out(const char *item, bool is_of_environment)
{
    int result;
    if (ep_item_function_carry_out(item, is_of_environment, &result))
        return result;
    if (strcmp(item, "off") == 0) {
        ep_control_turn_off_for_good();
        return 0;
    }
    if (strncmp(item, "source=", strlen("source=")) == 0)
        return carry_out_source(item, is_of_environment);
    if (strncmp(item, "limit=", strlen("limit=")) == 0)
        return carry_out_limit(item, is_of_environment);
    if (strncmp(item, "image=", strlen("image=")) == 0)
        return carry_out_image(item, is_of_environment);
    return carry_out_report(item, is_of_environment);
}

void ep_item_begin(void)
{
    process_id = getpid();
    is_told_at_exit = atexit(complain_of_awaited_source) == 0;
}
