/*
 * entries_first.cpp - one of two objects that contain the same function, and one of their own
 */
#include "entries_program.h"

ENTERED int first_use(int n)
{
    return template_twice(n);
}
