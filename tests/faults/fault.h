/*
 * fault.h - which call is to fail: what the instrument's own calls, one for each of calls.h, ask
 *
 * A library that is preloaded. It has the calls' names, so that a program comes here first; what
 * is not to fail, and what others call, goes on to the real one.
 */
#ifndef FAULTS_FAULT_H
#define FAULTS_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "calls.h"

/* How this call is to fail, with errno set; NULL: it is not. `from` is where it was called. */
const struct call_way *fault_is_due(enum call call, const void *from);

/* The real one. */
typedef void (*fault_function)(void);
fault_function fault_real(enum call call);

/* Something that was to stand on stderr is lost. */
void fault_cut_stderr(void);

/* The programs and libraries whose calls count, as the words of `objects` begin, and an address in
 * one of them. None does any more when they are forgotten. */
void fault_objects_find(const char *objects);
bool fault_objects_have(const void *address);
void fault_objects_forget(void);
/* Of what came there from `from`: its callers in these objects, the same in each run. */
uint64_t fault_objects_context(const void *from);

/* A mapping more, or one less, of those whose calls count. */
void fault_count_mapping(const void *from, int change);

/* NOLINTBEGIN(bugprone-macro-parentheses): names, types and lists of parameters */
#define IS_DUE(name) fault_is_due(CALL_##name, __builtin_return_address(0))
#define REAL(name) ((__typeof__(&name))fault_real(CALL_##name))

/* Most calls: a value that says that they failed, and errno. */
#define FAILS(type, failed, name, parameters, arguments)                                           \
    type name parameters                                                                           \
    {                                                                                              \
        return IS_DUE(name) ? (failed) : REAL(name) arguments;                                     \
    }

/* Those that return the error's number, and leave errno alone. */
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
