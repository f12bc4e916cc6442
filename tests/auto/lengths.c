/*
 * lengths.c - compares src/auto/instruction.c with a disassembler
 *
 * Reads "objdump -dw --insn-width=16" from the standard input. Each instruction must have the same
 * length and the same target, or be unknown. Each call and each indirect jump must be unknown.
 * Prints the differences. The last line has the number of instructions that are known, and of those
 * that are unknown, but neither a call nor an indirect jump.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instruction.h"

enum { LONGEST = 16 };

struct line {
    unsigned long address;
    unsigned char bytes[LONGEST];
    unsigned length;
    const char *text;
};

/* ADDRESS: TAB BYTES TAB TEXT. false: this is another line, or no instruction. */
static bool read_line(char *text, struct line *line)
{
    char *bytes = strchr(text, '\t'), *rest = bytes ? strchr(bytes + 1, '\t') : NULL, *end;
    if (!rest || strstr(rest, "(bad)"))
        return false;
    line->address = strtoul(text, NULL, 16);
    line->length = 0;
    for (char *at = bytes; line->length < LONGEST; at = end) {
        unsigned long byte = strtoul(at, &end, 16);
        if (end == at || end > rest)
            break;
        line->bytes[line->length++] = (unsigned char)byte;
    }
    line->text = rest + 1;
    return true;
}

static bool leaves(const char *text)
{
    const char *jump = strstr(text, "jmp ");
    return strstr(text, "call ") || (jump && jump[3 + strspn(jump + 3, " ")] == '*');
}

/* Of a jump with an address; 0: this is something else. */
static unsigned long target_of(const char *text)
{
    const char *word = text;
    if (strncmp(word, "bnd ", 4) == 0)
        word += 4;
    if (*word != 'j' && strncmp(word, "loop", 4) != 0)
        return 0;
    return strtoul(word + strcspn(word, " "), NULL, 16);
}

static bool is_same(const struct line *line, struct ep_instruction instruction)
{
    unsigned long target = 0;
    if (instruction.target)
        target = instruction.target - (uintptr_t)line->bytes + line->address;
    return instruction.bytes == line->length && !leaves(line->text) &&
           target == target_of(line->text);
}

int main(void)
{
    char *text = NULL;
    size_t room = 0, known = 0, others = 0, differences = 0;
    struct line line;
    while (getline(&text, &room, stdin) > 0) {
        if (!read_line(text, &line))
            continue;
        struct ep_instruction instruction =
            ep_instruction_read(line.bytes, line.bytes + line.length);
        if (instruction.kind == EP_INSTRUCTION_UNKNOWN) {
            others += !leaves(line.text);
            continue;
        }
        known++;
        if (!is_same(&line, instruction)) {
            differences++;
            printf("%u bytes, kind %d, target +%ld: %s", instruction.bytes, instruction.kind,
                   (long)(instruction.target - (uintptr_t)line.bytes), text);
        }
    }
    free(text);
    printf("%zu %zu\n", known, others);
    return differences || ferror(stdin);
}
