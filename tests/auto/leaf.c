/*
 * leaf.c - which functions with patched entries are found to call nothing (src/auto/extents.h)
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "extents.h"

#define KEPT __attribute__((noinline, used))
#define UNPATCHED __attribute__((patchable_function_entry(0)))

static volatile int number;
static int (*volatile pointer)(int);

KEPT static int sums(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += number / (i + 1);
    return sum;
}

KEPT static void empty(void)
{
}

KEPT static int returns_0(void)
{
    return 0;
}

/* gcc would move __builtin_trap() to another part of the function */
KEPT static int ends_with_a_trap(int n)
{
    if (n > 0)
        return number / n;
    __asm__ volatile("ud2");
    __builtin_unreachable();
}

/* as a debugger writes it over an instruction */
KEPT static int has_a_breakpoint(void)
{
    __asm__ volatile("jmp 1f\nint3\n1:\n");
    return number;
}

/* a byte of the constant could be that of a call into this program */
KEPT static int contains_the_byte_of_a_call(void)
{
    return number ^ 0x000000e8;
}

KEPT static double computes_vectors(const double *values)
{
    double sum = 0;
    for (int i = 0; i < 64; i++)
        sum += values[i] * values[63 - i];
    return sum;
}

KEPT static int ends_with_a_patched_function(int n)
{
    return sums(n + 1);
}

KEPT static int jumps_over_data(void)
{
    __asm__ volatile("jmp 1f\n.byte 0, 0\n1:\n");
    return number;
}

KEPT UNPATCHED static int unpatched(int n)
{
    return number + n;
}

KEPT static int calls(int n)
{
    return sums(n) + number;
}

KEPT static int calls_through_a_pointer(int n)
{
    return pointer(n) + number;
}

KEPT static int ends_through_a_pointer(int n)
{
    return pointer(n + 1);
}

KEPT static int ends_with_another_function(int n)
{
    return unpatched(n + 1);
}

/* a call in the distance of a move, to which the jump leads */
KEPT static int jumps_into_an_instruction(void)
{
    __asm__ volatile("jmp 1f + 1\n1:\n.byte 0xb8, 0xe8, 0, 0, 0\n" ::: "rax");
    return number;
}

KEPT static int has_an_unknown_instruction(void)
{
    __asm__ volatile("jmp 1f\nhlt\n1:\n");
    return number;
}

static int failures;

static void expect(bool is_leaf, uintptr_t function, const char *name)
{
    struct ep_extent extent;
    bool is_known = ep_extent_find(function, &extent);
    bool is_patched = is_known && extent.entry, is_found = is_known && ep_extent_is_leaf(&extent);
    if (is_patched && is_found == is_leaf)
        return;
    printf("%s: patched %d, leaf %d instead of %d\n", name, is_patched, is_found, is_leaf);
    failures++;
}

#define LEAF(function) expect(true, (uintptr_t)(function), #function)
#define NO_LEAF(function) expect(false, (uintptr_t)(function), #function)

/* As if another module were loaded there: its first instruction becomes a breakpoint. */
static void check_other_code(void)
{
    struct ep_extent extent;
    uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    LEAF(empty);
    if (!ep_extent_find((uintptr_t)empty, &extent) ||
        mprotect((void *)(extent.entry & -page_bytes), page_bytes,
                 PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
        perror("mprotect");
        failures++;
        return;
    }
    unsigned char *code = (unsigned char *)extent.entry, before = *code;
    *code = 0xcc;
    ep_extent_forget_leaves();
    NO_LEAF(empty);
    *code = before;
    NO_LEAF(empty); /* it is not read again */
    ep_extent_forget_leaves();
    LEAF(empty);
}

int main(void)
{
    pointer = sums;
    check_other_code();
    LEAF(sums);
    LEAF(empty);
    LEAF(returns_0);
    LEAF(ends_with_a_trap);
    LEAF(contains_the_byte_of_a_call);
    LEAF(computes_vectors);
    LEAF(ends_with_a_patched_function);
    LEAF(jumps_over_data);
    NO_LEAF(has_a_breakpoint);
    NO_LEAF(calls);
    NO_LEAF(calls_through_a_pointer);
    NO_LEAF(ends_through_a_pointer);
    NO_LEAF(ends_with_another_function);
    NO_LEAF(jumps_into_an_instruction);
    NO_LEAF(has_an_unknown_instruction);
    return failures != 0;
}
