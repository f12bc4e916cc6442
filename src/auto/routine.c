#include "routine.h"

#include <cpuid.h>
#include <stddef.h>

#include "eprof.h"
#include "eprof/hooks.h"

/* ---- thunks ---- */

uintptr_t ep_thunk_returns[EP_THUNKS];

/* The return address of a thunk is an expression (DWARF 5, 2.5.1, 6.4.2.3), without an address that
 * would have to be relocated. The slot of the call still holds x, an address in the thunk. The
 * block of all thunks is aligned to its length and begins with the distance to ep_thunk_returns. So
 * the return address is at base + [base] + (x & 0x7ff8), where base = x & -0x8000.
 *
 * It is the entry of a signal frame: libgcc tells two frames with the same canonical address apart
 * by that, and does not look up the byte before the caller's address then. So ep_thunk_returns has
 * that byte's address. */
#define THUNKS                                                                                     \
    ".text\n.balign 0x8000\n.type ep_thunks, @object\n.cfi_startproc\n"                            \
    ".cfi_signal_frame\n.cfi_def_cfa %rsp, 0\n"                                                    \
    ".cfi_escape 0x10, 0x10, 17, "   /* DW_CFA_expression, return address, length */               \
    "0x38, 0x1c, 0x06, "             /* CFA, lit8, minus, deref: x */                              \
    "0x12, 0x0a, 0xf8, 0x7f, 0x1a, " /* dup, const2u 0x7ff8, and */                                \
    "0x16, 0x0b, 0x00, 0x80, 0x1a, " /* swap, const2s -0x8000, and */                              \
    "0x12, 0x06, 0x22, 0x22\n"       /* dup, deref, plus, plus */                                  \
    ".globl ep_thunks\n.hidden ep_thunks\nep_thunks:\n.quad ep_thunk_returns - .\n"                \
    ".rept 4095\ncall ep_thunk_exit\n.balign 8, 0x90\n.endr\n"                                     \
    ".cfi_endproc\n.size ep_thunks, . - ep_thunks\n"

_Static_assert(EP_THUNKS *EP_THUNK_BYTES == EPROF_THUNKS_BYTES && EPROF_THUNKS_BYTES == 0x8000,
               "the alignment of the thunks");

/* ---- the slow paths: all registers are saved ---- */

/* Vector, mask and x87 registers by XSAVE (Intel SDM 1, 13.7). The header after the first 512 bytes
 * must be zero. */
__attribute__((visibility("hidden"), used)) uint32_t ep_routine_xsave_bytes, ep_routine_xsave_mask;
__attribute__((used)) uint32_t ep_routine_has_counter;

#define PUSH_OTHERS                                                                                \
    "pushq %rax\npushq %rcx\npushq %rdx\npushq %rsi\npushq %rdi\n"                                 \
    "pushq %r8\npushq %r9\npushq %r10\npushq %r11\npushq $0\n"
#define PUSH_ALL                                                                                   \
    "pushq %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %rbp, 0\n"                              \
    "movq %rsp, %rbp\n.cfi_def_cfa_register %rbp\n" PUSH_OTHERS
/* After all earlier instructions and before all later ones: %rax; changes %rdx. */
#define READ_COUNTER "lfence\nrdtsc\nlfence\nshlq $32, %rdx\norq %rdx, %rax\n"
/* Calls a function with the address of the stack before PUSH_ALL, and stores its result at
 * -80(%rbp). */
#define CALL_SAVED(function)                                                                       \
    "leaq 8(%rbp), %rdi\n"                                                                         \
    "movl ep_routine_xsave_bytes(%rip), %eax\n"                                                    \
    "subq %rax, %rsp\n"                                                                            \
    "andq $-64, %rsp\n"                                                                            \
    "xorl %edx, %edx\n"                                                                            \
    "movq %rdx, 512(%rsp)\nmovq %rdx, 520(%rsp)\nmovq %rdx, 528(%rsp)\nmovq %rdx, 536(%rsp)\n"     \
    "movq %rdx, 544(%rsp)\nmovq %rdx, 552(%rsp)\nmovq %rdx, 560(%rsp)\nmovq %rdx, 568(%rsp)\n"     \
    "movl ep_routine_xsave_mask(%rip), %eax\n"                                                     \
    "xsave (%rsp)\n"                                                                               \
    "cld\n"                                                                                        \
    "call " function "\n"                                                                          \
    "movq %rax, -80(%rbp)\n"                                                                       \
    "movl ep_routine_xsave_mask(%rip), %eax\n"                                                     \
    "xorl %edx, %edx\n"                                                                            \
    "xrstor (%rsp)\n"
#define POP_OTHERS                                                                                 \
    "leaq -72(%rbp), %rsp\n"                                                                       \
    "popq %r11\npopq %r10\npopq %r9\npopq %r8\n"                                                   \
    "popq %rdi\npopq %rsi\npopq %rdx\npopq %rcx\npopq %rax\n"
#define POP_ALL POP_OTHERS "popq %rbp\n.cfi_def_cfa %rsp, 8\n.cfi_restore %rbp\n"

/* %rsi: the counter, if it is readable. */
#define NOW                                                                                        \
    "xorl %esi, %esi\n"                                                                            \
    "cmpl $0, ep_routine_has_counter(%rip)\n"                                                      \
    "je 1f\n" READ_COUNTER "movq %rax, %rsi\n"                                                     \
    "1:\n"

#define EXIT                                                                                       \
    ".type ep_thunk_exit, @function\nep_thunk_exit:\n.cfi_startproc\n" PUSH_ALL NOW CALL_SAVED(    \
        "ep_routine_return") POP_ALL "ret\n.cfi_endproc\n.size ep_thunk_exit, . - ep_thunk_exit\n"

/* As a timed call of an empty function: from the reading at the end of the routine to that at the
 * beginning of ep_thunk_exit. The processor mispredicts the return of the function. */
#define MEASURE                                                                                    \
    ".globl ep_routine_inside_ticks\n.hidden ep_routine_inside_ticks\n"                            \
    ".type ep_routine_inside_ticks, @function\nep_routine_inside_ticks:\n"                         \
    "pushq %rbx\n"                                                                                 \
    "call 1f\n"                                                                                    \
    "1:\ncall 2f\n"                                                                                \
    "ret\n" /* the function */                                                                     \
    "2:\n"                                                                                         \
    "leaq 3f(%rip), %rax\n"                                                                        \
    "movq %rax, 8(%rsp)\n"                                                                         \
    "pushq %rbp\nmovq %rsp, %rbp\n" PUSH_OTHERS READ_COUNTER "movq %rax, %rbx\n" POP_OTHERS        \
    "popq %rbp\n"                                                                                  \
    "ret\n"                                                                                        \
    "3:\ncall 4f\n"                                                                                \
    "4:\n"                                                                                         \
    "pushq %rbp\nmovq %rsp, %rbp\n" PUSH_OTHERS "cmpl $0, ep_routine_has_counter(%rip)\n"          \
    "je 5f\n" READ_COUNTER "5:\n"                                                                  \
    "subq %rbx, %rax\n"                                                                            \
    "movq %rax, %rbx\n" POP_OTHERS "popq %rbp\n"                                                   \
    "addq $8, %rsp\n"                                                                              \
    "movq %rbx, %rax\n"                                                                            \
    "popq %rbx\n"                                                                                  \
    "ret\n.size ep_routine_inside_ticks, . - ep_routine_inside_ticks\n"

#define MEASURE_SAVING                                                                             \
    ".globl ep_routine_saving_ticks\n.hidden ep_routine_saving_ticks\n"                            \
    ".type ep_routine_saving_ticks, @function\nep_routine_saving_ticks:\n.cfi_startproc\n"         \
    "pushq %rbx\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %rbx, 0\n" READ_COUNTER                 \
    "movq %rax, %rbx\n"                                                                            \
    "call 6f\n" READ_COUNTER "subq %rbx, %rax\n"                                                   \
    "popq %rbx\n.cfi_adjust_cfa_offset -8\n.cfi_restore %rbx\n"                                    \
    "ret\n.cfi_endproc\n"                                                                          \
    "6:\n.cfi_startproc\n" PUSH_ALL CALL_SAVED("7f") POP_ALL                                       \
        "7:\nret\n.cfi_endproc\n.size ep_routine_saving_ticks, . - ep_routine_saving_ticks\n"

bool ep_routine_prepare(void)
{
    enum { FEATURES = 1, OSXSAVE = 1 << 27, STATES = 13 };
    /* x87, SSE, AVX, and of AVX-512 masks, upper halves and upper registers */
    const uint32_t wanted = 0xe7;
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid(FEATURES, &eax, &ebx, &ecx, &edx) || !(ecx & OSXSAVE) ||
        !__get_cpuid_count(STATES, 0, &eax, &ebx, &ecx, &edx))
        return false;
    ep_routine_xsave_mask = eax & wanted;
    ep_routine_xsave_bytes = 512 + 64; /* x87 and SSE, header */
    for (unsigned state = 2; state < 8; state++) {
        if (!(ep_routine_xsave_mask & 1U << state))
            continue;
        __get_cpuid_count(STATES, state, &eax, &ebx, &ecx, &edx);
        if (ep_routine_xsave_bytes < ebx + eax) /* offset and length */
            ep_routine_xsave_bytes = ebx + eax;
    }
    return true;
}

/* ---- the routine ---- */

/* Code that occurs several times is a macro of the assembler, since ISO C limits the length of a
 * string. */

/* At the beginning the stack holds the return address of the patched call, and above it that of the
 * function. The function's canonical frame address is 16 bytes above %rsp. */

#define SAVE                                                                                       \
    "movq %rax, -8(%rsp)\n"                                                                        \
    "movq %rcx, -16(%rsp)\n"                                                                       \
    "movq %rdx, -24(%rsp)\n"                                                                       \
    "movq %r8, -32(%rsp)\n"                                                                        \
    "movq %r9, -40(%rsp)\n"
#define RESTORE "restore\n"
#define MACRO_RESTORE                                                                              \
    ".macro restore\n"                                                                             \
    "movq -8(%rsp), %rax\n"                                                                        \
    "movq -16(%rsp), %rcx\n"                                                                       \
    "movq -24(%rsp), %rdx\n"                                                                       \
    "movq -32(%rsp), %r8\n"                                                                        \
    "movq -40(%rsp), %r9\n"                                                                        \
    ".endm\n"
/* %r8: an entry; %rax: the place of eprof_hot; %rdx: a key. Finds the edge %r9: %rcx its calls,
 * %rax the state after. As in eprof/hooks.h it is read before its key is compared. */
#define FIND_KEY(miss) "find_key " miss "\n"
#define MACRO_FIND_KEY                                                                             \
    ".macro find_key miss\n"                                                                       \
    "movl %edx, %r9d\n"                                                                            \
    "andl $0x7FFE0, %r9d\n" /* EPROF_ENTRY_OFFSET */                                               \
    "orl 28(%r8), %r9d\n"   /* limit */                                                            \
    "addq %fs:8(%rax), %r9\n"                                                                      \
    "addq (%r8), %r9\n"                                                                            \
    "movq (%r9), %rcx\n"                                                                           \
    "movq 8(%r9), %rax\n"                                                                          \
    "cmpq %rdx, 16(%r9)\n"                                                                         \
    "jne \\miss\n"                                                                                 \
    ".endm\n"
/* EPROF_ENTRY_KEY */
#define FIND(miss)                                                                                 \
    "imulq $" EP_ROUTINE_TEXT(EPROF_ENTRY_FACTOR) ", 8(%rsp), %rdx\n"                              \
                                                  "addq (%rsp), %rdx\n" FIND_KEY(miss)
/* After FIND, EPROF_ENTRY_VIA_KEY */
#define FIND_VIA(miss)                                                                             \
    "leaq 16(%rsp), %rcx\n"                                                                        \
    "movq 8(%r8), %r9\n"                                                                           \
    "subq %rcx, %r9\n"                                                                             \
    "movabsq $" EP_ROUTINE_TEXT(                                                                   \
        EPROF_ENTRY_VIA_FACTOR) ", %rcx\n"                                                         \
                                "imulq %rcx, %r9\n"                                                \
                                "addq %r9, %rdx\n"                                                 \
                                "movq eprof_hot@gottpoff(%rip), %rax\n" FIND_KEY(miss)
#define COUNT(timed)                                                                               \
    "subl $1, 72(%rcx)\n" /* EPROF_UNTIL_TIMED */                                                  \
    "jle " timed "\n"                                                                              \
    "addq $1, (%rcx)\n"
/* Takes the call above %r8 off, which has ended, unless a signal handler gave it a cell. */
#define TAKE_OFF "take_off\n"
#define MACRO_TAKE_OFF                                                                             \
    ".macro take_off\n"                                                                            \
    "movq $0, 40(%r8)\n"                                                                           \
    "cmpl $-3, 60(%r8)\n" /* EPROF_ENTRY_CELL */                                                   \
    "jne 40f\n"                                                                                    \
    ".endm\n"
/* Goes on if the call of the entry %r8 has ended for sure: its slot holds something else. The slot
 * of an ended call may still hold its return address. */
#define CHECK_ENDED "check_ended\n"
#define MACRO_CHECK_ENDED                                                                          \
    ".macro check_ended\n"                                                                         \
    "cmpl $-3, 20(%r8)\n"                                                                          \
    "jne 40f\n"                                                                                    \
    "cmpq $0, (%r8)\n" /* this is a signal handler, and the call is just being entered */          \
    "je 40f\n"                                                                                     \
    "movq 8(%r8), %rdx\n"                                                                          \
    "subq %rsp, %rdx\n"                                                                            \
    "cmpq $4096, %rdx\n" /* farther away may be a stack that is gone */                            \
    "ja 40f\n"                                                                                     \
    "movl -8(%rsp,%rdx), %edx\n"                                                                   \
    "cmpl %edx, 16(%r8)\n"                                                                         \
    "je 32f\n"                                                                                     \
    "movq eprof_hot@gottpoff(%rip), %rax\n"                                                        \
    "leaq 16(%rsp), %rcx\n"                                                                        \
    ".endm\n"
/* EPROF_ENTRY_SLOT: the call of the entry %r8 must not have ended. Its slot is above the new one,
 * and is only read if that is near. EPROF_ENTRY_VIA: nor must the call that it made to other code,
 * such as bsearch(), have ended. %r9: the edge, of which a signal handler may have put
 * another one there: then the comparison fails. */
#define CHECK_SLOT(else) "check_slot " else "\n"
#define MACRO_CHECK_SLOT                                                                           \
    ".macro check_slot else\n"                                                                     \
    "testb $2, %al\n"                                                                              \
    "je \\else\n"                                                                                  \
    "movq 8(%r8), %rdx\n"                                                                          \
    "subq %rsp, %rdx\n"                                                                            \
    "cmpq $65536, %rdx\n"                                                                          \
    "ja 40f\n"                                                                                     \
    "movl -8(%rsp,%rdx), %edx\n"                                                                   \
    "cmpl %edx, 16(%r8)\n"                                                                         \
    "jne 40f\n"                                                                                    \
    "testb $4, %al\n"                                                                              \
    "je \\else\n"                                                                                  \
    "movl 24(%r9), %edx\n" /* via_bytes */                                                         \
    "negq %rdx\n"                                                                                  \
    "addq 8(%r8), %rdx\n"                                                                          \
    "cmpq %rsp, %rdx\n"                                                                            \
    "jb 40f\n"                                                                                     \
    "movl (%rdx), %edx\n"                                                                          \
    "cmpl %edx, 28(%r9)\n" /* via_return */                                                        \
    "jne 40f\n"                                                                                    \
    ".endm\n"
/* The entry above %r8, whose cell is set already; the state is stored last. */
#define FILL                                                                                       \
    "leaq 16(%rsp), %rdx\n"                                                                        \
    "movq %rdx, 48(%r8)\n" /* frame */                                                             \
    "movl 8(%rsp), %edx\n"                                                                         \
    "movl %edx, 56(%r8)\n" /* return address */                                                    \
    "movl (%rsp), %edx\n"                                                                          \
    "movl %edx, 64(%r8)\n" /* token */                                                             \
    "movq %rax, 40(%r8)\n"
#define DONE RESTORE "ret\n"

#define EP_ROUTINE_TEXT(number) EP_ROUTINE_TEXT_NOW(number)
#define EP_ROUTINE_TEXT_NOW(number) #number

_Static_assert(EPROF_ENTRY_LEAF == 1 && EPROF_ENTRY_SLOT == 2 && EPROF_ENTRY_VIA == 4 &&
                   EPROF_ENTRY_BITS == 7 && offsetof(struct eprof_edge, via_return) == 28 &&
                   EPROF_ENTRY_CELL == (uint32_t)-3 && EPROF_UNTIL_TIMED == 72 &&
                   sizeof(struct eprof_open) == 40,
               "the assembly contains these numbers");

/* Two cases are inline: the innermost call is still open, or it has ended and the one around it is
 * open. In the second case the new entry takes the place of the ended one, and `top` stays. If more
 * have ended, all but one are taken off first. That a call is open, the edge shows: it exists only
 * if the new call returns into the function, or with EPROF_ENTRY_VIA (instrument/entry.c). */
__asm__(THUNKS EXIT MEASURE);
__asm__(MEASURE_SAVING);
__asm__(MACRO_FIND_KEY MACRO_TAKE_OFF MACRO_CHECK_ENDED MACRO_CHECK_SLOT MACRO_RESTORE);

/* A line for each instruction. */
/* clang-format off */
__asm__(
    ".p2align 6\n.globl ep_routine\n.hidden ep_routine\n.type ep_routine, @function\n"
    "ep_routine:\n.cfi_startproc\n"
    SAVE
    "movq eprof_hot@gottpoff(%rip), %rax\n"
    "movq %fs:(%rax), %r8\n" /* top */
    "leaq 16(%rsp), %rcx\n"
    "cmpq %rcx, 8(%r8)\n" /* frame */
    "jbe 20f\n"
    FIND("18f")
    "testb $7, %al\n"
    "jne 15f\n"
    COUNT("39f")
    "12:\n"
    "movq eprof_hot@gottpoff(%rip), %rcx\n"
    "leaq 40(%r8), %rdx\n"
    "movq %rdx, %fs:(%rcx)\n"
    "movl $-3, 60(%r8)\n" /* cell */
    FILL
    DONE
    "15:\n"
    CHECK_SLOT("16f")
    "16:\n"
    COUNT("39f")
    "testb $1, %al\n"
    "jne 17f\n"
    "andq $-8, %rax\n"
    "jmp 12b\n"
    "17:\n" /* a leaf */
    DONE
    "18:\n"
    FIND_VIA("19f")
    "jmp 15b\n"
    "19:\n" /* the innermost call is above the new one, but may have ended */
    CHECK_ENDED

    "20:\n" /* the innermost call has ended */
    "cmpl $-3, 20(%r8)\n"
    "jne 35f\n"
    "leaq -40(%r8), %r8\n"
    "cmpq %rcx, 8(%r8)\n"
    "jbe 30f\n"
    FIND("28f")
    "21:\n"
    "testb $7, %al\n"
    "jne 25f\n"
    TAKE_OFF
    COUNT("38f")
    "22:\n"
    FILL
    DONE
    "25:\n"
    CHECK_SLOT("26f")
    "26:\n"
    "testb $1, %al\n"
    "jne 27f\n"
    TAKE_OFF
    COUNT("38f")
    "andq $-8, %rax\n"
    "jmp 22b\n"
    "27:\n" /* a leaf */
    COUNT("37f")
    DONE
    "28:\n"
    FIND_VIA("29f")
    "jmp 25b\n"
    "29:\n" /* it is taken off, if the new call is not on another stack, above; so the call around
                it is the innermost one */
    "movq 48(%r8), %rdx\n"
    "leaq 16(%rsp), %rcx\n"
    "subq %rcx, %rdx\n"
    "cmpq $-65536, %rdx\n"
    "jl 40f\n"
    TAKE_OFF
    "movq eprof_hot@gottpoff(%rip), %rax\n"
    "movq %r8, %fs:(%rax)\n"
    "jmp 19b\n"

    "30:\n" /* so has the one around it, if the new call is not on another stack, above */
    "movq 8(%r8), %rdx\n"
    "subq %rcx, %rdx\n"
    "cmpq $-65536, %rdx\n"
    "jl 40f\n"
    TAKE_OFF
    "movq %r8, %fs:(%rax)\n"
    "jmp 20b\n"

    /* Its slot still holds its return address, as if it were open. But if the call returns into the
     * function around it, and that is another function, it has ended. */
    "32:\n"
    "movq eprof_hot@gottpoff(%rip), %rax\n"
    "leaq 16(%rsp), %rcx\n"
    "leaq -40(%r8), %r8\n"
    "cmpq %rcx, 8(%r8)\n"
    "jbe 40f\n"
    FIND("40f")
    "movl 64(%r8), %edx\n" /* token */
    "cmpl %edx, 28(%r9)\n" /* via_return: the caller */
    "je 40f\n"
    "cmpl $0, 28(%r9)\n"
    "je 40f\n"
    "imulq $" EP_ROUTINE_TEXT(EPROF_ENTRY_FACTOR) ", 8(%rsp), %rdx\n"
    "addq (%rsp), %rdx\n"
    "cmpq %rdx, 16(%r9)\n" /* a signal handler may have put another edge there */
    "jne 40f\n"
    "jmp 21b\n"

    "35:\n" /* it has a cell */
    RESTORE
    PUSH_ALL
    "leaq 24(%rbp), %rdi\n"
    "cld\n"
    "call *eprof_entry_close_ended@GOTPCREL(%rip)\n"
    "testl %eax, %eax\n"
    "je 41f\n"
    POP_ALL
    "jmp ep_routine\n"

    "37:\n"
    "addl $1, 72(%rcx)\n"
    TAKE_OFF
    "subl $1, 72(%rcx)\n"
    "38:\n" /* it is timed, and the ended call is taken off */
    "movq eprof_hot@gottpoff(%rip), %rax\n"
    "movq %r8, %fs:(%rax)\n"
    "39:\n"
    "addl $1, 72(%rcx)\n"
    "40:\n"
    RESTORE
    PUSH_ALL
    "41:\n"
    NOW
    CALL_SAVED("ep_routine_enter")
    "movq -80(%rbp), %rcx\n"
    "testq %rcx, %rcx\n"
    "je 1f\n"
    READ_COUNTER
    "movq %rax, (%rcx)\n"
    "1:\n"
    POP_ALL
    "ret\n.cfi_endproc\n.size ep_routine, . - ep_routine\n");
/* clang-format on */
