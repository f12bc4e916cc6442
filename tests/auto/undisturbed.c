/*
 * undisturbed.c - functions of each kind that a patched entry could disturb
 *
 * Argument: the number of rounds. For each kind the program prints the sum of all results, if
 * compiler and processor have the kind. check_undisturbed.sh knows how often each path is called.
 */
#include "undisturbed.h"

#include <alloca.h>
#include <complex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a static chain, which is in %r10 ---- */

#ifndef __clang__
static KEPT long chain_calls(long n)
{
    long sum = 0;
    KEPT long chain_add(long depth)
    {
        sum += n;
        long result = depth ? chain_add(depth - 1) + 1 : 0;
        STAY(); /* no loop */
        return result;
    }
    return chain_add(2) + chain_add(0) + sum;
}
#endif

/* ---- vector arguments and results ---- */

#define EIGHT(name) name a, name b, name c, name d, name e, name f, name g, name h

#define VECTORS(bits, feature)                                                                     \
    typedef double wide##bits __attribute__((vector_size(bits / 8)));                              \
    __attribute__((target(feature))) static KEPT wide##bits vectors##bits##_mix(EIGHT(wide##bits)) \
    {                                                                                              \
        STAY();                                                                                    \
        return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8;                          \
    }                                                                                              \
    __attribute__((target(feature))) static KEPT double vectors##bits##_calls(long n)              \
    {                                                                                              \
        wide##bits one, live;                                                                      \
        double sum = 0;                                                                            \
        for (int i = 0; i < bits / 64; i++)                                                        \
            one[i] = (double)(n + i);                                                              \
        live = one + 1;                                                                            \
        wide##bits mixed =                                                                         \
            vectors##bits##_mix(one, one + 1, one + 2, one + 3, live, one + 5, one + 6, one + 7) * \
            live;                                                                                  \
        for (int i = 0; i < bits / 64; i++)                                                        \
            sum += mixed[i] * (i + 1);                                                             \
        return sum;                                                                                \
    }

VECTORS(256, "avx")
VECTORS(512, "avx512f")

/* ---- results in x87 registers, complex results ---- */

static KEPT long double float_x87(long double x, int n)
{
    STAY();
    return x / 3 + n;
}

static KEPT _Complex long double float_complex_x87(long double x, int n)
{
    STAY();
    return x * n + 7 * n * _Complex_I;
}

static KEPT _Complex double float_complex(double x, _Complex double z)
{
    STAY();
    return x * z + x;
}

static KEPT _Complex float float_complex_short(float x, _Complex float z)
{
    STAY();
    return x + z;
}

static KEPT double float_calls(long n)
{
    long double live = (long double)n / 7;
    _Complex long double z = float_complex_x87(live, (int)n);
    _Complex double y = float_complex((double)n, 3 + 4 * _Complex_I);
    _Complex float x = float_complex_short((float)(n % 64), 5 + 6 * _Complex_I);
    return (double)(float_x87(live, (int)n) + live * 3 + creall(z) + 2 * cimagl(z)) + creal(y) +
           cimag(y) + (double)(crealf(x) * cimagf(x));
}

/* ---- variable arguments: %al is the number of vector registers ---- */

static KEPT double variadic_sum(int count, ...)
{
    double sum = 0;
    va_list list;
    va_start(list, count);
    for (int i = 1; i <= count; i++)
        sum += i * (double)va_arg(list, long) + va_arg(list, double) / i;
    va_end(list);
    return sum;
}

static KEPT double variadic_calls(long n)
{
    return variadic_sum(2, n, 0.5, n + 1, 1.5) + variadic_sum(0) +
           variadic_sum(10, n, 1., n, 2., n, 3., n, 4., n, 5., n, 6., n, 7., n, 8., n, 9., n, 10.);
}

/* ---- arguments on the stack: the frame of pushed_ten() is below that of pushed_first(), which has
 * ended ---- */

struct big {
    long word[40];
};

static KEPT long pushed_first(long n)
{
    STAY();
    return n + 1;
}

static KEPT long pushed_ten(long a, long b, long c, long d, long e, long f, long g, long h, long i,
                            long j)
{
    STAY();
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}

static KEPT struct big pushed_big(long a, struct big by_value, long b)
{
    for (int i = 0; i < 40; i++)
        by_value.word[i] += a + b * i;
    return by_value;
}

static KEPT long pushed_calls(long n)
{
    struct big big;
    for (int i = 0; i < 40; i++)
        big.word[i] = n * i;
    long sum = pushed_first(n);
    sum += pushed_ten(n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9);
    sum += pushed_first(n);
    big = pushed_big(n, big, 3);
    for (int i = 0; i < 40; i++)
        sum += big.word[i] * i;
    return sum + pushed_first(n);
}

/* ---- a frame that grows ---- */

static KEPT long alloca_use(char *room, int bytes)
{
    memset(room, bytes, (size_t)bytes);
    return room[bytes / 2];
}

static KEPT long alloca_calls(long n)
{
    long sum = 0;
    for (int i = 1; i < 4; i++) {
        int bytes = (int)(n % 5 + i) * 24;
        sum += alloca_use(alloca((size_t)bytes), bytes);
    }
    return sum;
}

/* ---- locals below the stack pointer ---- */

static KEPT long red_zone(long n)
{
    volatile long room[14];
    for (int i = 0; i < 14; i++)
        room[i] = n + i;
    return room[0] + room[6] * 2 + room[13] * 3;
}

/* ---- parts that gcc moves away: FUNCTION.cold, FUNCTION.part.0 ---- */

static KEPT __attribute__((cold)) long cold_rare(long n)
{
    STAY();
    return n * 2;
}

static KEPT long cold_leaf(long n)
{
    STAY();
    return n + 3;
}

/* The block with two calls is the cold part. */
static KEPT long cold_calls(long n)
{
    long sum = cold_leaf(n);
    if (n % 3 == 0)
        sum += cold_leaf(cold_rare(n)) * cold_rare(sum);
    return sum + cold_leaf(n);
}

#define NOPS "nop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\n"
#define MORE_NOPS NOPS NOPS NOPS NOPS NOPS NOPS NOPS NOPS

/* For gcc these are too many instructions to be inlined, except for the comparison. */
#ifdef __clang__
#define DIVIDED KEPT
#else
#define DIVIDED
#endif
long part_work(long *sum, long n);
DIVIDED long part_work(long *sum, long n)
{
    if (__builtin_expect(n % 4 != 0, 1))
        return 1;
    __asm__ volatile(MORE_NOPS MORE_NOPS MORE_NOPS MORE_NOPS ::: "memory");
    *sum += cold_leaf(n);
    return 2;
}

static KEPT long part_calls(long n)
{
    long sum = 0;
    for (long i = 0; i < 2; i++)
        sum += part_work(&sum, n + i * 4);
    return sum + cold_leaf(n);
}

/* ---- sibling calls ---- */

static KEPT long tail_to(long n)
{
    STAY();
    return n + 2;
}

static KEPT long tail_from(long n)
{
    STAY();
    return tail_to(n + 1);
}

static KEPT long tail_calls(long n)
{
    return tail_from(n) + tail_from(n + 1) * 2;
}

/* ---- threads that end inside functions ---- */

static long cancel_cleaned;

static KEPT void cancel_clean(void *depth)
{
    cancel_cleaned = (cancel_cleaned * 5 + (long)depth) % 1000003; /* shows the order */
}

static KEPT long cancel_deep(long depth, long is_exit)
{
    long result = 0;
    pthread_cleanup_push(cancel_clean, (void *)depth);
    if (depth)
        result = cancel_deep(depth - 1, is_exit);
    else if (is_exit)
        pthread_exit(NULL);
    else
        for (;;)
            pthread_testcancel();
    pthread_cleanup_pop(0);
    return result;
}

static KEPT void *cancel_thread(void *is_exit)
{
    cancel_deep(3, (long)is_exit);
    return NULL;
}

static KEPT long cancel_calls(long n)
{
    pthread_t thread;
    pthread_create(&thread, NULL, cancel_thread, (void *)(n & 1));
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return cancel_cleaned;
}

/* ---- the end of the program inside a function ---- */

static KEPT void exit_handler(void)
{
    puts("exit 1");
}

static KEPT void exit_deep(int depth)
{
    if (!depth)
        exit(0);
    exit_deep(depth - 1);
    STAY();
}

/* ---- all of them ---- */

#define SUM(name, call)                                                                            \
    {                                                                                              \
        double sum = 0;                                                                            \
        for (long n = 0; n < rounds; n++)                                                          \
            sum += (double)(call);                                                                 \
        printf("%s %.9g\n", name, sum);                                                            \
    }

int main(int count, char **arguments)
{
    long rounds = count > 1 ? atol(arguments[1]) : 0;
#ifndef __clang__
    SUM("chain", chain_calls(n))
#endif
    if (__builtin_cpu_supports("avx"))
        SUM("vectors256", vectors256_calls(n))
    if (__builtin_cpu_supports("avx512f"))
        SUM("vectors512", vectors512_calls(n))
    SUM("float", float_calls(n))
    SUM("variadic", variadic_calls(n))
    SUM("pushed", pushed_calls(n))
    SUM("alloca", alloca_calls(n))
    SUM("red", red_zone(n))
    SUM("cold", cold_calls(n))
    SUM("part", part_calls(n))
    SUM("tail", tail_calls(n))
    int changed = registers_check((int)rounds);
    if (changed >= 0)
        printf("registers %d\n", changed);
    rounds /= 32;
    SUM("cancel", cancel_calls(n))
    atexit(exit_handler);
    exit_deep(3);
}
