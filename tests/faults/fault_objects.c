/*
 * fault_objects.c - the objects whose calls count, and the chain of callers of a call
 */
#include <link.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include "fault.h"

enum {
    MOST_OBJECTS = 8,
    /* The number of callers that distinguish the contexts of a call: enough to find who requests
     * memory through a table, an array and a name. */
    CONTEXT_CALLERS = 6
};

/* The code of the objects whose calls count. */
static struct range {
    uintptr_t first, end;
} ranges[MOST_OBJECTS];
static size_t range_count;

/* ---- search ---- */

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

/* Compares the name with the beginnings in `objects`; the name of a program must not match the
 * beginning of a library's name. */
static bool is_meant(const char *name, const char *objects)
{
    for (const char *word = objects; *word;) {
        size_t bytes = strcspn(word, ":");
        char next = strncmp(name, word, bytes) == 0 ? name[bytes] : '?';
        if (next == '\0' || next == '.')
            return true;
        word += bytes + (word[bytes] == ':');
    }
    return false;
}

static int look_at(struct dl_phdr_info *object, size_t bytes, void *context)
{
    const char *const *objects = context;
    (void)bytes;
    if (!is_meant(name_of(object), *objects))
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

void fault_objects_find(const char *objects)
{
    dl_iterate_phdr(look_at, &objects);
}

void fault_objects_forget(void)
{
    range_count = 0;
}

/* ---- queries ---- */

static const struct range *range_of(uintptr_t address)
{
    for (size_t i = 0; i < range_count; i++)
        if (address >= ranges[i].first && address < ranges[i].end)
            return &ranges[i];
    return NULL;
}

bool fault_objects_have(const void *address)
{
    return range_of((uintptr_t)address) != NULL;
}

struct walk {
    uintptr_t from;
    bool is_begun; /* the frames of the instrument have been passed */
    int callers;
    uint64_t hash;
};

/* FNV-1a, with words instead of bytes. */
static void add(struct walk *walk, uint64_t word)
{
    walk->hash = (walk->hash ^ word) * 0x100000001b3;
}

static _Unwind_Reason_Code step(struct _Unwind_Context *frame, void *context)
{
    struct walk *walk = context;
    uintptr_t address = (uintptr_t)_Unwind_GetIP(frame);
    const struct range *range = range_of(address);
    walk->is_begun |= address == walk->from;
    if (walk->is_begun && range) {
        add(walk, (uint64_t)(range - ranges));
        add(walk, address - range->first);
        walk->callers++;
    }
    return walk->callers < CONTEXT_CALLERS ? _URC_NO_REASON : _URC_END_OF_STACK;
}

uint64_t fault_objects_context(const void *from)
{
    struct walk walk = {.from = (uintptr_t)from, .hash = 0xcbf29ce484222325};
    _Unwind_Backtrace(step, &walk);
    return walk.hash;
}
