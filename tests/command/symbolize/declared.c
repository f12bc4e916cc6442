/*
 * declared.c - functions that headers declare and this file defines. gcc reports the place of the
 * declaration for functions of a system header. Name and body are on the line that ends with a
 * comment with the name of the function.
 */
/* clang-format off */
#include <given.h> /* by -isystem */
#include <stdlib.h>

#include "own.h"

#ifndef SPLIT
int given(int x) { return x * 3; } /* given */
#else
volatile int sink;
__attribute__((noinline)) int given(int x) { /* given, in two parts */
    if (__builtin_expect(x == 12345, 0)) {
        sink = x;
        abort();
    }
    return x * 7 + sink;
}
#endif

int atoi(const char *digits) { return *digits - '0'; } /* atoi */

int own(int x) { return from_header(x) + given_inline(x) + 1; } /* own */

#line 700 "grammar.y"
int of_grammar(int x) { return x * 7; }
#line 32 "declared.c"

int with_body(int x)
#include "body.h"

int (*volatile kept)(int) = from_header;
int (*volatile kept_given)(int) = given_inline;

int main(int argc, char **argv)
{
    return given(argc) + atoi(argv[0]) + own(argc) + of_grammar(argc) + with_body(argc);
}
