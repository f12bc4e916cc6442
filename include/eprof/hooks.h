/*
 * eprof/hooks.h - internal, for libeprof-auto: the code that counts a call of a function under a
 * budget
 *
 * The code is that of eprof_open_inline() and eprof_close_inline() in eprof/scopes.h, with the same
 * order of stores. A hook has no site. It has a key in place of the offset of a site: the address
 * to which the hook returns. No two calls of hooks have the same key. Copies of an inlined function
 * have different keys, and their edges lead to the same counter. The offset of an edge is a hash of
 * the key. Two keys with the same offset in one state take the place of the edge from each other,
 * and their calls are then counted out of line.
 *
 * The library makes an edge only for a key whose frame it knows by the frame pointer. The code at
 * one address either keeps a frame pointer or does not, so %rbp shows the frame at each later call
 * with the same key.
 *
 * Both macros are text for assembly at the beginning of a function. They change only registers that
 * a call may change, and they do not change %rdi, %rsi and the stack. They return after they
 * have counted the call. Otherwise they jump to `outside`, unless they find that recording is off.
 */
#ifndef EPROF_HOOKS_H
#define EPROF_HOOKS_H

#include <eprof.h>

/* The distance between two edges is EPROF_EDGE_BYTES, so 16 bytes of code share an offset, and so
 * do addresses that are 256 KiB apart. */
#define EPROF_KEY_OFFSET(key) ((uint64_t)(key) << 1 & 0x7FFE0)

/* The key of a call with a patched entry (src/auto/routine.c) combines the function and the return
 * address. Functions are less than 2 GiB apart in a module, and the factor is nearly 2^31, so no
 * two calls from one module have the same key. */
#define EPROF_ENTRY_FACTOR 0x7FEB352D
#define EPROF_ENTRY_KEY(entry, return_address)                                                     \
    ((uint64_t)(return_address)*EPROF_ENTRY_FACTOR + (uint64_t)(entry))
/* The key of a call that other code made, such as bsearch(), which the function around has called:
 * bytes is the distance of their canonical frame addresses. The factor has the first bits of the
 * square root of 2; any odd number with random bits would do. */
#define EPROF_ENTRY_VIA_FACTOR 0x6A09E667F3BCC909
#define EPROF_ENTRY_VIA_KEY(key, bytes) ((uint64_t)(key) + (uint64_t)(bytes)*EPROF_ENTRY_VIA_FACTOR)
#define EPROF_ENTRY_OFFSET(key) ((uint64_t)(key)&0x7FFE0)
#define EPROF_ENTRY_LEAF 1 /* a bit of an edge's state: the function calls nothing */
#define EPROF_ENTRY_SLOT 2 /* the caller's return address is compared */
#define EPROF_ENTRY_VIA 4  /* and that of the call that the caller made to other code */
#define EPROF_ENTRY_BITS 7
/* All thunks of timed calls lie in a block of this length, which is aligned to it. */
#define EPROF_THUNKS_BYTES 0x8000U
/* In place of a cell: the scope was entered by hand; the call will not be left; the call is timed.
 */
#define EPROF_MANUAL_CELL (UINT32_MAX - 3)
#define EPROF_ENTRY_CELL (UINT32_MAX - 2)
#define EPROF_TIMED_CELL (UINT32_MAX - 1)

#ifdef EPROF_IS_INLINE

/* A hook may be called through a pointer: the linkage table. */
#ifdef __CET__
#define EPROF_HOOK_LAND "endbr64\n\t"
#else
#define EPROF_HOOK_LAND ""
#endif

/* A hook that consists of this code. */
#define EPROF_HOOK(name, code)                                                                     \
    ".text\n.p2align 6\n.type " name ", @function\n" name                                          \
    ":\n.cfi_startproc\n\t" EPROF_HOOK_LAND code ".cfi_endproc\n.size " name ", . - " name "\n"

/* The key is the hook's return address. */
#define EPROF_HOOK_LOAD_KEY "movq (%rsp), %rdx\n\t"

/* %rdi: the function; %rsi: its return address; %rdx: the key; FRAME: an expression for leaq, the
 * canonical frame address of the function. */
#define EPROF_HOOK_OPEN(frame, outside)                                                            \
    "movq eprof_hot@gottpoff(%rip), %rax\n\t"                                                      \
    "movq %fs:(%rax), %r8\n\t" /* top */                                                           \
    "cmpl $0, 28(%r8)\n\t"     /* limit; set too if nothing is inline */                           \
    "jne 4f\n\t"                                                                                   \
    "movq %fs:8(%rax), %r9\n\t" /* edges */                                                        \
    "leal (%rdx,%rdx), %ecx\n\t"                                                                   \
    "andl $0x7FFE0, %ecx\n\t"                                                                      \
    "addq (%r8), %r9\n\t"        /* state: %r9 + %rcx is the edge */                               \
    "movq (%r9,%rcx), %r10\n\t"  /* calls */                                                       \
    "movq 8(%r9,%rcx), %r11\n\t" /* the state after */                                             \
    "cmpq %rdx, 16(%r9,%rcx)\n\t"                                                                  \
    "jne " outside "\n\t"                                                                          \
    "leaq " frame ", %r9\n\t"                                                                      \
    "cmpq %r9, 8(%r8)\n\t"                                                                         \
    "jbe 2f\n"                                                                                     \
    "1:\n\t"                                                                                       \
    "subl $1, 72(%r10)\n\t"                                                                        \
    "jle 3f\n\t"                                                                                   \
    "addq $1, (%r10)\n\t"                                                                          \
    "leaq 40(%r8), %rcx\n\t"                                                                       \
    "movq %rcx, %fs:(%rax)\n\t"                                                                    \
    "movq %r9, 48(%r8)\n\t"                                                                        \
    "movl %esi, %ecx\n\t"                                                                          \
    "movq %rcx, 56(%r8)\n\t" /* return address and cell */                                         \
    "movl %edi, 64(%r8)\n\t" /* token */                                                           \
    "movl %edx, 72(%r8)\n\t" /* hook */                                                            \
    "movq %r11, 40(%r8)\n\t"                                                                       \
    "ret\n"                                                                                        \
    "2:\n\t" /* inlined, or a jump left the scope around it */                                     \
    "jne " outside "\n\t"                                                                          \
    "cmpl %esi, 16(%r8)\n\t"                                                                       \
    "jne " outside "\n\t"                                                                          \
    "movq %fs:8(%rax), %r9\n\t"                                                                    \
    "addq (%r8), %r9\n\t"                                                                          \
    "cmpl $0, 24(%r9,%rcx)\n\t" /* is_same_frame */                                                \
    "leaq " frame ", %r9\n\t"                                                                      \
    "jne 1b\n\t"                                                                                   \
    "jmp " outside "\n"                                                                            \
    "3:\n\t"                                                                                       \
    "addl $1, 72(%r10)\n\t" /* it is timed */                                                      \
    "jmp " outside "\n"                                                                            \
    "4:\n\t"                                                                                       \
    "movq eprof_recording@GOTPCREL(%rip), %rax\n\t"                                                \
    "cmpl $0, (%rax)\n\t"                                                                          \
    "jne " outside "\n\t"                                                                          \
    "ret\n"

/* %rdi: the function; %rsi: its return address. The compiler may replace the call of the exit hook
 * by a jump, after it has removed the frame of the function. Then the frame of the hook is at the
 * same place. */
#define EPROF_HOOK_CLOSE(frame, frame_of_jump, outside)                                            \
    "movq eprof_hot@gottpoff(%rip), %rax\n\t"                                                      \
    "movq %fs:(%rax), %r8\n\t"                                                                     \
    "leaq " frame ", %rdx\n\t"                                                                     \
    "cmpq %rdx, 8(%r8)\n\t"                                                                        \
    "jne 2f\n"                                                                                     \
    "1:\n\t"                                                                                       \
    "cmpl %edi, 24(%r8)\n\t" /* token */                                                           \
    "jne " outside "\n\t"                                                                          \
    "movq $0, (%r8)\n\t"                                                                           \
    "cmpl $0, 20(%r8)\n\t" /* cell */                                                              \
    "jne " outside "\n\t"                                                                          \
    "leaq -40(%r8), %r8\n\t"                                                                       \
    "movq %r8, %fs:(%rax)\n\t"                                                                     \
    "ret\n"                                                                                        \
    "2:\n\t"                                                                                       \
    "movq eprof_recording@GOTPCREL(%rip), %rcx\n\t"                                                \
    "cmpl $0, (%rcx)\n\t"                                                                          \
    "je 3f\n\t"                                                                                    \
    "cmpq %rsi, (%rsp)\n\t" /* a jump: the hook returns to where the function would */             \
    "jne " outside "\n\t"                                                                          \
    "leaq " frame_of_jump ", %rdx\n\t"                                                             \
    "cmpq %rdx, 8(%r8)\n\t"                                                                        \
    "je 1b\n\t"                                                                                    \
    "jmp " outside "\n"                                                                            \
    "3:\n\t"                                                                                       \
    "cmpl $-2, 20(%r8)\n\t" /* EPROF_TIMED_CELL */                                                 \
    "je " outside "\n\t"                                                                           \
    "ret\n"

#endif

#endif /* EPROF_HOOKS_H */
