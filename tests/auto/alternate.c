/*
 * alternate.c - functions with hooks and functions with entries that call each other
 *
 * It is compiled twice: with HOOKED for the part with hooks, and without it for the part with
 * entries. Argument: the number of rounds. check_alternate.sh knows how often each path is called.
 */
#include <stdlib.h>

/* Neither inlined nor replaced by a copy for constant arguments. */
#ifdef __clang__
#define KEPT __attribute__((noinline, optnone))
#else
#define KEPT __attribute__((noipa))
#endif

int hooked_leaf(int n), hooked_step(int n), entered_leaf(int n), entered_step(int n);
int hooked_compare(const void *a, const void *b), entered_compare(const void *a, const void *b);
void hooked_search(int n), entered_search(int n);

#ifdef HOOKED
#define OWN(name) hooked_##name
#define OTHER(name) entered_##name
#else
#define OWN(name) entered_##name
#define OTHER(name) hooked_##name
#endif

KEPT int OWN(leaf)(int n)
{
    __asm__ volatile("" : "+r"(n));
    return n + 1;
}

KEPT int OWN(step)(int n)
{
    int sum = n ? OTHER(step)(n - 1) : 0;
    sum += OWN(leaf)(n);
    return sum + OTHER(leaf)(n);
}

KEPT int OWN(compare)(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The C library calls the function of the other part once. */
KEPT void OWN(search)(int n)
{
    if (!bsearch(&n, &n, 1, sizeof n, OTHER(compare)))
        abort();
}

#ifndef HOOKED
KEPT int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : 0;
    for (int i = 0; i < rounds; i++) {
        hooked_step(i % 6);
        entered_step(i % 6);
        hooked_search(i);
        entered_search(i);
    }
    return 0;
}
#endif
