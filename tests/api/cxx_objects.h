/*
 * cxx_objects.h - C++ functions with the objects of eprof.hpp, for test_cxx_objects.c
 */
#ifndef CXX_OBJECTS_H
#define CXX_OBJECTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Defined by the test: moves the clock. */
void pass(uint64_t ticks);

void cxx_nest_scopes(void);
void cxx_end_early(void);
void cxx_scopes_as_members(void);
void cxx_throw_across_scopes(void);
void cxx_scopes_on_threads(void);
void cxx_time_by_timers(void);
void cxx_move_timers(void);
void cxx_time_pairs(void);
void cxx_end_spans_on_another_thread(void);
void cxx_move_and_cancel_spans(void);
void cxx_suspend_in_a_span(void);
void cxx_keep_and_drop(void);
void cxx_plain_names(void);
/* The name without types of the function that is written so. */
void cxx_name_of(const char *pretty, char *name, unsigned bytes);

#ifdef __cplusplus
}
#endif

#endif /* CXX_OBJECTS_H */
