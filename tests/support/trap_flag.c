/*
 * trap_flag.c - SIGTRAP after each instruction
 *
 * On a virtual machine the trap flag takes 16 us for each instruction, because the hypervisor
 * handles the exception first; a breakpoint takes 1.2 us (Xeon under Firecracker, 2026-11-29). So
 * where the next instruction is known, this file puts a breakpoint (INT3) there and clears the trap
 * flag until it is reached. What is called sees the trap flag as set in either case.
 *
 * The next instruction is known for direct jumps and calls, returns, and the usual indirect jumps
 * and calls. The length of any other instruction is learned when the trap flag steps over it for
 * the first time. All others, and code that cannot be written, are left to the trap flag. Opcodes
 * are those of the SDM, volume 2, appendix A.
 */
#include "trap_flag.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { INT3 = 0xcc, PUSHF = 0x9c, POPF = 0x9d, LONGEST = 15, PAGE_BYTES = 4096 };

/* ---- lengths of instructions ---- */

enum { MOST_LEARNED = 1 << 16 };

/* The code at an address may change, so its bytes are kept too. */
struct learned {
    const uint8_t *address;
    uint8_t length, bytes[LONGEST];
};

static struct learned learned[MOST_LEARNED];

static struct learned *learned_at(const uint8_t *address)
{
    return &learned[(uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 48];
}

static void learn(const uint8_t *address, const uint8_t *next)
{
    if (next <= address || next > address + LONGEST)
        return;
    struct learned *now = learned_at(address);
    *now = (struct learned){.address = address, .length = (uint8_t)(next - address)};
    memcpy(now->bytes, address, now->length);
}

/* Returns 0 if it is not known. */
static unsigned length_of(const uint8_t *address)
{
    const struct learned *now = learned_at(address);
    bool is_known = now->address == address && memcmp(now->bytes, address, now->length) == 0;
    return is_known ? now->length : 0;
}

/* ---- which instruction comes next ---- */

enum { MOST_NEXT = 2 };

struct next {
    const uint8_t *at[MOST_NEXT];
    unsigned count;    /* 0: not known */
    bool is_learnable; /* the instruction after this one in memory is the next one */
};

static struct next next_one(const uint8_t *at)
{
    return (struct next){.at = {at}, .count = 1};
}

static int64_t read_signed(const uint8_t *at, unsigned bytes)
{
    int32_t wide;
    if (bytes == 1)
        return (int8_t)*at;
    memcpy(&wide, at, sizeof wide);
    return wide;
}

static const uint8_t *read_address(const void *at)
{
    const uint8_t *address;
    memcpy(&address, at, sizeof address);
    return address;
}

/* A jump or call with an offset of that size at `offset`. */
static struct next next_of_direct(const uint8_t *offset, unsigned bytes, bool is_conditional)
{
    struct next next = next_one(offset + bytes + read_signed(offset, bytes));
    if (is_conditional)
        next.at[next.count++] = offset + bytes;
    return next;
}

/* Group 5 (0xff): INC, DEC, CALL, far CALL, JMP, far JMP, PUSH. */
static struct next next_of_group_5(const uint8_t *opcode, bool has_prefix)
{
    unsigned operation = opcode[1] >> 3 & 7, is_relative_to_rip = (opcode[1] & 0xc7) == 0x05;
    if (operation != 2 && operation != 4)
        return (struct next){.is_learnable = operation < 2 || operation == 6};
    if (has_prefix || !is_relative_to_rip)
        return (struct next){.count = 0};
    return next_one(read_address(opcode + 6 + read_signed(opcode + 2, 4)));
}

/* Two bytes, the first of which is 0x0f. */
static struct next next_of_two_bytes(const uint8_t *opcode, bool has_prefix)
{
    enum { SYSCALL = 0x05, SYSRET = 0x07, SYSENTER = 0x34, SYSEXIT = 0x35, UD2 = 0x0b };
    switch (opcode[1]) {
    case SYSCALL: /* the trap flag skips the instruction after it */
    case SYSRET:
    case SYSENTER:
    case SYSEXIT:
    case UD2:
        return (struct next){.count = 0};
    default:
        if (opcode[1] >> 4 != 8)
            return (struct next){.is_learnable = true};
        if (has_prefix)
            return (struct next){.count = 0};
        return next_of_direct(opcode + 2, 4, true);
    }
}

static bool is_prefix(uint8_t byte)
{
    return byte && strchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", byte);
}

/* INS, OUTS, MOVS, CMPS, STOS, LODS, SCAS */
static bool is_string(uint8_t opcode)
{
    return (opcode >= 0x6c && opcode <= 0x6f) || (opcode >= 0xa4 && opcode <= 0xa7) ||
           (opcode >= 0xaa && opcode <= 0xaf);
}

/* What the instruction says itself. `stack` is its stack pointer. */
static struct next next_by_opcode(const uint8_t *at, const void *stack)
{
    const uint8_t *opcode = at;
    while (is_prefix(*opcode))
        opcode++;
    if (*opcode >> 4 == 4) /* REX */
        opcode++;
    bool has_prefix = opcode != at;
    if (has_prefix && is_string(*opcode)) /* REP: the flag traps after each repetition */
        return (struct next){.count = 0};
    if (*opcode >> 4 == 7) /* Jcc */
        return next_of_direct(opcode + 1, 1, true);
    switch (*opcode) {
    case 0x0f:
        return next_of_two_bytes(opcode, has_prefix);
    case 0xff:
        return next_of_group_5(opcode, has_prefix);
    case 0xc2: /* RET */
    case 0xc3:
        return next_one(read_address(stack));
    case 0xe8: /* CALL, JMP */
    case 0xe9:
        if (has_prefix)
            return (struct next){.count = 0};
        return next_of_direct(opcode + 1, 4, false);
    case 0xeb:
        return next_of_direct(opcode + 1, 1, false);
    case 0xe0: /* LOOPNE, LOOPE, LOOP, JRCXZ */
    case 0xe1:
    case 0xe2:
    case 0xe3:
        return next_of_direct(opcode + 1, 1, true);
    case 0xc6: /* MOV; XABORT and XBEGIN with 0xf8 */
    case 0xc7:
        return (struct next){.is_learnable = opcode[1] != 0xf8};
    case PUSHF: /* they see the flag */
    case POPF:
    case 0x8e: /* MOV to a segment register: no trap before the next instruction has ended */
    case 0xca: /* far RET, INT3, INT, IRET, INT1 */
    case 0xcb:
    case INT3:
    case 0xcd:
    case 0xcf:
    case 0xf1:
        return (struct next){.count = 0};
    default:
        return (struct next){.is_learnable = true};
    }
}

/* ---- breakpoints ---- */

static bool is_allowed = true;
static struct {
    uint8_t *at;
    uint8_t byte; /* what was there */
} breakpoints[MOST_NEXT];
static unsigned breakpoint_count;
static const uint8_t *stepped; /* the trap flag steps over this learnable instruction; or NULL */

void trap_flag_use_breakpoints(bool is_on)
{
    is_allowed = is_on;
}

/* Makes the page of that byte writable. The last pages are remembered until stepping ends: another
 * module may be loaded at their addresses later. */
static uintptr_t writable[64];

static bool make_writable(const uint8_t *at)
{
    uintptr_t page = (uintptr_t)at & ~(uintptr_t)(PAGE_BYTES - 1);
    uintptr_t *remembered = &writable[page / PAGE_BYTES % (sizeof writable / sizeof *writable)];
    if (*remembered == page)
        return true;
    if (mprotect((void *)page, PAGE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return false;
    *remembered = page;
    return true;
}

static void remove_breakpoints(void)
{
    while (breakpoint_count) {
        breakpoint_count--;
        *breakpoints[breakpoint_count].at = breakpoints[breakpoint_count].byte;
    }
}

/* An instruction that may jump to itself cannot be left with a breakpoint. */
static bool put_breakpoints(const struct next *next, const uint8_t *now)
{
    for (unsigned i = 0; i < next->count; i++)
        if (next->at[i] == now || !make_writable(next->at[i]))
            return false;
    for (; breakpoint_count < next->count; breakpoint_count++) {
        uint8_t *at = (uint8_t *)(uintptr_t)next->at[breakpoint_count];
        breakpoints[breakpoint_count].at = at;
        breakpoints[breakpoint_count].byte = *at;
        *at = INT3;
    }
    return true;
}

/* Before `act`: from a breakpoint the state is made that the trap flag would have left. */
static void arrive(greg_t *registers)
{
    const uint8_t *now = (const uint8_t *)registers[REG_RIP];
    if (breakpoint_count) {
        remove_breakpoints();
        registers[REG_RIP]--;
        registers[REG_EFL] |= TRAP_FLAG;
    } else if (stepped) {
        learn(stepped, now);
    }
    stepped = NULL;
}

/* After `act`, if stepping goes on. */
static void go_on(greg_t *registers)
{
    const uint8_t *now = (const uint8_t *)registers[REG_RIP];
    struct next next = next_by_opcode(now, (const void *)registers[REG_RSP]);
    unsigned length = next.is_learnable ? length_of(now) : 0;
    if (length)
        next = next_one(now + length);
    if (next.count && is_allowed && put_breakpoints(&next, now))
        registers[REG_EFL] &= ~TRAP_FLAG;
    else if (next.is_learnable)
        stepped = now;
}

/* ---- the signal ---- */

static void (*called)(ucontext_t *interrupted);

static void handle(int signal, siginfo_t *information, void *context)
{
    ucontext_t *interrupted = context;
    greg_t *registers = interrupted->uc_mcontext.gregs;
    (void)signal;
    (void)information;
    arrive(registers);
    called(interrupted);
    if (registers[REG_EFL] & TRAP_FLAG)
        go_on(registers);
    else
        memset(writable, 0, sizeof writable);
}

int trap_flag_call(void (*act)(ucontext_t *interrupted))
{
    struct sigaction action = {.sa_sigaction = handle,
                               .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    called = act;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGTRAP, &action, NULL);
}
