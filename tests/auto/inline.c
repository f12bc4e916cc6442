/* inline.c - calls of functions with patched entries whose path is known are counted inline: how
 * many of them reach libeprof, for patterns that once did each time */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <eprof.h>

enum { TIMES = 100000, MOST_OUTSIDE = TIMES / 100, MOST_UNKNOWN = 100 };

#define NOINLINE __attribute__((noinline))
#define STAY() __asm__ volatile("" : : : "memory")

static volatile unsigned long outside; /* calls that were not counted inline, */
static volatile unsigned long unknown; /* and those of them whose caller was searched for */

/* In place of libeprof's, for libeprof-auto. It has no entry. */
__attribute__((patchable_function_entry(0))) int eprof_entry_enter(struct eprof_entry_call *call)
{
    static int (*next)(struct eprof_entry_call * call);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "eprof_entry_enter");
    outside++;
    return next(call);
}

__attribute__((patchable_function_entry(0))) int eprof_entry_is_known(struct eprof_entry_call *call)
{
    static int (*next)(struct eprof_entry_call * call);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "eprof_entry_is_known");
    int is_known = next(call);
    unknown += !is_known;
    return is_known;
}

/* ---- arguments on the stack, beside the return address of a call that has ended ---- */

NOINLINE void inner(void)
{
    STAY();
}

NOINLINE void brief(void)
{
    inner();
    STAY();
}

NOINLINE unsigned seven(unsigned a, int b, int c, int d, int e, int f, int g)
{
    STAY();
    return a + (unsigned)(b + c + d + e + f + g);
}

/* Called through pointers, functions need an aligned stack, with a gap above the argument: where
 * the return address of the call before it was. */
NOINLINE unsigned pushes(int times)
{
    void (*volatile call_brief)(void) = brief;
    unsigned (*volatile call_seven)(unsigned, int, int, int, int, int, int) = seven;
    unsigned sum = 0;
    for (int i = 0; i < times; i++) {
        call_brief();
        sum += call_seven((unsigned)i, 1, 2, 3, 4, 5, 6);
    }
    return sum;
}

/* ---- a call after two that have ended: the outer one's slot still holds its return address, and
 * the inner one is the function that is called now ---- */

NOINLINE int last_of_all(int a)
{
    STAY();
    return a * 3;
}

NOINLINE int reached(int a, int b, int c, int d, int e, int f, int g)
{
    volatile int large[16]; /* so that the next call's frame is not where an ended one was */
    large[a & 15] = b;
    STAY();
    return last_of_all(a + g) + c + d + e + f + large[a & 15];
}

NOINLINE int between(int a)
{
    STAY();
    return reached(a, 1, 2, 3, 4, 5, 6) + 1;
}

NOINLINE void ends_two(int times)
{
    for (int i = 0; i < times; i++) {
        between(i & 7);
        reached(i & 7, 1, 2, 3, 4, 5, i & 7);
        STAY();
    }
}

/* ---- neighbours that are called by one instruction: the keys of two in 32 bytes have the same
 * offset ---- */

#define NEIGHBOUR(number)                                                                          \
    NOINLINE void neighbour_##number(void)                                                         \
    {                                                                                              \
        STAY();                                                                                    \
    }
NEIGHBOUR(0)
NEIGHBOUR(1)
NEIGHBOUR(2)
NEIGHBOUR(3)

NOINLINE void turns(int times)
{
    static void (*const volatile neighbours[])(void) = {neighbour_0, neighbour_1, neighbour_2,
                                                        neighbour_3};
    for (int i = 0; i < times; i++) {
        neighbours[i % 4]();
        STAY();
    }
}

/* ---- all ---- */

/* Of all rows with such a name or, if it has a `;`, such a path. */
static unsigned long calls_of(const char *name)
{
    eprof_snapshot *snapshot = eprof_snapshot_take();
    unsigned long calls = 0;
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        if (eprof_snapshot_row(snapshot, i, &row) == 0 &&
            strstr(strchr(name, ';') ? row.path : row.name, name))
            calls += row.calls;
    }
    eprof_snapshot_free(snapshot);
    return calls;
}

static int failures;

static void expect(const char *pattern, unsigned long calls)
{
    if (calls == TIMES && outside <= MOST_OUTSIDE)
        return;
    printf("%s: %lu calls of %d, %lu not inline, of at most %d\n", pattern, calls, TIMES, outside,
           MOST_OUTSIDE);
    failures++;
}

int main(void)
{
    eprof_setup("budget=1/4096,quiet");
    pushes(TIMES);
    expect("arguments on the stack", calls_of("seven"));
    ends_two(TIMES);
    expect("after a call", calls_of("ends_two;reached;last_of_all"));
    expect("in a call", calls_of("ends_two;between;reached;last_of_all"));
    outside = 0;
    turns(TIMES);
    expect("neighbours", calls_of("neighbour_"));
    eprof_setup("budget=1/16");
    unknown = 0;
    for (int i = 0; i < TIMES; i++)
        brief(); /* main() is the lowest open call */
    if (unknown > MOST_UNKNOWN) {
        printf("the caller was searched for %lu times, of at most %d\n", unknown, MOST_UNKNOWN);
        failures++;
    }
    return failures != 0;
}
