/* Copies of this process's own image while its threads record. */
#include "steps.h"

#include <errno.h>

#include "image/copy.h"
#include "record/process_life.h"

static int begin_group(void **state)
{
    (void)state;
    eprof_setup("csv=/dev/null"); /* and no tree at exit */
    return steps_use();
}

static uint64_t copy_and_check(void)
{
    struct ep_image copy;
    const char *why = NULL;
    assert_return_code(ep_process_lock(), errno);
    struct ep_image_origin origin = ep_image_copy_of_memory(&ep_process.image);
    uint32_t count = ep_image_root(&ep_process.image)->cells_used;
    ep_store(&ep_process.is_being_read, true); /* as eprof_save() does */
    int result = ep_image_copy_sound(&copy, &origin, count, &why);
    int error = errno;
    ep_store(&ep_process.is_being_read, false);
    ep_process_unlock();
    if (result != 0)
        fail_msg("not copied: %s", why ? why : strerror(error));
    uint64_t calls = steps_check(&copy);
    ep_image_destroy(&copy);
    return calls;
}

static void wait_for_rounds(uint32_t until)
{
    while (__atomic_load_n(&steps_rounds, __ATOMIC_RELAXED) < until)
        sched_yield();
}

TEST(figures_in_a_copy_of_recording_threads_differ_by_at_most_one_call)
{
    enum { COPIES = 300 };
    pthread_t threads[STEPS_THREADS];
    uint64_t calls = 0;
    steps_begin(threads);
    for (uint32_t i = 1; i <= COPIES; i++) {
        wait_for_rounds(10 * i);
        calls = copy_and_check();
    }
    steps_end(threads);
    assert_in_range(calls, COPIES, UINT64_MAX);
}

TEST_ALL(begin_group, NULL)
