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

#endif /* HOOKED_H */
