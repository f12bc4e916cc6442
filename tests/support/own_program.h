/*
 * own_program.h - what a test executes to run itself anew
 *
 * Under valgrind /proc/self/exe is valgrind; tests/valgrind/memcheck.sh says there what has run it.
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
