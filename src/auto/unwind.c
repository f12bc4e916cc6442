#include "unwind.h"

#include <string.h>
#include <ucontext.h>

#include "base/compiler.h"
#include "extents.h"

/* The numbers of registers: System V ABI, x86-64, figure 3.36. */
enum { BP = 6, SP = 7, RETURN_ADDRESS = 16 };

/* ---- reading ---- */

struct reader {
    const unsigned char *at, *end;
};

static uint64_t read_uleb(struct reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0; reader->at < reader->end && shift < 64; shift += 7) {
        unsigned char byte = *reader->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    return value;
}

static int64_t read_sleb(struct reader *reader)
{
    uint64_t value = 0;
    unsigned shift = 0;
    unsigned char byte = 0;
    do {
        if (reader->at == reader->end || shift >= 64)
            return 0;
        byte = *reader->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    if (byte & 0x40 && shift < 64)
        value |= UINT64_MAX << shift;
    return (int64_t)value;
}

/* A number of `bytes` bytes. */
static uint64_t read_number(struct reader *reader, unsigned bytes)
{
    uint64_t value = 0;
    if ((size_t)(reader->end - reader->at) < bytes) {
        reader->at = reader->end;
        return 0;
    }
    memcpy(&value, reader->at, bytes);
    reader->at += bytes;
    return value;
}

static void skip(struct reader *reader, uint64_t bytes)
{
    reader->at += bytes < (uint64_t)(reader->end - reader->at) ? (size_t)bytes
                                                               : (size_t)(reader->end - reader->at);
}

/* The words after the length of a description. */
static struct reader begin_record(const unsigned char *record)
{
    uint32_t length;
    memcpy(&length, record, sizeof length);
    return (struct reader){record + sizeof length, record + sizeof length + length};
}

/* ---- rules ---- */

/* How the caller's registers are found (DWARF 5, 6.4.1). */
struct rules {
    uint64_t cfa_register; /* BP, SP; any other number: it is not known */
    int64_t cfa_offset;
    bool is_cfa_loaded; /* the address is read at that place: a frame that was realigned */
    int64_t bp_offset; /* where it is saved, from the canonical frame address; 0: it is unchanged */
    bool is_unknown, is_outermost;
};

struct program {
    struct rules rules, initial, remembered[4];
    unsigned remembered_count;
    uint64_t code_factor;
    int64_t data_factor;
    uintptr_t location, pc;
};

static void set_saved(struct program *program, uint64_t number, int64_t offset)
{
    if (number == BP)
        program->rules.bp_offset = offset;
    if (number == RETURN_ADDRESS && offset != -8)
        program->rules.is_unknown = true;
}

/* gcc describes a realigned frame as a word below the frame pointer: DW_OP_breg6, DW_OP_deref. */
static void set_expression(struct program *program, struct reader expression)
{
    enum { BREG6 = 0x76, DEREF = 0x06 };
    struct rules *rules = &program->rules;
    rules->cfa_register = BP;
    rules->is_cfa_loaded = true;
    if (read_number(&expression, 1) == BREG6) {
        rules->cfa_offset = read_sleb(&expression);
        if (read_number(&expression, 1) == DEREF && expression.at == expression.end)
            return;
    }
    rules->is_unknown = true;
}

static struct reader read_block(struct reader *reader)
{
    uint64_t bytes = read_uleb(reader);
    struct reader block = {reader->at, reader->at};
    skip(reader, bytes);
    block.end = reader->at;
    return block;
}

/* The instructions with the operands in separate bytes (DWARF 5, 7.24). */
static void execute_extended(struct program *program, struct reader *reader, unsigned operation)
{
    enum {
        NOP,
        SET_LOC,
        ADVANCE_1,
        ADVANCE_2,
        ADVANCE_4,
        OFFSET_EXTENDED,
        RESTORE_EXTENDED,
        UNDEFINED,
        SAME_VALUE,
        REGISTER,
        REMEMBER,
        RESTORE_STATE,
        DEF_CFA,
        DEF_CFA_REGISTER,
        DEF_CFA_OFFSET,
        DEF_CFA_EXPRESSION,
        EXPRESSION,
        OFFSET_EXTENDED_SIGNED,
        DEF_CFA_SIGNED,
        DEF_CFA_OFFSET_SIGNED,
        VAL_OFFSET,
        VAL_OFFSET_SIGNED,
        VAL_EXPRESSION,
        GNU_ARGS_SIZE = 0x2e
    };
    struct rules *rules = &program->rules;
    uint64_t number;
    switch (operation) {
    case NOP:
        return;
    case ADVANCE_1:
    case ADVANCE_2:
    case ADVANCE_4:
        program->location +=
            read_number(reader, 1U << (operation - ADVANCE_1)) * program->code_factor;
        return;
    case OFFSET_EXTENDED:
        number = read_uleb(reader);
        set_saved(program, number, (int64_t)read_uleb(reader) * program->data_factor);
        return;
    case OFFSET_EXTENDED_SIGNED:
        number = read_uleb(reader);
        set_saved(program, number, read_sleb(reader) * program->data_factor);
        return;
    case RESTORE_EXTENDED:
    case SAME_VALUE:
        if (read_uleb(reader) == BP)
            rules->bp_offset = operation == SAME_VALUE ? 0 : program->initial.bp_offset;
        return;
    case UNDEFINED:
        rules->is_outermost |= read_uleb(reader) == RETURN_ADDRESS;
        return;
    case REMEMBER:
        if (program->remembered_count == 4)
            rules->is_unknown = true;
        else
            program->remembered[program->remembered_count++] = *rules;
        return;
    case RESTORE_STATE:
        if (program->remembered_count)
            *rules = program->remembered[--program->remembered_count];
        return;
    case DEF_CFA:
        rules->cfa_register = read_uleb(reader);
        rules->cfa_offset = (int64_t)read_uleb(reader);
        rules->is_cfa_loaded = false;
        return;
    case DEF_CFA_REGISTER:
        rules->cfa_register = read_uleb(reader);
        return;
    case DEF_CFA_OFFSET:
        rules->cfa_offset = (int64_t)read_uleb(reader);
        return;
    case DEF_CFA_EXPRESSION:
        set_expression(program, read_block(reader));
        return;
    case EXPRESSION:
    case VAL_EXPRESSION:
        number = read_uleb(reader);
        rules->is_unknown |= number == BP || number == RETURN_ADDRESS;
        read_block(reader);
        return;
    case REGISTER:
    case VAL_OFFSET:
        rules->is_unknown |= read_uleb(reader) == BP;
        read_uleb(reader);
        return;
    case GNU_ARGS_SIZE:
        read_uleb(reader);
        return;
    default:
        rules->is_unknown = true;
        reader->at = reader->end;
    }
}

static void execute(struct program *program, struct reader reader)
{
    enum { ADVANCE = 1, OFFSET, RESTORE };
    while (reader.at < reader.end && program->location <= program->pc) {
        unsigned byte = (unsigned)read_number(&reader, 1), operand = byte & 0x3f;
        switch (byte >> 6) {
        case ADVANCE:
            program->location += operand * program->code_factor;
            break;
        case OFFSET:
            set_saved(program, operand, (int64_t)read_uleb(&reader) * program->data_factor);
            break;
        case RESTORE:
            if (operand == BP)
                program->rules.bp_offset = program->initial.bp_offset;
            break;
        default:
            execute_extended(program, &reader, operand);
        }
    }
}

/* The common part of descriptions; then its instructions follow. false: another form. */
static bool begin_program(struct program *program, struct reader *common)
{
    enum { VERSION_1 = 1, VERSION_3 = 3 };
    skip(common, 4); /* no pointer */
    uint64_t version = read_number(common, 1);
    const char *augmentation = (const char *)common->at;
    skip(common, strlen(augmentation) + 1);
    program->code_factor = read_uleb(common);
    program->data_factor = read_sleb(common);
    uint64_t return_register = version == VERSION_1 ? read_number(common, 1) : read_uleb(common);
    if (*augmentation != 'z' || (version != VERSION_1 && version != VERSION_3) ||
        return_register != RETURN_ADDRESS)
        return false;
    read_block(common);
    return true;
}

static bool find_rules(struct program *program, const struct ep_extent *extent)
{
    enum { POINTERS_BYTES = 8 };
    struct reader description = begin_record(extent->description);
    int32_t distance;
    memcpy(&distance, description.at, sizeof distance);
    struct reader common = begin_record(description.at - distance);
    if (!begin_program(program, &common))
        return false;
    program->location = 0;
    execute(program, common);
    program->initial = program->rules;
    program->location = extent->begin;
    skip(&description, 4 + POINTERS_BYTES);
    read_block(&description); /* of the augmentation */
    execute(program, description);
    return !program->rules.is_unknown;
}

/* ---- steps ---- */

/* A signal handler returns to code of the C library (sigaction(2), SA_RESTORER): a system call with
 * number 15. Above its return address is the context of the interrupted code. */
static bool is_signal_return(uintptr_t address)
{
    static const unsigned char code[] = {0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05};
    return memcmp((const void *)address, code, sizeof code) == 0;
}

static void step_over_signal(struct ep_unwind *frame, uintptr_t *cfa)
{
    const greg_t *registers = ((const ucontext_t *)frame->sp)->uc_mcontext.gregs;
    *cfa = 0;
    *frame = (struct ep_unwind){.pc = (uintptr_t)registers[REG_RIP],
                                .sp = (uintptr_t)registers[REG_RSP],
                                .bp = (uintptr_t)registers[REG_RBP],
                                .is_interrupted = true};
}

static uintptr_t word_at(uintptr_t address)
{
    return *(const uintptr_t *)address;
}

bool ep_unwind_step(struct ep_unwind *frame, uintptr_t *cfa)
{
    struct ep_extent extent;
    struct program program = {.pc = frame->pc - !frame->is_interrupted};
    if (!ep_extent_find(program.pc, &extent))
        return false;
    if (!frame->is_interrupted && is_signal_return(frame->pc)) {
        step_over_signal(frame, cfa);
        return true;
    }
    if (!find_rules(&program, &extent))
        return false;
    const struct rules *rules = &program.rules;
    if (rules->is_outermost) {
        *cfa = frame->pc = 0;
        return true;
    }
    if (rules->cfa_register != BP && rules->cfa_register != SP)
        return false;
    uintptr_t base = rules->cfa_register == BP ? frame->bp : frame->sp;
    *cfa = base + (uintptr_t)rules->cfa_offset;
    if (rules->is_cfa_loaded)
        *cfa = word_at(*cfa);
    if (*cfa <= frame->sp || *cfa % sizeof *cfa)
        return false;
    if (rules->bp_offset)
        frame->bp = word_at(*cfa + (uintptr_t)rules->bp_offset);
    frame->pc = word_at(*cfa - sizeof frame->pc);
    frame->sp = *cfa;
    frame->is_interrupted = false;
    return true;
}
