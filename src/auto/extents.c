#include "extents.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "base/compiler.h"
#include "entries.h"
#include "instruction.h"
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
    enum { MARK_BYTES = 4 }; /* endbr64 */
    const unsigned char *code = (const unsigned char *)extent->begin;
    uintptr_t bytes = extent->end - extent->begin;
    int32_t distance;
    if (bytes > MARK_BYTES && memcmp(code, "\xf3\x0f\x1e\xfa", MARK_BYTES) == 0) {
        code += MARK_BYTES;
        bytes -= MARK_BYTES;
    }
    if (bytes <= EP_ENTRIES_BYTES || *code != 0xe8)
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

enum { LEAF_BYTES = 512 }; /* longer functions are rarely leaves, and take time to read */

/* The instructions of a function, and the targets of its jumps inside it: a bit for each byte. */
struct reading {
    uint64_t begins[LEAF_BYTES / 64], targets[LEAF_BYTES / 64];
};

static void note(uint64_t *bits, uintptr_t distance)
{
    bits[distance / 64] |= UINT64_C(1) << distance % 64;
}

/* Notes a target in the function. A target outside has to be the beginning of a patched function,
 * whose call ends this one. */
static bool is_accepted(const struct ep_extent *extent, struct reading *reading, uintptr_t target)
{
    struct ep_extent other;
    uintptr_t distance = target - extent->entry;
    if (distance >= extent->end - extent->entry)
        return ep_extent_find(target, &other) && other.begin == target && other.entry;
    note(reading->targets, distance);
    return true;
}

/* Reads the instructions one after the other. false: one is not known, a target is not accepted, or
 * the last one may continue after the function. */
static bool read_all(const struct ep_extent *extent, struct reading *reading)
{
    const unsigned char *at = (const unsigned char *)extent->entry;
    const unsigned char *end = (const unsigned char *)extent->end;
    struct ep_instruction instruction = {.kind = EP_INSTRUCTION_UNKNOWN};
    while (at < end) {
        instruction = ep_instruction_read(at, end);
        if (instruction.kind == EP_INSTRUCTION_UNKNOWN ||
            (instruction.target && !is_accepted(extent, reading, instruction.target)))
            return false;
        note(reading->begins, (uintptr_t)at - extent->entry);
        at += instruction.bytes;
    }
    return instruction.kind == EP_INSTRUCTION_JUMP || instruction.kind == EP_INSTRUCTION_RETURN ||
           instruction.kind == EP_INSTRUCTION_TRAP;
}

static bool are_targets_instructions(const struct reading *reading)
{
    uint64_t others = 0;
    for (int i = 0; i < LEAF_BYTES / 64; i++)
        others |= reading->targets[i] & ~reading->begins[i];
    return !others;
}

/* All instructions were read in turn, all targets are beginnings of instructions, and the last one
 * does not continue: so the processor executes no others, even if data is between them. This
 * supposes that no code pushes a return address itself, as only assembly can. */
static bool is_leaf(const struct ep_extent *extent)
{
    struct reading reading = {.begins = {0}};
    return extent->end - extent->entry <= LEAF_BYTES && read_all(extent, &reading) &&
           are_targets_instructions(&reading);
}

/* What was read of the functions that were called last: the address of the entry in the upper bits,
 * and whether it is a leaf in the lowest one. 0: nothing. Threads and signal handlers may write the
 * same place; each value is complete. */
enum { READ_BITS = 12 };
static uint64_t read_leaves[1 << READ_BITS];

bool ep_extent_is_leaf(const struct ep_extent *extent)
{
    if (!extent->entry)
        return false;
    uint64_t hash = extent->entry * UINT64_C(0x9E3779B97F4A7C15);
    uint64_t *place = &read_leaves[hash >> (64 - READ_BITS)], known = ep_load(place);
    if (known >> 1 != extent->entry) {
        known = (uint64_t)extent->entry << 1 | is_leaf(extent);
        ep_store(place, known);
    }
    return known & 1;
}

void ep_extent_forget_leaves(void)
{
    for (size_t i = 0; i < sizeof read_leaves / sizeof *read_leaves; i++)
        ep_store(&read_leaves[i], 0);
}
