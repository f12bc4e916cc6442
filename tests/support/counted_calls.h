/*
 * counted_calls.h - calls of scopes at several paths, some of them recursive, that a thread counts
 * for another thread or process: before each begins, and after it has ended
 *
 * So the number of calls that a report may show at a path is known within those that are open.
 */
#ifndef COUNTED_CALLS_H
#define COUNTED_CALLS_H

#include <eprof.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum counted_path {
    COUNTED_OUTER,
    COUNTED_LEAF,
    COUNTED_A,
    COUNTED_B,
    COUNTED_FOLDED,
    COUNTED_FOLDED_LEAF,
    COUNTED_PATHS
};

static const char *const counted_paths[COUNTED_PATHS] = {
    "outer", "outer;leaf", "outer;a", "outer;a;b", "outer;folded", "outer;folded;leaf"};

struct counted {
    _Atomic uint64_t begun, ended, outermost_begun, outermost_ended;
};

/* Of all threads, by path; a test may replace it by memory that it shares. */
static struct counted counted_own[COUNTED_PATHS];
static struct counted *counted_calls = counted_own;

static _Thread_local const char *counted_rest;       /* the calls that come next */
static _Thread_local uint32_t counted_open['z' + 1]; /* the open calls of each function */

static void counted_call_all(void);

#define COUNTED_FUNCTION(name)                                                                     \
    static __attribute__((noinline)) void counted_##name(void)                                     \
    {                                                                                              \
        EPROF_SCOPE(#name);                                                                        \
        counted_call_all();                                                                        \
    }
COUNTED_FUNCTION(outer)
COUNTED_FUNCTION(leaf)
COUNTED_FUNCTION(a)
COUNTED_FUNCTION(b)
COUNTED_FUNCTION(folded)

static void counted_enter(char function)
{
    switch (function) {
    case 'a':
        counted_a();
        break;
    case 'b':
        counted_b();
        break;
    case 'f':
        counted_folded();
        break;
    case 'l':
        counted_leaf();
        break;
    default:
        counted_outer();
    }
}

static enum counted_path counted_path_of(char function)
{
    switch (function) {
    case 'a':
        return COUNTED_A;
    case 'b':
        return COUNTED_B;
    case 'f':
        return COUNTED_FOLDED;
    case 'l':
        return counted_open['f'] ? COUNTED_FOLDED_LEAF : COUNTED_LEAF;
    default:
        return COUNTED_OUTER;
    }
}

static void counted_call(char function)
{
    struct counted *counted = &counted_calls[counted_path_of(function)];
    bool is_outermost = counted_open[(int)function]++ == 0;
    counted->begun++;
    counted->outermost_begun += is_outermost;
    counted_enter(function);
    counted->ended++;
    counted->outermost_ended += is_outermost;
    counted_open[(int)function]--;
}

/* a{bb}: a calls b twice. */
static void counted_call_all(void)
{
    if (*counted_rest != '{')
        return;
    counted_rest++;
    while (*counted_rest != '}')
        counted_call(*counted_rest++);
    counted_rest++;
}

/* Two rounds, by turns; each calls each function. */
static inline void counted_round(unsigned number)
{
    static const char *const rounds[] = {"{o{a{b{a{b}}}f{f{fl}l}l}}", "{o{a{b{a}b}lf{l}ll}}"};
    counted_rest = rounds[number % 2];
    counted_call_all();
}

#endif /* COUNTED_CALLS_H */
