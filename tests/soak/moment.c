#include "moment.h"

#include <pthread.h>

/* A thread that asks for a moment alone must not wait long for threads with shared moments. */
static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static bool is_in_storm;
static _Thread_local bool is_left_out;

static bool is_ordered(void)
{
    return !is_in_storm && !is_left_out;
}

void moment_begin(void)
{
    if (is_ordered())
        pthread_rwlock_rdlock(&lock);
}

void moment_begin_alone(void)
{
    if (is_ordered())
        pthread_rwlock_wrlock(&lock);
}

void moment_end(void)
{
    if (is_ordered())
        pthread_rwlock_unlock(&lock);
}

void moment_end_alone(void)
{
    moment_end();
}

void moment_storm(bool is_storm)
{
    is_in_storm = is_storm;
}

bool moment_is_storm(void)
{
    return is_in_storm;
}

void moment_leave_out(void)
{
    is_left_out = true;
}
