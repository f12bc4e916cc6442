/*
 * hooked.h - functions that the compiler's hooks bracket; nothing else of the tests is
 */
#ifndef HOOKED_H
#define HOOKED_H

#include <sys/types.h>

/* One call of itself, and `times` of a function in it. */
void hooked_work(int times);

/* One call of itself. The child of a vfork() works, as often as is said here, and does `last`,
 * which does not return. */
pid_t hooked_vfork(int times, void (*last)(void));

#endif /* HOOKED_H */
