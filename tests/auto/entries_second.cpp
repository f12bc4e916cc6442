/*
 * entries_second.cpp - the other one
 */
#include "entries_program.h"

static ENTERED int second_helper(int n)
{
    return template_twice(n) + 1;
}

ENTERED int second_use(int n)
{
    return second_helper(n) + template_twice(n);
}
