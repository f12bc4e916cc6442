/*
 * vfork.c - vfork(), whose child adds nothing to the parent's profile
 *
 * The child runs on its parent's memory, stack and thread-local storage until it executes another
 * program or ends. Its calls would be counted as the parent's, and stay open there, so nothing is
 * recorded until the parent goes on.
 *
 * In assembly, as in the C library: the child returns from here first, and its next calls
 * overwrite the stack, with the return address of this call. The parent's copy is in a register,
 * which the system call does not change.
 */
#include <errno.h>
#include <sys/types.h>

#include "eprof.h"

#define HIDDEN __attribute__((visibility("hidden"), used, no_instrument_function))

#ifdef __i386__
#define IN_REGISTER __attribute__((regparm(1))) /* eax: a jump hands over no stack */
#else
#define IN_REGISTER
#endif

HIDDEN void ep_vfork_begin(void);
HIDDEN IN_REGISTER pid_t ep_vfork_end(long result);

void ep_vfork_begin(void)
{
    eprof_function_vfork(1);
}

/* Called in the parent, when the child does not use its memory any more. */
IN_REGISTER pid_t ep_vfork_end(long result)
{
    eprof_function_vfork(0);
    if (result >= 0)
        return (pid_t)result;
    errno = (int)-result;
    return -1;
}

/* %function, since @ begins a comment on some processors (GNU as, .type). */
#define BEGIN ".text\n.globl vfork\n.type vfork, %function\nvfork:\n.cfi_startproc\n"
#define END ".cfi_endproc\n.size vfork, . - vfork\n"

/* The child returns by a jump: parent and child share a shadow stack, and a return would remove the
 * parent's entry from it. The compiler puts a landing mark after each call of vfork(), since it
 * knows that vfork() returns twice. */
#if defined(__x86_64__)

__asm__(BEGIN "endbr64\n"
              "subq $8, %rsp\n" /* for the alignment of the stack */
              ".cfi_adjust_cfa_offset 8\n"
              "call ep_vfork_begin\n"
              "addq $8, %rsp\n"
              ".cfi_adjust_cfa_offset -8\n"
              "popq %rdx\n"
              ".cfi_adjust_cfa_offset -8\n"
              ".cfi_register %rip, %rdx\n"
              "movl $58, %eax\n" /* SYS_vfork */
              "syscall\n"
              "testq %rax, %rax\n"
              "jz 1f\n"
              "pushq %rdx\n"
              ".cfi_adjust_cfa_offset 8\n"
              ".cfi_rel_offset %rip, 0\n"
              "movq %rax, %rdi\n"
              "jmp ep_vfork_end\n"
              ".cfi_adjust_cfa_offset -8\n"
              ".cfi_register %rip, %rdx\n"
              "1: jmp *%rdx\n" END);

#elif defined(__i386__)

__asm__(BEGIN "endbr32\n"
              "subl $12, %esp\n" /* for the alignment of the stack */
              ".cfi_adjust_cfa_offset 12\n"
              "call ep_vfork_begin\n"
              "addl $12, %esp\n"
              ".cfi_adjust_cfa_offset -12\n"
              "popl %ecx\n"
              ".cfi_adjust_cfa_offset -4\n"
              ".cfi_register %eip, %ecx\n"
              "movl $190, %eax\n" /* SYS_vfork */
              "int $0x80\n"
              "testl %eax, %eax\n"
              "jz 1f\n"
              "pushl %ecx\n"
              ".cfi_adjust_cfa_offset 4\n"
              ".cfi_rel_offset %eip, 0\n"
              "jmp ep_vfork_end\n"
              ".cfi_adjust_cfa_offset -4\n"
              ".cfi_register %eip, %ecx\n"
              "1: jmp *%ecx\n" END);

#elif defined(__aarch64__)

/* The call is a clone with CLONE_VM | CLONE_VFORK | SIGCHLD. The return address is in a register
 * anyway. */
__asm__(BEGIN "hint #34\n" /* bti c: may be called */
              "stp x29, x30, [sp, #-16]!\n"
              ".cfi_adjust_cfa_offset 16\n"
              ".cfi_rel_offset x29, 0\n"
              ".cfi_rel_offset x30, 8\n"
              "mov x29, sp\n"
              "bl ep_vfork_begin\n"
              "ldp x29, x30, [sp], #16\n"
              ".cfi_adjust_cfa_offset -16\n"
              ".cfi_restore x29\n"
              ".cfi_restore x30\n"
              "mov x0, #0x4111\n"
              "mov x1, sp\n"
              "mov x8, #220\n" /* SYS_clone */
              "svc #0\n"
              "cbz x0, 1f\n"
              "b ep_vfork_end\n"
              "1: ret\n" END);

#endif
