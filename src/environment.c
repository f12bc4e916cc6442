#include "environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exit_report.h"
#include "item.h"
#include "path_pattern.h"
#include "platform.h"
#include "process.h"
#include "stderr_line.h"

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
        if (*item && ep_item_carry_out(item, is_of_environment) != 0)
            failed = EINVAL;
    }
    free(item);
    if (ep_item_begin_image() != 0)
        failed = EINVAL;
    if (failed)
        errno = failed;
    return failed ? -1 : 0;
}

int ep_environment_setup(const char *items)
{
    return carry_out_all(items, false);
}

void ep_process_first_use(void)
{
    ep_stderr_line_begin();
    ep_path_pattern_begin();
    ep_exit_report_begin();
    ep_item_begin(); /* later registered at exit, so called before the reports, which count it */
    /* a function in .preinit_array may be the first of all: before the C library's own set-up */
    char *early = environ ? NULL : ep_platform_first_environment("EPROF");
    const char *items = early ? early : secure_getenv("EPROF");
    if (items && carry_out_all(items, true) != 0 && errno == ENOMEM)
        ep_item_complain(items, "no memory");
    free(early);
}
