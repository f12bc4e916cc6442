/*
 * The main program of these tests and of the subjects, for one compiler, one language and one level
 * of optimisation. Its arguments are "no-frames", "no-unwinding" and "entries" if these apply:
 * function_text.h.
 */
#include "hooks_test.h"

#include <pthread.h>

bool function_text_counts_open;
bool function_text_has_no_frames, function_text_has_no_unwinding, function_text_has_entries;

int hooks_begin(void **state)
{
    (void)state;
    eprof_enable(true);
    eprof_init();
    return 0;
}

int hooks_end(void **state)
{
    (void)state;
    leaf(); /* closes functions that were left by a jump out of all functions */
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (row.open && !function_text_has_entries)
            fail_msg("%s is open %" PRIu64 " times", row.path, row.open);
        if (strcmp(row.kind, "diagnostic") == 0 && strcmp(row.name, "forced_closes") != 0)
            fail_msg("%s %" PRIu64, row.name, row.calls);
    }
    eprof_snapshot_free(snapshot);
    return 0;
}

void run_thread(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, body, argument), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* A program that has written a report itself prints no tree at its end. */
static void show_nowhere(void)
{
    FILE *nowhere = fopen("/dev/null", "w");
    eprof_report(nowhere, "csv");
    fclose(nowhere);
}

/* If the subjects are C++, an option of the linker adds this test. */
#pragma weak test_throw

static int test_all(const char *budget)
{
    assert_return_code(eprof_setup(budget), 0);
    function_text_counts_open = strcmp(budget, "budget=off") != 0;
    printf("%s\n", budget);
    int failed = test_plain() + test_jump() + test_thread() + test_signals() + test_mixed() +
                 test_control() + test_context();
    /* where a function is split, each part has an entry */
    if (!function_text_has_entries)
        failed += test_split();
    else if (strcmp(budget, "budget=1/2") == 0 || strcmp(budget, "budget=off") == 0)
        failed += test_step(); /* hooks: tests/api/test_hook_interrupt.c */
    if (test_throw)
        failed += test_throw();
    return failed;
}

int main(int count, char **arguments)
{
    for (int i = 1; i < count; i++) {
        function_text_has_no_frames |= strcmp(arguments[i], "no-frames") == 0;
        function_text_has_entries |= strcmp(arguments[i], "entries") == 0;
        function_text_has_no_unwinding |= strcmp(arguments[i], "no-unwinding") == 0;
    }
    /* the default; then most calls are counted inline, and each of them may be */
    int failed = test_all("budget=2") + test_all("budget=1/2") + test_all("budget=1/4096");
    failed += test_sampled() + test_all("budget=off");
    show_nowhere();
    return failed != 0;
}
