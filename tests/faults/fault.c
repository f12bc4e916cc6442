#include "fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "ledger.h"

static struct ledger *ledger;
static fault_function reals[CALLS];
static int mappings;
/* It is loaded with the program, so that it can be accessed without a call, which a sanitizer would
 * intercept. */
static _Thread_local bool rests __attribute__((tls_model("initial-exec")));

/* ---- begin, and pause ---- */

/* Calls after the last handler of exit(), such as those of a coverage test, are not calls of the
 * program. */
static void end(void)
{
    fault_objects_forget();
}

__attribute__((constructor)) static void begin(void)
{
    ledger = ledger_open();
    if (!ledger)
        return;
    atexit(end);
    fault_objects_find(ledger->objects);
    ledger->is_ready = 1;
}

/* For tests/coverage/counts.c, which refers to it by name. */
void faults_rest(int is_resting);
void faults_rest(int is_resting)
{
    rests = is_resting;
}

/* ---- the choice of the failing call ---- */

static uint32_t add_one(uint32_t *count)
{
    return __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
}

static const struct call_way *way_of(enum call call, uint32_t number)
{
    size_t count;
    const struct call_way *ways = call_ways(call, &count);
    return &ways[number < count ? number : 0];
}

/* Returns the first way that may last; NULL: there is none. */
static const struct call_way *lasting_way_of(enum call call)
{
    size_t count;
    const struct call_way *ways = call_ways(call, &count);
    for (size_t i = 0; i < count; i++)
        if (ways[i].goes_on)
            return &ways[i];
    return NULL;
}

static const struct call_way *begin_faults(enum call call)
{
    const struct call_way *way = way_of(call, ledger->way);
    ledger->first_call = call;
    ledger->first_error = way->error;
    ledger->is_short_next = way->how == CALL_IS_SHORT_NEXT;
    return way;
}

/* The faults after the first one. */
static const struct call_way *go_on_with_faults(enum call call)
{
    static const struct call_way is_short = {0, CALL_IS_SHORT, 0};
    bool is_same = call == ledger->first_call;
    const struct call_way *first = way_of(ledger->first_call, ledger->way);
    if (is_same && ledger->is_short_next) {
        ledger->is_short_next = 0;
        return &is_short;
    }
    if (ledger->mode == LEDGER_ONCE || !first->goes_on)
        return NULL;
    if (is_same)
        return first;
    bool is_of_kind = call_kind(call) == call_kind(ledger->first_call);
    return ledger->mode == LEDGER_THIS_KIND_FROM_THEN_ON && is_of_kind ? lasting_way_of(call)
                                                                       : NULL;
}

static const struct call_way *planned_way(enum call call, uint32_t number)
{
    if (!ledger->first || number < ledger->first)
        return NULL;
    return number == ledger->first ? begin_faults(call) : go_on_with_faults(call);
}

static bool counts(const void *from)
{
    return fault_objects_have(from) && !rests;
}

const struct call_way *fault_is_due(enum call call, const void *from)
{
    if (!counts(from) || __atomic_load_n(&ledger->is_paused, __ATOMIC_ACQUIRE))
        return NULL;
    uint32_t number = add_one(&ledger->calls);
    if (ledger->has_contexts && number <= LEDGER_CONTEXTS)
        ledger->contexts[number - 1] = fault_objects_context(from);
    add_one(&ledger->calls_of[call]);
    const struct call_way *way = planned_way(call, number);
    if (!way)
        return NULL;
    add_one(&ledger->failed);
    if (way->how == CALL_FAILS && way->error != EINTR)
        add_one(&ledger->harmful);
    add_one(&ledger->failed_of[call]);
    if (way->error)
        errno = way->error;
    return way;
}

void fault_cut_stderr(void)
{
    ledger->is_stderr_cut = 1;
}

/* ---- other functions ---- */

fault_function fault_real(enum call call)
{
    fault_function real = __atomic_load_n(&reals[call], __ATOMIC_RELAXED);
    if (real)
        return real;
    void *found = dlsym(RTLD_NEXT, call_name(call));
    memcpy(&real, &found, sizeof real);
    __atomic_store_n(&reals[call], real, __ATOMIC_RELAXED);
    return real;
}

void fault_count_mapping(const void *from, int change)
{
    if (counts(from))
        __atomic_add_fetch(&mappings, change, __ATOMIC_RELAXED);
}

/* For the program under test, which refers to it by name. */
int fault_mappings(void);
int fault_mappings(void)
{
    return mappings;
}
