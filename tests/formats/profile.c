/*
 * profile.c - makes the profiles for tests of all formats
 *
 *     profile FILE                plain: two threads, recursion, 3 instances
 *     profile FILE hostile        names of every kind that may do harm
 *     profile FILE chain DEPTH    scopes of which each is in the one before
 *     profile FILE values         values and frames
 *     profile names               those names on stdout, each with its NUL
 *
 * The clock is moved by hand, one tick is one nanosecond, and the threads run one after another: so
 * the figures are the same each time. No two durations have the same digits in the same places, so
 * that the tests find a report that confuses or rounds them.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hand_clock.h"
#include "hostile_names.h"

static void pass(uint64_t ns)
{
    hand_ticks += ns;
}

static void run_thread(void *(*work)(void *), const void *argument)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, (void *)(uintptr_t)argument) != 0) {
        perror("a thread");
        exit(1);
    }
    pthread_join(thread, NULL);
}

/* ---- plain ---- */

static void parse(uint64_t ns)
{
    EPROF_FUNC;
    pass(ns);
    for (uint64_t i = 1; i <= 3; i++) {
        EPROF_SCOPE("token");
        pass(1028 * i + 7);
    }
}

/* Direct recursion. */
static void walk(int depth)
{
    EPROF_FUNC;
    pass(UINT64_C(7310249));
    if (depth > 0)
        walk(depth - 1);
    else
        parse(UINT64_C(50482617));
    pass(UINT64_C(604183));
}

/* Mutual recursion, with another scope inside both. */
static void is_odd(int number);

static void is_even(int number)
{
    EPROF_FUNC;
    pass(UINT64_C(11938450));
    if (number > 0)
        is_odd(number - 1);
    else
        parse(UINT64_C(2675093));
    pass(UINT64_C(83));
}

static void is_odd(int number)
{
    EPROF_FUNC;
    pass(UINT64_C(3402719));
    parse(UINT64_C(96031));
    if (number > 0)
        is_even(number - 1);
}

/* Two instances with one label, and one that stays open. */
static void use_instances(void)
{
    int read = eprof_alloc("read"), again = eprof_alloc("read"), write = eprof_alloc("write");
    for (uint64_t i = 1; i <= 4; i++) {
        eprof_start(read);
        pass(UINT64_C(142857) * i);
        eprof_start(again);
        pass(UINT64_C(30679) * i);
        eprof_stop(read);
        pass(UINT64_C(5) * i);
        eprof_stop(again);
    }
    eprof_start(write);
    pass(UINT64_C(8261534097));
    eprof_stop(write);
    eprof_start(write);
}

static void *work_as_worker(void *unused)
{
    eprof_thread_enter("worker");
    is_odd(4);
    walk(2);
    parse(UINT64_C(18273645));
    return unused;
}

static int save(const char *path)
{
    int result = eprof_save(path);
    if (result != 0)
        perror(path);
    return result != 0;
}

static int save_plain(const char *path)
{
    eprof_thread_enter("reader");
    run_thread(work_as_worker, NULL);
    use_instances();
    parse(UINT64_C(46809)); /* the worker used it too */
    EPROF_SCOPE("open");
    pass(UINT64_C(4096183));
    walk(3);
    is_even(5);
    EPROF_BLOCK("parse") /* another site has the same name */
    pass(UINT64_C(720351));
    parse(UINT64_C(1));
    eprof_enter("again"); /* called once, and open once more */
    pass(UINT64_C(31847));
    eprof_leave();
    eprof_enter("again");
    pass(UINT64_C(960));
    eprof_stop(-1); /* diagnostics: a handle that is not an instance */
    return save(path);
}

/* ---- hostile ---- */

/* A site as the macros make it; no compiler accepts such file names. */
static void visit(struct eprof_site *site, uint64_t ns)
{
    struct eprof_token token = {NULL};
    eprof_scope_enter(site, &token, EPROF_CALLER_FRAME);
    pass(ns);
    eprof_scope_leave(&token);
}

static struct eprof_site sites[HOSTILE_NAMES];

/* Runs on a thread of that name. */
static void *visit_by_name(void *name)
{
    eprof_thread_enter(name);
    EPROF_SCOPE("thread");
    pass(1);
    return NULL;
}

/* Each name is the label of an instance, of a scope at the root and of one inside another, the name
 * of a thread, and the file of a scope. A figure identifies each of them. */
static int save_hostile(const char *path)
{
    for (size_t i = 0; i < HOSTILE_NAMES; i++) {
        int id = eprof_alloc(hostile_name(i));
        eprof_start(id);
        pass(1000 + i);
        eprof_stop(id);
        eprof_enter(hostile_name(i));
        pass(2000 + i);
        eprof_enter(hostile_name((i + 1) % HOSTILE_NAMES));
        pass(3000 + i);
        eprof_leave();
        eprof_leave();
        sites[i] = (struct eprof_site){0,           (uint32_t)(i + 1), hostile_name(i),
                                       "in a file", EPROF_NO_OFFSET,   0};
        visit(&sites[i], 4000 + i);
        run_thread(visit_by_name, hostile_name(i));
    }
    return save(path);
}

/* Starts the program again, with the names in its command line. */
static int run_with_hostile_words(char **words)
{
    char *more[3 + HOSTILE_NAMES + 1] = {words[0], words[1], words[2]};
    for (size_t i = 0; i < HOSTILE_NAMES; i++)
        more[3 + i] = (char *)(uintptr_t)hostile_name(i);
    execv("/proc/self/exe", more);
    perror("the program itself");
    return 1;
}

/* ---- chain ---- */

static int save_chain(const char *path, long depth)
{
    for (long i = 0; i < depth; i++) {
        char label[32];
        snprintf(label, sizeof label, "level %ld", i);
        eprof_enter(label);
        pass(1);
    }
    for (long i = 0; i < depth; i++)
        eprof_leave();
    return save(path);
}

/* ---- values ---- */

static void read_input(int count)
{
    EPROF_FUNC;
    for (int i = 0; i < count; i++) {
        EPROF_BYTES("input", 1000 + i);
        EPROF_VALUE("offset", -3 * i);
        pass(11);
    }
}

static void draw(int i)
{
    EPROF_FRAME("frame", 20);
    pass(15);
    EPROF_VALUE("objects", 40 + i);
    read_input(i);
}

static int save_values(const char *path)
{
    EPROF_VALUE("outside", 7);
    read_input(3);
    for (int i = 0; i < 4; i++)
        draw(i);
    return eprof_save(path) != 0;
}

int main(int count, char **words)
{
    if (count == 2 && strcmp(words[1], "names") == 0) {
        for (size_t i = 0; i < HOSTILE_NAMES; i++)
            fwrite(hostile_name(i), 1, strlen(hostile_name(i)) + 1, stdout);
        return fflush(stdout) != 0;
    }
    if (count == 3 && strcmp(words[2], "hostile") == 0)
        return run_with_hostile_words(words);
    hand_clock_use();
    if (count == 2)
        return save_plain(words[1]);
    if (count == 3 && strcmp(words[2], "values") == 0)
        return save_values(words[1]);
    if (count > 3 && strcmp(words[2], "hostile") == 0)
        return save_hostile(words[1]);
    if (count == 4 && strcmp(words[2], "chain") == 0)
        return save_chain(words[1], atol(words[3]));
    fprintf(stderr, "usage: %s FILE [hostile | values | chain DEPTH], or %s names\n", words[0],
            words[0]);
    return 2;
}
