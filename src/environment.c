#include "environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "control.h"
#include "exit_report.h"
#include "process.h"
#include "stderr_line.h"

#define KNOWN_ITEMS                                                                                \
    EP_REPORT_NAMES " (each with :threads, :raw, :ticks, and =PATH), source=NAME, off"

static bool has_source;      /* EPROF named it */
static char *awaited_source; /* EPROF named it, and the program has not added it yet */
static pid_t process_id;     /* of the process that read EPROF */

/* ---- one item ---- */

static void complain(const char *item, const char *why)
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
        complain(item, "not understood; known are " KNOWN_ITEMS);
        return -1;
    }
    if (ep_exit_report_add(report, item, name_bytes, path, is_of_environment) != 0) {
        complain(item, "no memory");
        return -1;
    }
    return 0;
}

static void complain_of_source(const char *item, int error)
{
    complain(item, error == ENOTSUP ? "this machine has no such counter"
                                    : "no such source; known are auto, rdtsc, clock_gettime, "
                                      "gettimeofday, thread_cputime and those the program adds");
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
        awaited_source = strdup(name);
        has_source = awaited_source != NULL;
        if (has_source)
            return 0;
        complain(item, "no memory");
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

void ep_environment_source_added(const char *name)
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

static int carry_out(const char *item, bool is_of_environment)
{
    if (strcmp(item, "off") == 0) {
        ep_control_turn_off_for_good();
        return 0;
    }
    if (strncmp(item, "source=", strlen("source=")) == 0)
        return carry_out_source(item, is_of_environment);
    return carry_out_report(item, is_of_environment);
}

/* ---- items ---- */

/* Copies the next item without its backslashes; returns what is behind its comma. */
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

static int carry_out_all(const char *items, bool is_of_environment)
{
    int failed = 0;
    char *item = malloc(strlen(items) + 1);
    if (!item)
        return -1;
    while (*items) {
        items = next_item(items, item);
        if (*item && carry_out(item, is_of_environment) != 0)
            failed = EINVAL;
    }
    free(item);
    if (failed)
        errno = failed;
    return failed ? -1 : 0;
}

int ep_environment_setup(const char *items)
{
    return carry_out_all(items, false);
}

/* ---- first use ---- */

void ep_process_first_use(void)
{
    process_id = getpid();
    ep_stderr_line_begin();
    ep_exit_report_begin();
    atexit(complain_of_awaited_source); /* later registered, so before the reports that count it */
    const char *items = secure_getenv("EPROF");
    if (items && carry_out_all(items, true) != 0 && errno == ENOMEM)
        complain(items, "no memory");
}
