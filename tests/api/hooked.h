/*
 * hooked.h - functions that the compiler's hooks bracket; no other file of the tests has hooks
 */
#ifndef HOOKED_H
#define HOOKED_H

#include <sys/types.h>

/* One call of itself, and `times` of a function in it. */
void hooked_work(int times);

/* Calls itself once. The child of a vfork() calls hooked_work(times), and then `last`, which does
 * not return. */
pid_t hooked_vfork(int times, void (*last)(void));

/* One call of itself, and three inside it, of which one is inlined. */
enum { HOOKED_NESTED_CALLS = 4 };
int hooked_nested(int number);

/* Calls itself: depth + 1 calls. */
int hooked_recursion(int depth);

#endif /* HOOKED_H */
