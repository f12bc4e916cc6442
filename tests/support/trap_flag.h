/*
 * trap_flag.h - a function that is called after each instruction, by the trap flag of x86-64
 *
 * Set and clear are inline, so that only the instructions between the two calls are stepped
 * through.
 */
#ifndef TRAP_FLAG_H
#define TRAP_FLAG_H

#include <stdbool.h>
#include <ucontext.h>

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

/* From now on calls `act` after each instruction. While `act` runs, its own instructions are not
 * stepped through. One thread at a time may be stepped through. Returns -1 if the handler of
 * SIGTRAP cannot be set. */
int trap_flag_call(void (*act)(ucontext_t *interrupted));

/* Called by `act`: it is not called after the next instruction. */
static inline void trap_flag_stop(ucontext_t *interrupted)
{
    interrupted->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

/* Whether most instructions are stepped through by breakpoints (trap_flag.c). At the start: yes. */
void trap_flag_use_breakpoints(bool is_on);

#endif /* TRAP_FLAG_H */
