/*
 * test_cancel.c - a thread that is cancelled while the library works
 */
#include "test.h"
#include <eprof.h>
#include <pthread.h>
#include <stdlib.h>

/* The thread is cancelled before it calls the library: a cancellation point in the library, under
 * its lock or in its writing, would end the thread there. */
static void *call_while_cancelled(void *unused)
{
    pthread_cancel(pthread_self());
    int id = eprof_alloc("cancelled");
    eprof_start(id);
    eprof_stop(id);
    eprof_source_use("auto");
    FILE *nowhere = fopen("/dev/null", "w"); /* opening it is the first such point */
    eprof_report(nowhere, "csv");
    fclose(nowhere);
    return unused;
}

static void *report_while_cancelled(void *stream)
{
    pthread_cancel(pthread_self());
    eprof_report(stream, "csv");
    pthread_testcancel();
    return NULL;
}

static void run(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    void *result = NULL;
    assert_int_equal(pthread_create(&thread, NULL, body, argument), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, PTHREAD_CANCELED);
}

TEST(thread_cancelled_in_its_first_call_leaves_the_lock)
{
    run(call_while_cancelled, NULL);
    int id = eprof_alloc("next");
    assert_return_code(id, 0);
    assert_int_equal(eprof_release(id), 0);
}

TEST(thread_cancelled_in_a_report_leaves_the_stream)
{
    FILE *stream = tmpfile();
    assert_non_null(stream);
    run(report_while_cancelled, stream);
    assert_int_equal(eprof_report(stream, "csv"), 0);
    fclose(stream);
}
