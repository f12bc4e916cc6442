/*
 * What the tests of this program are based on: breakpoints stop it after the same instructions as
 * the trap flag (support/trap_flag.c)
 */
#include "test.h"
#include "trap_flag.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MOST_STEPS = 100000 };

static uint64_t flag_steps[MOST_STEPS], steps[MOST_STEPS]; /* the addresses of the instructions */
static size_t step_count;

static void note(ucontext_t *interrupted)
{
    if (step_count < MOST_STEPS)
        steps[step_count] = (uint64_t)interrupted->uc_mcontext.gregs[REG_RIP];
    step_count++;
}

/* ---- what is stepped through ---- */

static char text[512];

static __attribute__((noinline)) int add(int a)
{
    __asm__ volatile("" : "+r"(a));
    return a + 1;
}

static int (*volatile by_pointer)(int) = add;
static volatile int sum;

static void loop(void)
{
    for (volatile int i = 0; i < 10; i++)
        sum = i % 3 ? add(i) : by_pointer(i);
}

/* A conditional jump with an offset of four bytes, taken and not. */
static void jump_far(void)
{
    for (long i = 0; i < 2; i++)
        __asm__ volatile("test %0, %0\n\tjz 1f\n\t.skip 200, 0x90\n1:" : : "r"(i) : "cc");
}

static void count_down(void)
{
    long count = 5;
    __asm__ volatile("1: loop 1b" : "+c"(count));
}

static void repeat(void)
{
    char *to = text;
    long count = 20;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"('x') : "memory");
}

/* What is pushed has the trap flag, and is popped again. */
static void push_flags(void)
{
    __asm__ volatile("sub $128, %%rsp\n\tpushfq\n\tpopfq\n\tadd $128, %%rsp" : : : "memory", "cc");
}

static void call_the_library(void)
{
    snprintf(text, sizeof text, "%d %f %s", 12, 3.14, "text");
    memset(text, 1, sizeof text);
}

static void call_the_system(void)
{
    struct timespec now;
    getppid();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
}

static size_t step_through(void (*act)(void))
{
    step_count = 0;
    trap_flag_set();
    act();
    trap_flag_clear();
    return step_count;
}

/* In the first round with breakpoints, lengths are learned. */
static void assert_same_steps(void (*act)(void), size_t least)
{
    enum { ROUNDS = 3 };
    act(); /* the loader has found all functions */
    for (int round = -1; round < ROUNDS; round++) {
        trap_flag_use_breakpoints(round >= 0);
        assert_in_range(step_through(act), least, MOST_STEPS);
        if (round < 0)
            memcpy(flag_steps, steps, sizeof steps);
        for (size_t i = 0; i < step_count; i++)
            if (steps[i] != flag_steps[i])
                fail_msg("step %zu of %zu: %" PRIx64 ", not %" PRIx64, i, step_count, steps[i],
                         flag_steps[i]);
    }
}

TEST(breakpoints_stop_after_the_same_instructions_as_the_trap_flag)
{
    assert_same_steps(loop, 50);
    assert_same_steps(jump_far, 200);
    assert_same_steps(count_down, 5);
    assert_same_steps(repeat, 20);
    assert_same_steps(push_flags, 4);
    assert_same_steps(call_the_library, 500);
    assert_same_steps(call_the_system, 20);
}

TEST(breakpoints_are_where_instructions_of_changed_code_begin)
{
    static const uint8_t before[] = {0x48, 0x89, 0xc0, 0xc3}, /* mov %rax, %rax; ret */
        after[] = {0x90, 0x89, 0xc0, 0xc3};                   /* nop; mov %eax, %eax; ret */
    uint8_t *code = mmap(NULL, sizeof before, PROT_READ | PROT_WRITE | PROT_EXEC,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(code, MAP_FAILED);
    void (*run)(void) = (void (*)(void))(uintptr_t)code;
    memcpy(code, before, sizeof before);
    step_through(run);
    size_t steps_before = step_through(run);
    memcpy(code, after, sizeof after);
    assert_int_equal(step_through(run), steps_before + 1);
    assert_memory_equal(code, after, sizeof after);
    munmap(code, sizeof before);
}

static int begin(void **state)
{
    (void)state;
    return trap_flag_call(note);
}

TEST_EACH(begin, NULL)
