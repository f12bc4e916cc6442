/*
 * trap_flag.h - SIGTRAP after each instruction, by the trap flag of x86-64
 *
 * The functions are inline, so that only the instructions between the two calls are stepped
 * through. The kernel clears the flag for the handler, and sets it again after it.
 */
#ifndef TRAP_FLAG_H
#define TRAP_FLAG_H

enum { TRAP_FLAG = 0x100 }; /* SDM volume 1, 3.4.3.3 */

static inline __attribute__((always_inline)) void trap_flag_set(void)
{
    __asm__ volatile("sub $128, %%rsp\n\tpushfq\n\torq %0, (%%rsp)\n\tpopfq\n\tadd $128, %%rsp"
                     :
                     : "i"(TRAP_FLAG)
                     : "memory", "cc");
}

static inline __attribute__((always_inline)) void trap_flag_clear(void)
{
    __asm__ volatile("sub $128, %%rsp\n\tpushfq\n\tandq %0, (%%rsp)\n\tpopfq\n\tadd $128, %%rsp"
                     :
                     : "i"(~TRAP_FLAG)
                     : "memory", "cc");
}

#endif /* TRAP_FLAG_H */
