/* mixed.c - functions among scopes, holds and switches */
#include "subjects.h"

#include <eprof.h>

SUBJECTS_BEGIN

void mixed_work(void)
{
    STAY();
}

/* ---- scopes ---- */

NOINLINE void mixed_inside(void)
{
    EPROF_SCOPE("inner");
    mixed_work();
}

void has_scope(void)
{
    mixed_work();
    {
        EPROF_SCOPE("scope");
        mixed_inside();
        mixed_work();
    }
    mixed_work();
}

const char *func_scope_name;

void has_func_scope(void)
{
    func_scope_name = EPROF_FUNC_NAME;
    EPROF_FUNC;
    mixed_work();
}

/* Scopes by hand, which continue after the end of a function. */
void enters_only(void)
{
    eprof_enter("by hand");
    mixed_work();
}

void leaves_late(void)
{
    mixed_work();
    eprof_leave();
}

void has_manual_scope(void)
{
    eprof_enter("manual");
    mixed_work();
    eprof_leave();
    mixed_work();
}

void has_instance(int id)
{
    eprof_start(id);
    mixed_work();
    eprof_stop(id);
}

/* ---- switches ---- */

void switches_off(void)
{
    mixed_work();
    eprof_enable(false);
    mixed_work();
}

void switches_on(void)
{
    mixed_work();
    eprof_enable(true);
    mixed_work();
}

void switches_thread_off(void)
{
    mixed_work();
    eprof_thread_enable(false);
    mixed_work();
    eprof_thread_enable(true);
    mixed_work();
}

void resets(void)
{
    mixed_work();
    eprof_reset();
    mixed_work();
}

/* ---- holds ---- */

void holds(int is_kept)
{
    mixed_work();
    eprof_hold();
    mixed_inside();
    mixed_work();
    eprof_keep(is_kept);
    mixed_work();
}

void begins_hold(void)
{
    eprof_hold();
    mixed_work();
}

void ends_hold(int is_kept)
{
    mixed_work();
    eprof_keep(is_kept);
}

void is_slow(unsigned long long least_ns)
{
    mixed_work();
    {
        EPROF_SLOW("slow", least_ns);
        mixed_inside();
    }
    mixed_work();
}

/* ---- any action of the test inside ---- */

void calls_back(void (*function)(void *), void *argument)
{
    mixed_work();
    function(argument);
    mixed_work();
}

SUBJECTS_END
