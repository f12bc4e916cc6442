/*
 * undisturbed_registers.c - calls functions with all registers set, and compares them afterwards
 *
 * Callers may rely on any register that a function does not use (gcc -fipa-ra), and arguments and
 * results are in nearly all of them.
 */
#include "undisturbed.h"

#include <cpuid.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions with entries that change no register ---- */

static KEPT void registers_leaf(void)
{
    STAY();
}

static KEPT void registers_around(void)
{
    registers_leaf();
    registers_leaf();
    STAY();
}

/* ---- the call ---- */

/* The areas are those of XSAVE (Intel SDM 1, 13.4): x87 and SSE, a header, and components at
 * offsets that CPUID gives. */
enum { GENERAL = 15, AREA_BYTES = 1 << 14, LEGACY_BYTES = 512, HEADER_BYTES = 64, COMPONENTS = 8 };

#define SHARED __attribute__((visibility("hidden"), used))
SHARED uint64_t registers_in[GENERAL], registers_out[GENERAL];
SHARED _Alignas(64) unsigned char registers_area_in[AREA_BYTES], registers_area_out[AREA_BYTES];
SHARED uint32_t registers_mask;
SHARED void (*registers_function)(void);
void registers_call(void), registers_call_unaligned(void);

#define EACH_GENERAL(X)                                                                            \
    X(rbx, 0)                                                                                      \
    X(rcx, 1)                                                                                      \
    X(rdx, 2)                                                                                      \
    X(rsi, 3)                                                                                      \
    X(rdi, 4)                                                                                      \
    X(rbp, 5)                                                                                      \
    X(r8, 6)                                                                                       \
    X(r9, 7)                                                                                       \
    X(r10, 8)                                                                                      \
    X(r11, 9)                                                                                      \
    X(r12, 10)                                                                                     \
    X(r13, 11)                                                                                     \
    X(r14, 12)                                                                                     \
    X(r15, 13)                                                                                     \
    X(rax, 14)
#define LOAD(name, place) "movq registers_in+8*" #place "(%rip), %" #name "\n"
#define STORE(name, place) "movq %" #name ", registers_out+8*" #place "(%rip)\n"
#define PUSH(name) "pushq %" #name "\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %" #name ", 0\n"
#define POP(name) "popq %" #name "\n.cfi_adjust_cfa_offset -8\n.cfi_restore %" #name "\n"

/* padding: 8, and the stack is aligned as the ABI says; 16, and it is not. */
#define CALL(name, padding)                                                                        \
    __asm__(".text\n.globl " name "\n.hidden " name "\n.type " name ", @function\n" name ":\n"     \
            ".cfi_startproc\n" PUSH(rbx) PUSH(rbp) PUSH(r12) PUSH(r13) PUSH(r14)                   \
                PUSH(r15) "subq $" padding ", %rsp\n.cfi_adjust_cfa_offset " padding "\n"          \
                          "movl registers_mask(%rip), %eax\n"                                      \
                          "xorl %edx, %edx\n"                                                      \
                          "xrstor registers_area_in(%rip)\n" EACH_GENERAL(                         \
                              LOAD) "call "                                                        \
                                    "*registers_function(%rip)"                                    \
                                    "\n" EACH_GENERAL(STORE) "movl "                               \
                                                             "registers_mask("                     \
                                                             "%rip), %eax\n"                       \
                                                             "xorl %edx, "                         \
                                                             "%edx\n"                              \
                                                             "xsave "                              \
                                                             "registers_area_"                     \
                                                             "out(%rip)\n"                         \
                                                             "fninit\n"                            \
                                                             "addq $" padding ", "                 \
                                                             "%rsp\n.cfi_"                         \
                                                             "adjust_cfa_"                         \
                                                             "offset "                             \
                                                             "-" padding "\n" POP(r15) POP(r14)    \
                                                                 POP(r13) POP(r12) POP(rbp)        \
                                                                     POP(rbx) "re"                 \
                                                                              "t"                  \
                                                                              "\n"                 \
                                                                              ".c"                 \
                                                                              "fi"                 \
                                                                              "_e"                 \
                                                                              "nd"                 \
                                                                              "pr"                 \
                                                                              "oc"                 \
                                                                              "\n"                 \
                                                                              ".s"                 \
                                                                              "iz"                 \
                                                                              "e"                  \
                                                                              " " name ", "        \
                                                                              ". "                 \
                                                                              "-"                  \
                                                                              " " name "\n")

CALL("registers_call", "8");
CALL("registers_call_unaligned", "16");

/* ---- what is in the registers ---- */

/* Of the components that the system saves: 2 are the upper halves of AVX, 5 to 7 those of AVX-512.
 */
static struct {
    unsigned offset, bytes;
} component[COMPONENTS];

static __attribute__((patchable_function_entry(0))) uint64_t next(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state ^ state >> 29;
}

static void fill(unsigned char *at, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (unsigned char)next();
}

static int prepare(void)
{
    enum { FEATURES = 1, OSXSAVE = 1 << 27, STATES = 13, WANTED = 0xe7 };
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid(FEATURES, &eax, &ebx, &ecx, &edx) || !(ecx & OSXSAVE) ||
        !__get_cpuid_count(STATES, 0, &eax, &ebx, &ecx, &edx))
        return 0;
    registers_mask = eax & WANTED;
    for (unsigned i = 2; i < COMPONENTS; i++) {
        if (!(registers_mask & 1U << i))
            continue;
        __get_cpuid_count(STATES, i, &eax, &ebx, &ecx, &edx);
        component[i].offset = ebx;
        component[i].bytes = eax;
        if (ebx + eax > AREA_BYTES)
            abort();
    }
    return 1;
}

/* FXSAVE's format (SDM 1, 10.5.1): control word, status, tags; MXCSR; eight x87 registers of ten
 * bytes in sixteen, which are valid numbers here; SSE registers. */
enum { TAGS = 4, MXCSR = 24, X87 = 32, X87_END = 160, SSE_END = 416 };

static void fill_all(void)
{
    unsigned char *area = registers_area_in;
    const uint16_t control_word = 0x37f;
    const uint32_t mxcsr = 0x1f80;
    for (int i = 0; i < GENERAL; i++)
        registers_in[i] = next();
    memset(area, 0, LEGACY_BYTES + HEADER_BYTES);
    memcpy(area, &control_word, sizeof control_word);
    memcpy(area + MXCSR, &mxcsr, sizeof mxcsr);
    area[TAGS] = 0xff;
    for (int i = X87; i < X87_END; i += 16) {
        fill(area + i, 10);
        area[i + 7] |= 0x80; /* the integer bit */
        area[i + 9] = 0x40;
    }
    fill(area + X87_END, SSE_END - X87_END);
    memcpy(area + LEGACY_BYTES, &registers_mask, sizeof registers_mask);
    for (int i = 2; i < COMPONENTS; i++)
        fill(area + component[i].offset, component[i].bytes);
}

/* ---- the comparison ---- */

static int differs(const char *what, int number, int is_different)
{
    if (is_different)
        printf("registers: %s %d has changed\n", what, number);
    return is_different;
}

static int area_differs(unsigned offset, unsigned bytes)
{
    return memcmp(registers_area_in + offset, registers_area_out + offset, bytes) != 0;
}

static int compare(void)
{
    static const char *const names[] = {
#define NAME(name, place) #name,
        EACH_GENERAL(NAME)};
    int changed = 0;
    for (int i = 0; i < GENERAL; i++)
        changed += differs(names[i], i, registers_in[i] != registers_out[i]);
    changed += differs("x87 state", 0, area_differs(0, TAGS + 1));
    changed += differs("mxcsr", 0, area_differs(MXCSR, 4));
    for (int i = X87; i < SSE_END; i += 16)
        changed +=
            differs(i < X87_END ? "x87" : "xmm", (i - X87) / 16 % 8, area_differs((unsigned)i, 16));
    for (int i = 2; i < COMPONENTS; i++)
        changed += differs("component", i, area_differs(component[i].offset, component[i].bytes));
    return changed;
}

int registers_check(int rounds)
{
    int changed = 0;
    if (!prepare())
        return -1;
    for (int i = 0; i < rounds; i++) {
        registers_function = i % 2 ? registers_leaf : registers_around;
        fill_all();
        if (i % 4 < 2)
            registers_call();
        else
            registers_call_unaligned();
        changed += compare();
    }
    return changed;
}
