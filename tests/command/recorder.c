/*
 * recorder.c - records the same calls in each run, and ends in the requested way
 *
 *     recorder [ENDING [WORD...]]
 *
 * It prints its WORDs on stdout, one on each line. It records the instances `parse` (10 calls) and
 * `store` (5), the scope `work` (3) with `step` (12) in it, and on a thread named `worker` the
 * scope `work` (2). ENDING is
 *
 *     status  _exit          it returns 3, or calls _exit(4)
 *     abort  kill  segv      it is killed
 *     fork                   three children record a call of `work` each
 *     wait                   it waits for a signal, and returns 100 + its number
 *     obey                   the same, but it returns 0
 *     open                   the same as wait, in the scope `stuck`, in which `step` (1) has ended;
 *                            a thread is in the scope `idle`
 *     instances              no scopes are recorded
 *     late                   the instance `late`, 20 calls, is recorded
 *     values                 in the scope `serve` (4) the values `length` (-2 to 1) and `input` (4
 *                            of 500 bytes), in `serve` of the worker `length` (5), outside of
 *                            scopes `level` (7), and frames `frame` (6), 2 of which exceed their
 *                            budget of 0; the next word says how it ends, further ones are another
 *                            level and another budget in ns
 *
 * or anything else.
 */
#include <eprof.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void call(const char *label, int times)
{
    int id = eprof_alloc(label);
    for (int i = 0; i < times; i++) {
        eprof_start(id);
        eprof_stop(id);
    }
}

static void work(int steps)
{
    EPROF_SCOPE("work");
    for (int i = 0; i < steps; i++)
        EPROF_BLOCK("step")
        {
        }
}

static void *work_on_thread(void *unused)
{
    eprof_thread_enter("worker");
    work(0);
    work(0);
    return unused;
}

static void record_scopes(void)
{
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        work(4);
    if (pthread_create(&thread, NULL, work_on_thread, NULL) == 0)
        pthread_join(thread, NULL);
}

static void *serve_on_thread(void *unused)
{
    eprof_thread_enter("worker");
    EPROF_BLOCK("serve") EPROF_VALUE("length", 5);
    return unused;
}

static void frame(uint64_t budget_ns)
{
    EPROF_FRAME("frame", budget_ns);
}

static void record_values(int level, uint64_t budget_ns)
{
    pthread_t thread;
    for (int i = -2; i < 2; i++)
        EPROF_BLOCK("serve")
        {
            EPROF_VALUE("length", i);
            EPROF_BYTES("input", 500);
        }
    EPROF_VALUE("level", level);
    for (int i = 0; i < 6; i++)
        frame(i < 4 ? UINT64_MAX : budget_ns);
    if (pthread_create(&thread, NULL, serve_on_thread, NULL) == 0)
        pthread_join(thread, NULL);
}

static void fork_children(int count)
{
    for (int i = 0; i < count; i++) {
        if (fork() == 0) {
            work(0);
            exit(0);
        }
    }
    while (wait(NULL) > 0)
        ;
}

static void leave(int number)
{
    _exit(100 + number);
}

static void leave_in_peace(int number)
{
    (void)number;
    _exit(0);
}

static void wait_for_signal(void (*handler)(int))
{
    signal(SIGTERM, handler);
    signal(SIGHUP, handler);
    signal(SIGINT, handler);
    signal(SIGQUIT, handler);
    puts("waits");
    fflush(stdout);
    for (;;)
        pause();
}

static void *be_idle(void *ready)
{
    EPROF_SCOPE("idle");
    pthread_barrier_wait(ready);
    while (pause() != 0)
        ;
    return NULL;
}

static void wait_in_open_scopes(void)
{
    pthread_t thread;
    pthread_barrier_t ready;
    EPROF_SCOPE("stuck");
    EPROF_BLOCK("step")
    {
    }
    if (pthread_barrier_init(&ready, NULL, 2) != 0 ||
        pthread_create(&thread, NULL, be_idle, &ready) != 0)
        abort();
    pthread_barrier_wait(&ready);
    wait_for_signal(leave);
}

static void end(const char *ending)
{
    if (strcmp(ending, "status") == 0)
        exit(3);
    if (strcmp(ending, "_exit") == 0)
        _exit(4);
    if (strcmp(ending, "abort") == 0)
        abort();
    if (strcmp(ending, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(ending, "segv") == 0) {
        signal(SIGSEGV, SIG_DFL); /* a sanitizer installs its own handler */
        raise(SIGSEGV);
    }
    if (strcmp(ending, "fork") == 0)
        fork_children(3);
    if (strcmp(ending, "wait") == 0)
        wait_for_signal(leave);
    if (strcmp(ending, "open") == 0)
        wait_in_open_scopes();
    if (strcmp(ending, "obey") == 0)
        wait_for_signal(leave_in_peace);
}

int main(int argc, char **argv)
{
    const char *ending = argc > 1 ? argv[1] : "";
    call("parse", 10);
    call("store", 5);
    if (strcmp(ending, "late") == 0)
        call("late", 20);
    if (strcmp(ending, "instances") != 0)
        record_scopes();
    if (strcmp(ending, "values") == 0)
        record_values(argc > 3 ? atoi(argv[3]) : 7, argc > 4 ? (uint64_t)atoi(argv[4]) : 0);
    for (int i = 2; i < argc; i++)
        puts(argv[i]);
    fflush(stdout);
    end(argc > 2 && strcmp(ending, "values") == 0 ? argv[2] : ending);
    return 0;
}
