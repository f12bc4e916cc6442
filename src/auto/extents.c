#include "extents.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "base/compiler.h"
#include "entries.h"
#include "routine.h"
#include "unwind_table.h"

/* ---- the unwind table of a module ---- */

/* The dynamic loader's look-up without a lock exists since glibc 2.35. */
#if defined(DLFO_STRUCT_HAS_EH_DBASE) || (defined(__GLIBC__) && __GLIBC_PREREQ(2, 35))

static const void *table_of(uintptr_t address)
{
    struct dl_find_object found;
    return _dl_find_object((void *)address, &found) == 0 ? found.dlfo_eh_frame : NULL;
}

#else

struct search {
    uintptr_t address;
    const void *table;
};

static int look(struct dl_phdr_info *info, size_t bytes, void *data)
{
    struct search *search = data;
    (void)bytes;
    if (!ep_entries_segment(info, search->address, PF_X))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
            search->table = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    return 1;
}

static const void *table_of(uintptr_t address)
{
    struct search search = {.address = address};
    dl_iterate_phdr(look, &search);
    return search.table;
}

#endif

/* ---- one function ---- */

/* Of a description in the form that compilers write for position-independent code: behind its
 * length and its offset, the begin relative to itself, and the number of bytes (Linux Standard Base
 * Core 5.0, 10.6.1). */
static bool read_extent(const char *description, uintptr_t begin, struct ep_extent *extent)
{
    enum { BEGIN_OFFSET = 8, BYTES_OFFSET = 12 };
    int32_t distance;
    uint32_t bytes;
    memcpy(&distance, description + BEGIN_OFFSET, sizeof distance);
    memcpy(&bytes, description + BYTES_OFFSET, sizeof bytes);
    *extent = (struct ep_extent){
        .begin = begin, .end = begin + bytes, .description = (const unsigned char *)description};
    return (uintptr_t)(description + BEGIN_OFFSET) + (uintptr_t)(intptr_t)distance == begin;
}

/* Whether a call goes to the routine, directly or through a stub (patch.c). */
static bool leads_to_routine(uintptr_t target)
{
    uintptr_t routine = (uintptr_t)ep_routine, jump;
    if (target == routine)
        return true;
    if (memcmp((const void *)target, "\xff\x25\x00\x00\x00\x00", 6) != 0)
        return false;
    memcpy(&jump, (const char *)target + 6, sizeof jump);
    return jump == routine;
}

static uintptr_t entry_of(const struct ep_extent *extent)
{
    const unsigned char *code = (const unsigned char *)extent->begin;
    int32_t distance;
    if (extent->end - extent->begin < 2 * EP_ENTRIES_BYTES)
        return 0;
    if (memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0)
        code += 4;
    if (*code != 0xe8)
        return 0;
    memcpy(&distance, code + 1, sizeof distance);
    uintptr_t after = (uintptr_t)code + EP_ENTRIES_BYTES;
    return leads_to_routine(after + (uintptr_t)(intptr_t)distance) ? after : 0;
}

bool ep_extent_find(uintptr_t address, struct ep_extent *extent)
{
    const struct ep_unwind_table *table = table_of(address);
    if (!table || !ep_unwind_table_is_known(table))
        return false;
    uintptr_t base = (uintptr_t)table;
    uint32_t low = 0, high = table->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (base + (uintptr_t)(intptr_t)table->rows[middle].function <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return false;
    const char *description = (const char *)table + table->rows[low - 1].frame;
    uintptr_t begin = base + (uintptr_t)(intptr_t)table->rows[low - 1].function;
    if (!read_extent(description, begin, extent) || address >= extent->end)
        return false;
    extent->entry = entry_of(extent);
    return true;
}

/* ---- leaves ---- */

/* Whether the bytes, if they are an instruction, may call something or continue elsewhere. */
static bool may_leave(const struct ep_extent *extent, const unsigned char *at)
{
    bool is_condition = at[0] == 0x0f && (at[1] & 0xf0) == 0x80;
    unsigned operation = at[1] >> 3 & 7;
    if (at[0] == 0xff && operation >= 2 && operation <= 5)
        return true;
    if (at[0] != 0xe8 && at[0] != 0xe9 && !is_condition)
        return false;
    int32_t distance;
    memcpy(&distance, at + 1 + is_condition, sizeof distance);
    uintptr_t target = (uintptr_t)at + 5 + is_condition + (uintptr_t)(intptr_t)distance;
    if (at[0] != 0xe8 && target - extent->begin < extent->end - extent->begin)
        return false;
    struct ep_extent other;
    bool is_code = table_of(target) != NULL;
    bool is_patched =
        is_code && ep_extent_find(target, &other) && other.begin == target && other.entry;
    return is_code && (at[0] == 0xe8 || !is_patched);
}

bool ep_extent_is_leaf(const struct ep_extent *extent)
{
    enum { LONGEST = 6, MOST_BYTES = 4096 };
    if (!extent->entry || extent->end - extent->begin > MOST_BYTES)
        return false;
    const unsigned char *end = (const unsigned char *)extent->end;
    for (const unsigned char *at = (const unsigned char *)extent->entry; at + LONGEST <= end; at++)
        if (may_leave(extent, at))
            return false;
    /* a call of two bytes may be the last instruction */
    for (const unsigned char *at = end - LONGEST; at + 1 < end; at++)
        if (at >= (const unsigned char *)extent->entry &&
            (at[0] == 0xe8 || at[0] == 0xe9 || (at[0] == 0xff && (at[1] >> 3 & 7) - 2U < 4)))
            return false;
    return true;
}
