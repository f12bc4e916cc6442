/*
 * cxx_scopes.h - C++ functions with scopes, for test_cxx.c
 *
 * cmocka and the other headers of the tests are C. So the C++ code is in a file of its own, which
 * includes only eprof.h and this header.
 */
#ifndef CXX_SCOPES_H
#define CXX_SCOPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Defined by the test: moves the clock. */
void pass(uint64_t ticks);

void cxx_throw_across_three_scopes(void);
void cxx_catch_inside_a_scope(void);
void cxx_rethrow(void);
void cxx_throw_out_of_a_constructor(void);
void cxx_throw_across_recursion(void);
void cxx_throw_across_manual_scopes(void);
void cxx_templates(void);
void cxx_virtuals(void);
void cxx_lambdas(void);
void cxx_overloads_and_operators(void);
void cxx_leave_loops(void);
void cxx_destructor_is_inside(void);

#ifdef __cplusplus
}
#endif

#endif /* CXX_SCOPES_H */
