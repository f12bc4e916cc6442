#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../sanitizer.h"
#include "shelter.h"

static char *answer;
static size_t answer_bytes;

/* What the work has written is in `answer`. */
static enum ep_shelter_end shelter_in(const struct ep_shelter *shelter, ep_shelter_work *work,
                                      void *arg)
{
    free(answer);
    FILE *out = open_memstream(&answer, &answer_bytes);
    assert_non_null(out);
    enum ep_shelter_end end = ep_shelter_do(shelter, work, arg, out);
    assert_int_equal(fclose(out), 0);
    return end;
}

static enum ep_shelter_end shelter(ep_shelter_work *work, void *arg)
{
    struct ep_shelter shelter;
    ep_shelter_open(&shelter);
    return shelter_in(&shelter, work, arg);
}

static void write_much(void *arg, FILE *out)
{
    for (int i = 0; i < *(int *)arg; i++)
        fprintf(out, "line %d%c", i, '\0');
}

static void all_of_an_answer_arrives(void **state)
{
    (void)state;
    int lines = 100000;
    assert_int_equal(shelter(write_much, &lines), EP_SHELTER_DONE);
    size_t at = 0;
    for (int i = 0; i < lines; i++) {
        char expected[32];
        snprintf(expected, sizeof expected, "line %d", i);
        assert_in_range(at + strlen(expected), 1, answer_bytes);
        assert_string_equal(answer + at, expected);
        at += strlen(expected) + 1;
    }
    assert_int_equal(answer_bytes, at);
}

static void write_and_raise(void *arg, FILE *out)
{
    fputs("half of it", out);
    fflush(out);
    signal(*(int *)arg, SIG_DFL); /* a sanitizer may have taken it */
    raise(*(int *)arg);
}

static void nothing_of_a_crash_arrives(void **state)
{
    (void)state;
    static const int crashes[] = {SIGSEGV, SIGABRT, SIGBUS, SIGXFSZ};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
        int number = crashes[i];
        assert_int_equal(shelter(write_and_raise, &number), EP_SHELTER_CRASHED);
        assert_int_equal(answer_bytes, 0);
    }
}

static void limits_of_time_are_told_from_crashes(void **state)
{
    (void)state;
    static const int limits[] = {SIGXCPU, SIGALRM, SIGKILL};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        int number = limits[i];
        assert_int_equal(shelter(write_and_raise, &number), EP_SHELTER_LONG);
        assert_int_equal(answer_bytes, 0);
    }
}

static void leave(void *arg, FILE *out)
{
    (void)arg;
    fputs("half of it", out);
    fflush(out);
    _exit(3);
}

static void work_that_leaves_has_crashed(void **state)
{
    (void)state;
    assert_int_equal(shelter(leave, NULL), EP_SHELTER_CRASHED);
    assert_int_equal(answer_bytes, 0);
}

static void write_once(void *arg, FILE *out)
{
    (void)arg;
    fputs("once", out);
}

static void what_was_written_before_is_not_written_again(void **state)
{
    (void)state;
    free(answer);
    FILE *out = open_memstream(&answer, &answer_bytes);
    assert_non_null(out);
    struct ep_shelter shelter;
    ep_shelter_open(&shelter);
    fputs("before, ", out);
    assert_int_equal(ep_shelter_do(&shelter, write_once, NULL, out), EP_SHELTER_DONE);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(answer, "before, once");
}

static void tell_limits(void *arg, FILE *out)
{
    static const int resources[] = {RLIMIT_CORE, RLIMIT_CPU, RLIMIT_AS, RLIMIT_FSIZE};
    (void)arg;
    for (size_t i = 0; i < sizeof resources / sizeof resources[0]; i++) {
        struct rlimit limits;
        getrlimit(resources[i], &limits);
        uint64_t most = limits.rlim_max == RLIM_INFINITY ? UINT64_MAX : limits.rlim_max;
        fprintf(out, "%" PRIu64 " ", limits.rlim_cur == limits.rlim_max ? most : 12345);
    }
    fprintf(out, "%u", alarm(0));
}

static void work_has_limits(void **state)
{
    (void)state;
    assert_int_equal(shelter(tell_limits, NULL), EP_SHELTER_DONE);
    uint64_t core, seconds, address_bytes, file_bytes;
    unsigned wall_seconds;
    assert_int_equal(sscanf(answer, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %u", &core,
                            &seconds, &address_bytes, &file_bytes, &wall_seconds),
                     5);
    assert_int_equal(core, 0);
    assert_int_equal(file_bytes, 256 << 20);
    assert_int_equal(seconds, 10);
    assert_in_range(wall_seconds, 1, 15);
    /* with 32 bits there is no more than that */
    if (!ANY_SANITIZER && sizeof(void *) == 8)
        assert_int_equal(address_bytes, UINT64_C(4) << 30);
}

static void use_processor(void *arg, FILE *out)
{
    struct rusage used;
    (void)out;
    alarm(0); /* on a busy machine it may take long */
    do
        getrusage(RUSAGE_SELF, &used);
    while (used.ru_utime.tv_sec + used.ru_stime.tv_sec < *(int *)arg);
}

static uint64_t processor_seconds(const struct ep_shelter *shelter)
{
    uint64_t core, seconds;
    assert_int_equal(shelter_in(shelter, tell_limits, NULL), EP_SHELTER_DONE);
    assert_int_equal(sscanf(answer, "%" SCNu64 " %" SCNu64, &core, &seconds), 2);
    return seconds;
}

static void time_is_shared(void **state)
{
    (void)state;
    int seconds = 1;
    struct ep_shelter shelter;
    ep_shelter_open(&shelter);
    assert_int_equal(processor_seconds(&shelter), 10);
    assert_int_equal(shelter_in(&shelter, use_processor, &seconds), EP_SHELTER_DONE);
    assert_in_range(processor_seconds(&shelter), 1, 9);
    ep_shelter_open(&shelter);
    assert_int_equal(processor_seconds(&shelter), 10);
}

static void write_without_end(void *arg, FILE *out)
{
    static char bytes[1 << 20];
    (void)arg;
    while (fwrite(bytes, 1, sizeof bytes, out) == sizeof bytes)
        ;
}

static void answer_without_end_is_none(void **state)
{
    (void)state;
    struct rlimit before, less;
    getrlimit(RLIMIT_FSIZE, &before);
    less = before;
    less.rlim_cur = 16 << 20; /* to what it is otherwise it would write for long */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
    assert_int_equal(shelter(write_without_end, NULL), EP_SHELTER_CRASHED);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(answer_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_an_answer_arrives),
        cmocka_unit_test(nothing_of_a_crash_arrives),
        cmocka_unit_test(limits_of_time_are_told_from_crashes),
        cmocka_unit_test(work_that_leaves_has_crashed),
        cmocka_unit_test(what_was_written_before_is_not_written_again),
        cmocka_unit_test(work_has_limits),
        cmocka_unit_test(time_is_shared),
        cmocka_unit_test(answer_without_end_is_none),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(answer);
    return failed;
}
