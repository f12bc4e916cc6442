/*
 * work.h - work whose time is known: instructions that wait for each other, but for work_add
 *
 * It makes no system call, and uses no memory except a ring that stays in the first-level cache.
 * Each call begins with the result of the one before, so that calls also wait for each other: then
 * the time of all calls is the sum of the times of each.
 */
#ifndef WORK_H
#define WORK_H

/* Does this number of steps. */
typedef void work_call(unsigned long steps);

/* Multiplications; divisions of floating-point numbers, which are few and slow; loads, each of
 * which gives the address of the next one. */
work_call work_multiply, work_divide, work_chase;
/* Four additions in each step that do not wait for each other: a processor executes as many at a
 * time as it can, also those of calls that follow each other. */
work_call work_add;

/* The function with this name; NULL: there is no such work. */
work_call *work_of(const char *name);

/* The number of steps that take `ns`. */
unsigned long work_steps(work_call *work, double ns);

#endif /* WORK_H */
