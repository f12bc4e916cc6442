/*
 * host.c - CHAPTER: calls a part of the public interface, and checks the results
 */
#include "host.h"

#include <eprof.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "host_check.h"
#include "host_expect.h"
#include "ledger.h"

struct ledger *host_ledger;

/* A program that has reported prints no tree on stderr at its end. */
static void report_nowhere(void)
{
    FILE *nowhere = fopen("/dev/null", "we");
    host_pause_faults(true);
    if (!nowhere || eprof_report(nowhere, "folded") != 0)
        host_complain("there is memory again, and no report: %s", strerror(errno));
    if (nowhere)
        fclose(nowhere);
    host_pause_faults(false);
}

static const struct host_chapter *find(const struct host_chapter *chapter, const char *name)
{
    while (chapter->name && strcmp(chapter->name, name) != 0)
        chapter++;
    return chapter->name ? chapter : NULL;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const struct host_chapter *chapter = find(host_recording, name);
    if (!chapter)
        chapter = find(host_results, name);
    if (!chapter) {
        fprintf(stderr, "usage: %s CHAPTER\n", argv[0]);
        return 2;
    }
    host_ledger = ledger_open();
    host_check_begin();
    printf("%s begins\n", name);
    chapter->act();
    host_check();
    if (!chapter->has_tree)
        report_nowhere();
    printf("%s ends\n", name);
    return 0;
}
