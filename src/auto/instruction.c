#include "instruction.h"

#if defined(__x86_64__) && defined(__LP64__)

#include <stdbool.h>
#include <string.h>

/* Intel SDM 2, chapter 2 (formats) and appendix A (opcode maps). What follows an opcode: */
enum {
    N = 1,  /* nothing */
    M = 2,  /* a ModRM byte, with what belongs to it */
    I = 4,  /* an immediate of 1 byte, */
    Z = 8,  /* of 4 bytes, or of 2 with the prefix 66, */
    V = 16, /* the same, or of 8 bytes with REX.W */
    J = 32, /* a distance of 1 byte, */
    L = 64, /* of 4 bytes */
    MI = M | I,
    MZ = M | Z
};

/* 0: a prefix, an instruction that does not exist, or one that is refused: calls (e8), what
 * compilers do not generate (a0, c2, c8), breakpoints (cc, which may lie over a call), and
 * encodings of others than Intel or of later processors (8f XOP, 0f 0f 3DNow, 0f 78, d5 REX2). */

/* clang-format off */
static const unsigned char one_byte[256] = {
    M,  M,  M,  M,  I,  Z,  0,  0,    M,  M,  M,  M,  I,  Z,  0,  0,  /* 00 */
    M,  M,  M,  M,  I,  Z,  0,  0,    M,  M,  M,  M,  I,  Z,  0,  0,  /* 10 */
    M,  M,  M,  M,  I,  Z,  0,  0,    M,  M,  M,  M,  I,  Z,  0,  0,  /* 20 */
    M,  M,  M,  M,  I,  Z,  0,  0,    M,  M,  M,  M,  I,  Z,  0,  0,  /* 30 */
    0,  0,  0,  0,  0,  0,  0,  0,    0,  0,  0,  0,  0,  0,  0,  0,  /* 40: REX */
    N,  N,  N,  N,  N,  N,  N,  N,    N,  N,  N,  N,  N,  N,  N,  N,  /* 50 */
    0,  0,  0,  M,  0,  0,  0,  0,    Z,  MZ, I,  MI, 0,  0,  0,  0,  /* 60 */
    J,  J,  J,  J,  J,  J,  J,  J,    J,  J,  J,  J,  J,  J,  J,  J,  /* 70 */
    MI, MZ, 0,  MI, M,  M,  M,  M,    M,  M,  M,  M,  M,  M,  M,  0,  /* 80 */
    N,  N,  N,  N,  N,  N,  N,  N,    N,  N,  0,  N,  N,  N,  N,  N,  /* 90 */
    0,  0,  0,  0,  N,  N,  N,  N,    I,  Z,  N,  N,  N,  N,  N,  N,  /* a0 */
    I,  I,  I,  I,  I,  I,  I,  I,    V,  V,  V,  V,  V,  V,  V,  V,  /* b0 */
    MI, MI, 0,  N,  0,  0,  MI, MZ,   0,  N,  0,  0,  0,  0,  0,  0,  /* c0 */
    M,  M,  M,  M,  0,  0,  0,  0,    M,  M,  M,  M,  M,  M,  M,  M,  /* d0 */
    J,  J,  J,  J,  0,  0,  0,  0,    0,  L,  0,  J,  0,  0,  0,  0,  /* e0 */
    0,  0,  0,  0,  0,  N,  M,  M,    N,  N,  0,  0,  N,  N,  M,  M,  /* f0 */
};

/* after 0f; also by VEX and EVEX, where some have other names, but the same length */
static const unsigned char two_bytes[256] = {
    0,  M,  0,  0,  0,  N,  0,  0,    0,  0,  0,  N,  0,  M,  0,  0,  /* 00 */
    M,  M,  M,  M,  M,  M,  M,  M,    M,  M,  M,  M,  M,  M,  M,  M,  /* 10 */
    0,  0,  0,  0,  0,  0,  0,  0,    M,  M,  M,  M,  M,  M,  M,  M,  /* 20 */
    0,  N,  0,  0,  0,  0,  0,  0,    0,  0,  0,  0,  0,  0,  0,  0,  /* 30 */
    M,  M,  M,  M,  M,  M,  M,  M,    M,  M,  M,  M,  M,  M,  M,  M,  /* 40 */
    M,  M,  M,  M,  M,  M,  M,  M,    M,  M,  M,  M,  M,  M,  M,  M,  /* 50 */
    M,  M,  M,  M,  M,  M,  M,  M,    M,  M,  M,  M,  M,  M,  M,  M,  /* 60 */
    MI, MI, MI, MI, M,  M,  M,  N,    0,  0,  0,  0,  M,  M,  M,  M,  /* 70 */
    L,  L,  L,  L,  L,  L,  L,  L,    L,  L,  L,  L,  L,  L,  L,  L,  /* 80 */
    M,  M,  M,  M,  M,  M,  M,  M,    M,  M,  M,  M,  M,  M,  M,  M,  /* 90 */
    0,  0,  N,  M,  MI, M,  0,  0,    0,  0,  0,  M,  MI, M,  M,  M,  /* a0 */
    M,  M,  0,  M,  0,  0,  M,  M,    M,  M,  MI, M,  M,  M,  M,  M,  /* b0 */
    M,  M,  MI, M,  MI, MI, MI, M,    N,  N,  N,  N,  N,  N,  N,  N,  /* c0 */
    M,  M,  M,  M,  M,  M,  M,  M,    M,  M,  M,  M,  M,  M,  M,  M,  /* d0 */
    M,  M,  M,  M,  M,  M,  M,  M,    M,  M,  M,  M,  M,  M,  M,  M,  /* e0 */
    M,  M,  M,  M,  M,  M,  M,  M,    M,  M,  M,  M,  M,  M,  M,  0,  /* f0 */
};
/* clang-format on */

struct reader {
    const unsigned char *at, *end;    /* `at` may pass the end; the caller of all tests that */
    bool has_operand_size, has_rex_w; /* the prefix 66; REX.W */
};

/* 0 at the end of the code. */
static unsigned peek(const struct reader *reader)
{
    return reader->at < reader->end ? *reader->at : 0;
}

static unsigned next(struct reader *reader)
{
    unsigned byte = peek(reader);
    reader->at++;
    return byte;
}

static bool is_legacy_prefix(unsigned byte)
{
    return byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 ||
           byte == 0x64 || byte == 0x65 || (byte & ~0x18U) == 0x26;
}

static void skip_prefixes(struct reader *reader)
{
    for (; is_legacy_prefix(peek(reader)); reader->at++)
        reader->has_operand_size |= *reader->at == 0x66;
    if (peek(reader) >> 4 == 4)
        reader->has_rex_w = next(reader) & 8;
}

/* What follows an opcode of map 1 (0f), 2 (0f 38), 3 (0f 3a), or 5 and 6, which EVEX alone has.
 * Others are refused: 4 (APX) and 7. */
static unsigned follows(unsigned map, unsigned opcode)
{
    switch (map) {
    case 1:
        return two_bytes[opcode];
    case 3:
        return MI;
    case 2:
    case 5:
    case 6:
        return M;
    default:
        return 0;
    }
}

/* After the prefixes of VEX and EVEX, whose payload begins with the number of the map. */
static unsigned read_vector_opcode(struct reader *reader, unsigned prefix)
{
    unsigned payload = next(reader), map = 1, opcode;
    if (prefix != 0xc5) {
        map = payload & (prefix == 0xc4 ? 0x1f : 7);
        reader->at += prefix == 0xc4 ? 1 : 2;
    }
    opcode = next(reader);
    return follows(map, opcode) & ~(unsigned)L; /* 80 to 8f are no jumps here */
}

/* Reads the opcode; returns what follows it. *opcode: with 0x100 after 0f, 0x200 of other maps. */
static unsigned read_opcode(struct reader *reader, unsigned *opcode)
{
    *opcode = next(reader);
    if (*opcode == 0xc4 || *opcode == 0xc5 || *opcode == 0x62) {
        unsigned after = read_vector_opcode(reader, *opcode);
        *opcode = 0x200;
        return after;
    }
    if (*opcode != 0x0f)
        return one_byte[*opcode];
    unsigned second = next(reader);
    *opcode = 0x100 | second;
    if (second != 0x38 && second != 0x3a)
        return two_bytes[second];
    next(reader);
    *opcode = 0x200;
    return second == 0x38 ? M : MI;
}

/* The ModRM byte, the SIB byte and the displacement. */
static void skip_operand(struct reader *reader)
{
    unsigned modrm = next(reader), mode = modrm >> 6, base = modrm & 7;
    if (mode == 3)
        return;
    if (base == 4)
        base = next(reader) & 7;
    if (mode == 2 || (mode == 0 && base == 5))
        reader->at += 4;
    reader->at += mode == 1;
}

/* Some opcodes are several instructions, which the ModRM byte distinguishes. */
static unsigned by_modrm(unsigned opcode, unsigned modrm, unsigned after)
{
    unsigned operation = modrm >> 3 & 7;
    switch (opcode) {
    case 0xf6:
        return operation < 2 ? MI : M;
    case 0xf7:
        return operation < 2 ? MZ : M;
    case 0xfe:
        return operation < 2 ? M : 0;
    case 0xff:
        return operation < 2 || operation == 6 ? M : 0; /* else a call or a jump */
    case 0xc6:
    case 0xc7:
        return operation == 0 ? after : 0; /* else it may be XBEGIN */
    default:
        return after;
    }
}

static unsigned immediate_bytes(const struct reader *reader, unsigned after)
{
    unsigned bytes = after & (I | J) ? 1 : 0;
    if (after & L)
        bytes += 4;
    if (after & V && reader->has_rex_w)
        return 8;
    if (after & (Z | V))
        bytes += reader->has_operand_size && !reader->has_rex_w ? 2 : 4;
    return bytes;
}

static enum ep_instruction_kind kind_of(unsigned opcode, unsigned after)
{
    if (after & (J | L))
        return opcode == 0xe9 || opcode == 0xeb ? EP_INSTRUCTION_JUMP : EP_INSTRUCTION_BRANCH;
    if (opcode == 0x10b || opcode == 0x1b9) /* ud2, ud1 */
        return EP_INSTRUCTION_TRAP;
    return opcode == 0xc3 ? EP_INSTRUCTION_RETURN : EP_INSTRUCTION_PLAIN;
}

struct ep_instruction ep_instruction_read(const unsigned char *at, const unsigned char *end)
{
    enum { LONGEST = 15 };
    const struct ep_instruction unknown = {.kind = EP_INSTRUCTION_UNKNOWN};
    struct reader reader = {.at = at, .end = end};
    unsigned opcode;
    skip_prefixes(&reader);
    unsigned after = read_opcode(&reader, &opcode);
    after = by_modrm(opcode, peek(&reader), after);
    bool is_distance = after & (J | L);
    if (!after || (is_distance && reader.has_operand_size)) /* Intel and AMD differ in these */
        return unknown;
    if (after & M)
        skip_operand(&reader);
    reader.at += immediate_bytes(&reader, after);
    if (reader.at > end || reader.at - at > LONGEST)
        return unknown;
    struct ep_instruction instruction = {.kind = kind_of(opcode, after),
                                         .bytes = (unsigned)(reader.at - at)};
    int32_t distance = (int32_t)(reader.at[-1] ^ 0x80U) - 0x80; /* the byte has a sign */
    if (after & L)
        memcpy(&distance, reader.at - sizeof distance, sizeof distance);
    if (is_distance)
        instruction.target = (uintptr_t)reader.at + (uintptr_t)(intptr_t)distance;
    return instruction;
}

#endif
