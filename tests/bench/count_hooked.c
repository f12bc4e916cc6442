/*
 * count_hooked.c CALLS - makes this number of calls of functions and little else, for a count of
 * instructions
 *
 * It is built three times: with our hooks, of which one pair in 4,096 is timed, with hooks that
 * only return, and without hooks. Eight nested functions are eight calls.
 */
#include <stdlib.h>

#ifdef COUNT_OURS
#include <eprof.h>
#endif

/* The result keeps the exit hook from being the last call, to which the compiler would jump. */
#define CALL_IN(name, next)                                                                        \
    __attribute__((noinline)) static long name(long result)                                        \
    {                                                                                              \
        result = next;                                                                             \
        __asm__ volatile("" : "+r"(result));                                                       \
        return result;                                                                             \
    }
CALL_IN(call_8, result)
CALL_IN(call_7, call_8(result))
CALL_IN(call_6, call_7(result))
CALL_IN(call_5, call_6(result))
CALL_IN(call_4, call_5(result))
CALL_IN(call_3, call_4(result))
CALL_IN(call_2, call_3(result))
CALL_IN(call_1, call_2(result))

int main(int argc, char **argv)
{
    long calls = argc == 2 ? strtol(argv[1], NULL, 10) : 0, result = 0;
#ifdef COUNT_OURS
    eprof_setup("budget=1/4096");
#endif
    for (long i = 0; i < calls; i += 8)
        result += call_1(i);
    return result == 1;
}
