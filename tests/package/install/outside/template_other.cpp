#include "template.hpp"

// The first function of this object is its own: only then gcc's list of entries remains, which
// refers to the copy of twice() that the linker drops.
__attribute__((noinline)) static int own(int value)
{
    return value + 2;
}

int other(int value)
{
    return own(value) + twice(value);
}
