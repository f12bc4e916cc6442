/*
 * A plug-in that contains the static library, and uses everything for which the library keeps
 * memory or files. Also built as a library that programs and plug-ins need, with its first use in
 * its constructor
 */
#include "unload_plugin.h"

#include <eprof.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

plugin_work work_of_plugin;

static uint64_t read_clock(void *unused)
{
    static uint64_t ticks;
    (void)unused;
    return ticks += 10;
}

static void recurse(int depth)
{
    EPROF_FUNC;
    if (depth > 0)
        recurse(depth - 1);
}

static void record_many_instances(void)
{
    for (int i = 0; i < 300; i++) { /* more than a page of pairs */
        int id = eprof_alloc("many");
        eprof_start(id);
        eprof_stop(id);
    }
}

static void enter_many_names(void)
{
    char label[16];
    for (int i = 0; i < 100; i++) { /* more than a page of sites */
        snprintf(label, sizeof label, "name %d", i);
        eprof_enter_site(eprof_site_for(label));
        eprof_leave();
    }
}

static void record_in_holds(void)
{
    int id = eprof_alloc("held");
    for (int i = 0; i < 3; i++) {
        eprof_hold();
        eprof_start(id);
        recurse(3);
    }
    for (int i = 0; i < 3; i++)
        eprof_keep(i % 2);
    eprof_stop(id);
}

static void report(const char *format)
{
    FILE *null = fopen("/dev/null", "w");
    if (null) {
        eprof_report(null, format);
        fclose(null);
    }
}

void work_of_plugin(void)
{
    static const struct eprof_source own = {
        .size = sizeof own, .name = "plugin", .now = read_clock};
    EPROF_SCOPE("of the plug-in");
    eprof_source_add(&own);
    eprof_thread_enter("of the plug-in");
    recurse(20);
    record_many_instances();
    enter_many_names();
    record_in_holds();
    report("tree");
    report("openmetrics");
}

#ifdef USED_IN_CONSTRUCTOR
static void *record_for_ever(void *unused)
{
    for (;;)
        recurse(1);
    return unused;
}

/* Unlike a handler of atexit() it belongs to no module, and runs after the destructors of all
 * modules. */
static void report_last(int status, void *unused)
{
    FILE *out = fopen("last", "w");
    (void)status;
    (void)unused;
    if (out) {
        recurse(1);
        eprof_report(out, "csv");
        fclose(out);
    }
}

__attribute__((constructor)) static void record_while_loading(void)
{
    pthread_t thread;
    EPROF_SCOPE("loading");
    if (getenv("EPROF_TEST_AT_START")) {
        on_exit(report_last, NULL);
        pthread_create(&thread, NULL, record_for_ever, NULL);
    }
}
#endif

/* It runs before the library is unloaded. */
__attribute__((destructor)) static void record_while_unloading(void)
{
    EPROF_SCOPE("unloading");
}
