#include "exit_moment.h"

#include <pthread.h>

#include "process.h"

static struct {
    const struct ep_source *source; /* NULL: the program has not come to its end */
    uint64_t ticks;
    pthread_t thread;
} moment;

void ep_exit_moment_begin(void)
{
    moment.source = ep_process_source();
    moment.ticks = ep_source_now(moment.source);
    moment.thread = pthread_self();
}

void ep_exit_moment_end(void)
{
    moment.source = NULL;
}

/* Other threads go on, and may change the source. */
uint64_t ep_exit_moment_of_report(void)
{
    const struct ep_source *source = ep_process_source();
    if (moment.source == source && pthread_equal(moment.thread, pthread_self()))
        return moment.ticks;
    return ep_source_now(source);
}
