#include "fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

#include "ledger.h"

enum { MOST_OBJECTS = 8 };

/* The code of the objects whose calls count. */
static struct range {
    uintptr_t first, end;
} ranges[MOST_OBJECTS];
static size_t range_count;

static struct ledger *ledger;
static fault_function reals[CALLS];
static int mappings;

/* ---- whose calls count ---- */

/* The program itself has no name in the list of objects. */
static const char *name_of(const struct dl_phdr_info *object)
{
    static char program[4096];
    const char *path = object->dlpi_name;
    if (!*path) {
        ssize_t bytes = readlink("/proc/self/exe", program, sizeof program - 1);
        program[bytes > 0 ? bytes : 0] = '\0';
        path = program;
    }
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* As the words of `objects` begin; a program's name is no beginning of that of a library. */
static bool is_meant(const char *name)
{
    for (const char *word = ledger->objects; *word;) {
        size_t bytes = strcspn(word, ":");
        char next = strncmp(name, word, bytes) == 0 ? name[bytes] : '?';
        if (next == '\0' || next == '.')
            return true;
        word += bytes + (word[bytes] == ':');
    }
    return false;
}

static int look_at(struct dl_phdr_info *object, size_t bytes, void *unused)
{
    (void)bytes;
    (void)unused;
    if (!is_meant(name_of(object)))
        return 0;
    for (int i = 0; i < object->dlpi_phnum && range_count < MOST_OBJECTS; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
            uintptr_t first = object->dlpi_addr + part->p_vaddr;
            ranges[range_count++] = (struct range){first, first + part->p_memsz};
        }
    }
    return 0;
}

static bool counts(const void *from)
{
    uintptr_t address = (uintptr_t)from;
    for (size_t i = 0; i < range_count; i++)
        if (address >= ranges[i].first && address < ranges[i].end)
            return true;
    return false;
}

/* What comes behind the last handler of exit(), a test's coverage say, is not the program's. */
static void end(void)
{
    range_count = 0;
}

__attribute__((constructor)) static void begin(void)
{
    ledger = ledger_open();
    if (!ledger)
        return;
    atexit(end);
    dl_iterate_phdr(look_at, NULL);
    ledger->is_ready = 1;
}

/* ---- which of them fails ---- */

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

/* In the first way that may be so for ever; NULL: there is none. */
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

/* What comes behind the first one. */
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

const struct call_way *fault_is_due(enum call call, const void *from)
{
    if (!counts(from) || __atomic_load_n(&ledger->is_paused, __ATOMIC_ACQUIRE))
        return NULL;
    uint32_t number = add_one(&ledger->calls);
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

/* ---- the others ---- */

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

/* For the program under test, which asks for it by name. */
int fault_mappings(void);
int fault_mappings(void)
{
    return mappings;
}
