/* callback.c - C between C++ and C++: an exception passes through it */
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
