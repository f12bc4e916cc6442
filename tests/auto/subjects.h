/*
 * subjects.h - the functions that are compiled with hooks; the tests call them
 *
 * Each test_NAME.c is built without hooks, and has its subject in NAME.c, which is built with
 * hooks: by each compiler, as C and as C++, at each level of optimisation. So each function that is
 * defined in a subject is a row, and there are no other rows.
 */
#ifndef SUBJECTS_H
#define SUBJECTS_H

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

/* The function has its own frame, and is called. */
#define NOINLINE __attribute__((noinline))

/* The function has no own frame: at each level of optimisation it is inlined into its caller. It is
 * not static, so that it has a dynamic symbol, which gives its name. */
#define INLINED extern inline __attribute__((always_inline))

/* Keeps a call from being the last action of a function, and the compiler from knowing a result. */
#define STAY() __asm__ volatile("" ::: "memory")

/* Around functions that have the names of C in C++ too. */
#ifdef __cplusplus
#define SUBJECTS_BEGIN extern "C" {
#define SUBJECTS_END }
#else
#define SUBJECTS_BEGIN
#define SUBJECTS_END
#endif

SUBJECTS_BEGIN

/* ---- plain.c: functions that return ---- */

enum { BIG_WORDS = 64, RACE_FUNCTIONS = 64 };

struct big {
    long word[BIG_WORDS];
};

void leaf(void);
void calls_leaf_thrice(void);
long fib(long n);
int is_even(unsigned n);
int is_odd(unsigned n);
void nest_inlined(void);
void loops_in_inlined(int rounds);
void ends_in_call(int depth);
struct big make_big(long seed);
long sum_big(struct big by_value, struct big again);
long passes_big(void);
long sum_variadic(int count, ...);
long passes_variadic(void);
int has_alloca(size_t bytes);
int has_vla(int count);
int is_realigned(int depth);
long double returns_long_double(long double number);
float returns_float(float number);
void sorts(int *numbers, size_t count);
int compare(const void *one, const void *other);
extern unsigned compared; /* the number of calls that compare() itself counted */
void calls_through(void (*function)(void), int times);

/* ---- jump.c: functions that are left by longjmp() ---- */

void jump_to_caller(void);
void jump_many_times(int times);
void jump_out_of_recursion(int times);
void jump_over_alloca(size_t bytes);
void jump_over_vla(int count);
void jump_out_of_inlined(void);
void jump_out_of_library(void);
void jump_out_of_handler(int flags);
void jump_in_two_steps(void);
void jump_over_scopes(void);
void jump_out_of_all(jmp_buf to);
void jump_to_large(void);
void jump_past_big(void);

/* ---- thread.c: functions that are open when their thread ends ---- */

void *thread_returns(void *unused);
void *thread_exits(void *depth);
void *thread_cancels_itself(void *depth);
void *thread_is_cancelled(void *wait);
void *thread_spins(void *is_there);
void *thread_counts(void *count);
void *thread_has_clean_up(void *unused);
void *thread_sets_key(void *key);
void key_destroy(void *value);
void *thread_races(void *barrier);
void *thread_is_small(void *unused);

/* ---- signals.c: functions that run in signal handlers ---- */

void raises(int signal);
void on_signal(int signal);
void visits(int depth);

/* ---- step.c: functions that are interrupted after each instruction ---- */

double step_calls(long n);
long step_recursion(long depth);
long step_callbacks(long n);
extern unsigned step_compared; /* the number of callbacks */
void step_ends(void (*last)(void));
void step_handler(void);

/* ---- mixed.c: functions among scopes, holds and switches ---- */

void has_scope(void);
void has_func_scope(void);
void has_manual_scope(void);
void has_instance(int id);
void enters_only(void);
void leaves_late(void);
void switches_off(void);
void switches_on(void);
void switches_thread_off(void);
void resets(void);
void holds(int is_kept);
void begins_hold(void);
void ends_hold(int is_kept);
void is_slow(unsigned long long least_ns);
void calls_back(void (*function)(void *), void *argument);
extern const char *func_scope_name;

/* ---- context.c: functions on stacks of their own ---- */

void coroutines_in_turn(int rounds);

/* ---- sampled.c: functions that are brief, and called often ---- */

void brief_often(int times);
void *brief_on_thread(void *times);
void brief_inside(void);
void brief_around_often(int times);
long brief_fib(long n);
void via_often(void (*outside)(void (*call)(void), int depth), int times);
void brief_jump_often(int returns, int jumps);

/* ---- split.c: functions that gcc splits into two, at -O2 and above ---- */

void splits(int rounds);
void splits_recursion(int depth);
void splits_scopes(int rounds);
void splits_jumps(int rounds);
void splits_large(int rounds);
void splits_signals(int signal, int rounds);
void splits_often(int times);
void split_on_signal(int signal);

/* ---- throw.cpp: functions that are left by an exception ---- */

void throw_to_caller(void);
void throw_many_times(int times);
void throw_through_c(void);
void throw_and_catch_here(void);
void throw_again(void);
void throw_out_of_inlined(void);
void throw_out_of_constructor(void);
void throw_over_scopes(void);
void throw_out_of_library(void);
void throw_while_unwinding(void);
void *thread_has_local(void *unused);

/* ---- callback.c: C functions between C++ functions ---- */

void c_between(void (*function)(void));

SUBJECTS_END

#endif /* SUBJECTS_H */
