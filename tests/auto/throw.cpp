// throw.cpp - functions that are left by an exception
#include "subjects.h"

#include <cstdlib>
#include <eprof.h>

extern "C" {

void throw_after(void)
{
    STAY();
}

NOINLINE void throw_deep(int depth)
{
    if (!depth)
        throw depth;
    throw_deep(depth - 1);
    STAY();
}

void throw_to_caller(void)
{
    try {
        throw_deep(3);
    } catch (int) {
        throw_after();
    }
    throw_after();
}

void throw_many_times(int times)
{
    for (int i = 0; i < times; i++)
        try {
            throw_deep(i % 4);
        } catch (int) {
        }
}

// ---- over other kinds of frames ----

NOINLINE void throw_now(void)
{
    throw 1;
}

void throw_through_c(void)
{
    try {
        c_between(throw_now);
    } catch (int) {
        throw_after();
    }
    throw_after();
}

int throw_compare(const void *, const void *)
{
    throw 1;
}

void throw_out_of_library(void)
{
    int numbers[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    try {
        qsort(numbers, 8, sizeof *numbers, throw_compare);
    } catch (int) {
    }
    throw_after();
}

INLINED void throw_inlined(void)
{
    throw_after();
    throw 1;
}

NOINLINE void throw_around_inlined(void)
{
    throw_inlined();
    STAY();
}

void throw_out_of_inlined(void)
{
    try {
        throw_around_inlined();
    } catch (int) {
    }
    throw_after();
}

NOINLINE void throw_scope(void)
{
    EPROF_SCOPE("left");
    throw_deep(1);
}

void throw_over_scopes(void)
{
    EPROF_SCOPE("around");
    try {
        throw_scope();
    } catch (int) {
    }
    EPROF_BLOCK("behind") throw_after();
}

// ---- more than once ----

void throw_and_catch_here(void)
{
    for (int i = 0; i < 3; i++)
        try {
            if (i < 2)
                throw i;
            throw_after();
        } catch (int) {
            throw_after();
        }
}

NOINLINE void throw_rethrow(void)
{
    try {
        throw_deep(1);
    } catch (int) {
        throw_after();
        throw;
    }
}

void throw_again(void)
{
    try {
        throw_rethrow();
    } catch (int) {
    }
    throw_after();
}

// ---- constructors and destructors ----

void throw_destroyed(void)
{
    STAY();
}

} // extern "C"

namespace
{

// Their own functions are local symbols, so they have no dynamic name.
#define UNSEEN __attribute__((no_instrument_function, patchable_function_entry(0)))

struct destroyed {
    UNSEEN destroyed()
    {
    }
    UNSEEN ~destroyed()
    {
        throw_destroyed();
    }
};

struct half_made {
    destroyed first;
    UNSEEN half_made()
    {
        throw_deep(0);
    }
};

// Throws and catches inside itself while another exception unwinds.
struct throws_inside {
    UNSEEN ~throws_inside()
    {
        try {
            throw_deep(1);
        } catch (int) {
            throw_after();
        }
    }
};

thread_local destroyed local;

} // namespace

extern "C" {

void throw_out_of_constructor(void)
{
    try {
        half_made object;
    } catch (int) {
    }
    throw_after();
}

NOINLINE void throw_past_destructor(void)
{
    throws_inside object;
    throw_deep(2);
}

void throw_while_unwinding(void)
{
    try {
        throw_past_destructor();
    } catch (int) {
    }
    throw_after();
}

void *thread_has_local(void *unused)
{
    destroyed *here = &local; // made at its first use, destroyed when the thread ends
    __asm__ volatile("" : : "r"(here) : "memory");
    throw_after();
    return unused;
}

} // extern "C"
