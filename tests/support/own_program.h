/*
 * own_program.h - the program that a test executes to run itself again
 *
 * Under valgrind /proc/self/exe is valgrind; there tests/valgrind/memcheck.sh provides the path of
 * the script that started it.
 */
#ifndef OWN_PROGRAM_H
#define OWN_PROGRAM_H

#include <stdlib.h>

static inline const char *own_program(void)
{
    const char *script = getenv("EPROF_TEST_PROGRAM");
    return script ? script : "/proc/self/exe";
}

#endif /* OWN_PROGRAM_H */
