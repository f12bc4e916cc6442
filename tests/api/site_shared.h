/* site_shared.h - functions with scopes that several files include, for test_scope_sites.c */
#ifndef SITE_SHARED_H
#define SITE_SHARED_H

#include <eprof.h>

/* Defined by the test: moves the clock. */
void pass(uint64_t ticks);

/* The scope is the same in all files that include this header. */
static inline void shared_inline(uint64_t ticks)
{
    EPROF_FUNC;
    pass(ticks);
    EPROF_BLOCK("in a header") pass(ticks);
}

void twin_one(uint64_t ticks);
void twin_other(uint64_t ticks);
void twin_one_calls_inline(uint64_t ticks);
void twin_other_calls_inline(uint64_t ticks);
/* In a shared library, which calls back. */
void library_scope(uint64_t ticks, void (*inside)(uint64_t ticks));
/* In a plug-in. */
typedef void (*plugin_act)(uint64_t ticks);

#endif /* SITE_SHARED_H */
