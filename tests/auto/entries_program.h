/*
 * entries_program.h - what the parts of the program with entries share
 */
#ifndef ENTRIES_PROGRAM_H
#define ENTRIES_PROGRAM_H

/* Neither inlined nor replaced by a copy for constant arguments. */
#ifdef __clang__
#define ENTERED __attribute__((noinline, optnone))
#else
#define ENTERED __attribute__((noipa))
#endif

#ifdef __cplusplus
int first_use(int n), second_use(int n);

/* Both objects contain it. */
template <typename T> ENTERED T template_twice(T n)
{
    return n + n;
}

extern "C" {
#endif
int library_function(int n);
int library_opens(const char *name);
#ifdef __cplusplus
}
#endif

#endif /* ENTRIES_PROGRAM_H */
