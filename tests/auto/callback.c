/* callback.c - C functions between C++ functions: an exception passes through them */
#include "subjects.h"

SUBJECTS_BEGIN

NOINLINE void c_inner(void (*function)(void))
{
    function();
    STAY();
}

void c_between(void (*function)(void))
{
    c_inner(function);
    STAY();
}

SUBJECTS_END
