/*
 * fault.h - decides which call fails; the instrument has a function for each call of calls.h, which
 * asks here
 *
 * The instrument is a preloaded library. Its functions have the names of the calls, so that a
 * program calls them first. A call that need not fail, or that comes from another library, is
 * passed on to the real function.
 */
#ifndef FAULTS_FAULT_H
#define FAULTS_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "calls.h"

/* Returns the way in which this call must fail, with errno set; NULL: it must not fail. `from` is
 * the address of the caller. */
const struct call_way *fault_is_due(enum call call, const void *from);

/* The real function. */
typedef void (*fault_function)(void);
fault_function fault_real(enum call call);

/* Records that text for stderr is lost. */
void fault_cut_stderr(void);

/* The programs and libraries whose calls count: their names begin with the words of `objects`.
 * fault_objects_have() returns whether an address is in one of them. After fault_objects_forget()
 * no calls count any more. */
void fault_objects_find(const char *objects);
bool fault_objects_have(const void *address);
void fault_objects_forget(void);
/* Identifies the callers of `from` in these objects; the value is the same in each run. */
uint64_t fault_objects_context(const void *from);

/* Counts one mapping more or less, if its caller is in an object whose calls count. */
void fault_count_mapping(const void *from, int change);

/* NOLINTBEGIN(bugprone-macro-parentheses): names, types and lists of parameters */
#define IS_DUE(name) fault_is_due(CALL_##name, __builtin_return_address(0))
#define REAL(name) ((__typeof__(&name))fault_real(CALL_##name))

/* Most calls return a value that means failure, and set errno. */
#define FAILS(type, failed, name, parameters, arguments)                                           \
    type name parameters                                                                           \
    {                                                                                              \
        return IS_DUE(name) ? (failed) : REAL(name) arguments;                                     \
    }

/* These calls return the number of the error, and do not change errno. */
#define RETURNS_ERROR(name, parameters, arguments)                                                 \
    int name parameters                                                                            \
    {                                                                                              \
        int saved_errno = errno;                                                                   \
        const struct call_way *way = IS_DUE(name);                                                 \
        errno = saved_errno;                                                                       \
        return way ? way->error : REAL(name) arguments;                                            \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

#endif /* FAULTS_FAULT_H */
