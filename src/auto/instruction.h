/*
 * instruction.h - how long an instruction is, and whether it continues elsewhere
 *
 * x86-64 only, in 64-bit mode. For the instructions that compilers generate for programs; others
 * are not known.
 */
#ifndef EP_AUTO_INSTRUCTION_H
#define EP_AUTO_INSTRUCTION_H

#include <stdint.h>

enum ep_instruction_kind {
    EP_INSTRUCTION_UNKNOWN, /* or a call, a jump through a register or through memory, or privileged
                             */
    EP_INSTRUCTION_PLAIN,
    EP_INSTRUCTION_BRANCH, /* to the target, or to the next instruction */
    EP_INSTRUCTION_JUMP,   /* to the target */
    EP_INSTRUCTION_RETURN,
    EP_INSTRUCTION_TRAP /* an undefined instruction, as __builtin_trap() */
};

struct ep_instruction {
    enum ep_instruction_kind kind;
    unsigned bytes;   /* 0: unknown */
    uintptr_t target; /* of a branch or a jump */
};

/* Reads no byte at `end` or after it. */
struct ep_instruction ep_instruction_read(const unsigned char *at, const unsigned char *end);

#endif /* EP_AUTO_INSTRUCTION_H */
