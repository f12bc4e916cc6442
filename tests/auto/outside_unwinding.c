/* outside_unwinding.c - has one function with an entry, as gcc before version 11 writes it: the
 * unwind information of the function begins after its nops, so libeprof-auto finds no function
 * there */

void outside(void);

__asm__(".text\n"
        ".globl outside\n"
        ".type outside, @function\n"
        "outside:\n"
        "1: nop; nop; nop; nop; nop\n"
        ".cfi_startproc\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size outside, . - outside\n"
        ".section __patchable_function_entries, \"aw\", @progbits\n"
        ".balign 8\n"
        ".quad 1b\n"
        ".text\n");

__attribute__((patchable_function_entry(0))) int main(void)
{
    outside();
    return 0;
}
