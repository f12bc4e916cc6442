/*
 * A plug-in that records is loaded and unloaded many times, each time at another address: its calls
 * count once and keep their names, and the memory of the program does not grow.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>

#include "hand_clock.h"
#include "plugin.h"
#include "resident.h"
#include "sanitizer.h"
#include "tree_text.h"

enum {
    LOADS = IS_WATCHED ? 100 : 1000,
    SETTLED_PART = 5,
    CALLS = 4, /* of each load: under a budget the last of them are inline */
    GROWTH_BYTES = 1 << 20,
    PAGE_BYTES = 4096
};

static int instance;

void pass(uint64_t ticks)
{
    hand_ticks += ticks;
}

/* Every second time the plug-in is used on another thread, which ends before the plug-in is
 * unloaded. */
static void *work_on_a_thread(void *work)
{
    plugin_work *function;
    *(void **)&function = work;
    for (int i = 0; i < CALLS; i++)
        function(instance);
    return NULL;
}

static void work(void *function, bool on_a_thread)
{
    pthread_t thread;
    if (!on_a_thread) {
        work_on_a_thread(function);
        return;
    }
    assert_int_equal(pthread_create(&thread, NULL, work_on_a_thread, function), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* The former address of the plug-in must not be read any more, until another load uses it. */
static void load_once(uint64_t number)
{
    static void *former_place;
    Dl_info info;
    void *plugin = dlopen(EPROF_TEST_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    if (!plugin)
        fail_msg("load %d: %s", (int)number, dlerror());
    void *function = dlsym(plugin, "work_of_plugin");
    assert_non_null(function);
    work(function, number % 2);
    assert_int_not_equal(dladdr(function, &info), 0);
    assert_int_equal(dlclose(plugin), 0);
    assert_null(dlopen(EPROF_TEST_PLUGIN, RTLD_NOW | RTLD_NOLOAD));
    if (former_place)
        munmap(former_place, PAGE_BYTES);
    former_place = mmap(info.dli_fbase, PAGE_BYTES, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    assert_ptr_equal(former_place, info.dli_fbase);
}

static long settled_bytes(void)
{
    return RESIDENT_MEMORY_IS_THE_PROGRAMS ? resident_bytes() : 0;
}

static void assert_recorded(void)
{
    char tree[512], row[128];
    const uint64_t calls = LOADS * CALLS;
    snprintf(tree, sizeof tree,
             "work_of_plugin %" PRIu64 "/%" PRIu64 " %" PRIu64 " %" PRIu64 "\n"
             "work_of_plugin;block of the plug-in %" PRIu64 "/%" PRIu64 " %" PRIu64 " 0\n"
             "work_of_plugin;block of the plug-in;inner %" PRIu64 "/%" PRIu64 " %" PRIu64
             " %" PRIu64 "\n"
             "work_of_plugin;entered by the plug-in %" PRIu64 "/%" PRIu64 " %" PRIu64 " %" PRIu64
             "\n",
             calls, calls, 16 * calls, 5 * calls, calls, calls, calls, calls, calls, calls, calls,
             calls, calls, 10 * calls, 10 * calls);
    assert_tree(tree);
    snprintf(row, sizeof row,
             "calls %" PRIu64 ", timed %" PRIu64 ", errors 0, open 0, total %" PRIu64, calls, calls,
             5 * calls);
    assert_row("of the program", row);
    assert_row("of the plug-in", "no row"); /* its memory is released each time */
    assert_diagnostics("");
}

TEST(plugin_that_comes_and_goes_counts_once_and_keeps_its_names)
{
    long early_bytes = 0;
    hand_clock_begin(state);
    instance = eprof_alloc("of the program");
    for (uint64_t number = 0; number < LOADS; number++) {
        load_once(number);
        if (number == LOADS / SETTLED_PART)
            early_bytes = settled_bytes();
    }
    long growth_bytes = settled_bytes() - early_bytes;
    print_message("%d loads; memory: %ld KiB after a fifth of them, %ld KiB more at the end\n",
                  LOADS, early_bytes / 1024, growth_bytes / 1024);
    assert_recorded();
    assert_in_range(growth_bytes < 0 ? 0 : growth_bytes, 0, GROWTH_BYTES);
}

int main(void)
{
    return tests_run("plugin", NULL, NULL);
}
