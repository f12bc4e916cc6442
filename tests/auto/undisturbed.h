/* undisturbed.h - declarations that the files of this program share */
#ifndef UNDISTURBED_H
#define UNDISTURBED_H

/* A function of its own, which is local: the compiler may give it a calling convention of its own
 * (gcc -fipa-ra, or a stack that is not aligned). */
#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noclone))
#endif

/* The compiler cannot know the effects of a function that contains it. */
#define STAY() __asm__ volatile("" ::: "memory")

/* The number of registers that a call of a function with an entry has changed, in `rounds` calls.
 * -1: the processor lacks XSAVE. */
int registers_check(int rounds);

#endif /* UNDISTURBED_H */
