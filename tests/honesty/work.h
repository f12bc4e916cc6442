/*
 * work.h - work whose time is known: instructions that wait for each other
 *
 * No system call, no memory but a ring that stays in the first cache. What one call leaves behind
 * the next one begins with, so that calls wait for each other as well: then what they take together
 * is what each of them takes.
 */
#ifndef WORK_H
#define WORK_H

/* So many steps of it. */
typedef void work_call(unsigned long steps);

/* Multiplications; divisions of floating point, few and slow; loads, each of which tells where the
 * next one is. */
work_call work_multiply, work_divide, work_chase;

/* Their names; NULL: no such work. */
work_call *work_of(const char *name);

/* How many steps take `ns`. */
unsigned long work_steps(work_call *work, double ns);

#endif /* WORK_H */
