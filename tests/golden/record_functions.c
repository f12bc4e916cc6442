/*
 * record_functions.c - the program that recorded image-2.eprof
 *
 *     record_functions FILE PLUGIN
 *
 * The file is never changed. This program needs the library of that time, which knows `throttle=`.
 * PLUGIN is the path of a library that has been removed when the csv looks up names: so one of its
 * functions has the name of its dynamic symbol, and one has no name. The clock advances when it is
 * read, so that a function can be brief. In a directory with both sources:
 *
 *     cc -shared -fPIC -finstrument-functions -o plugin.so record_functions_plugin.c
 *     cc -g -finstrument-functions -fno-omit-frame-pointer -o record_functions record_functions.c \
 *        $(pkg-config --cflags --libs eprof-auto) -ldl
 *     ./record_functions image-2.eprof $PWD/plugin.so
 *     eprof report image-2.eprof --format table -o image-2.txt    # tree csv json the same
 */
#include <dlfcn.h>
#include <eprof.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define HIDDEN __attribute__((no_instrument_function))

enum { READING = 3, BRIEF_CALLS = 20000 };

static uint64_t ticks;

HIDDEN static uint64_t now(void *context)
{
    (void)context;
    return ticks += READING;
}

HIDDEN static void pass(uint64_t more)
{
    ticks += more;
}

static int brief(int number)
{
    pass(10);
    return number & 1;
}

/* A scope in a function, and functions in a scope. */
static void work(int depth)
{
    pass(1000);
    EPROF_SCOPE("in work");
    for (int i = 0; i < BRIEF_CALLS; i++) {
        pass(8);
        brief(i);
    }
    if (depth > 0)
        work(depth - 1);
}

static void call_plugin(void (*run)(void (*)(uint64_t)))
{
    run(pass);
    pass(5);
}

HIDDEN static int use_plugin(const char *path)
{
    void *plugin = dlopen(path, RTLD_NOW);
    void (*run)(void (*)(uint64_t));
    if (!plugin || !(*(void **)&run = dlsym(plugin, "plugin_run"))) {
        fprintf(stderr, "%s\n", dlerror());
        return -1;
    }
    call_plugin(run);
    eprof_snapshot_free(eprof_snapshot_take()); /* looks up dynamic symbols */
    dlclose(plugin);
    return unlink(path);
}

HIDDEN static int use_clock(void)
{
    const struct eprof_source source = {
        .size = sizeof source, .name = "steps", .now = now, .ticks_per_second = 1000000000};
    return eprof_source_add(&source) == 0 && eprof_source_use("steps") == 0 ? 0 : -1;
}

HIDDEN int main(int count, char **words)
{
    if (count != 3) {
        fprintf(stderr, "usage: %s FILE PLUGIN\n", words[0]);
        return 2;
    }
    char item[4096];
    snprintf(item, sizeof item, "throttle=1000,csv=/dev/null,image=%s", words[1]);
    if (eprof_setup(item) != 0 || use_clock() != 0 || use_plugin(words[2]) != 0) {
        perror(words[0]);
        return 1;
    }
    work(2);
    return 0;
}
