/*
 * cli/symbols/symbols.h - names of functions and their locations in the source
 *
 * debug.c reads debug information, symbols.c symbol tables and demangled names, patterns.c matches
 * the names with auto= of EPROF, symbolize.c answers the requests of programs.
 *
 * Functions that return int without another word return 0, or -1 and ENOMEM.
 */
#ifndef EP_CLI_SYMBOLS_SYMBOLS_H
#define EP_CLI_SYMBOLS_SYMBOLS_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/memory.h"

/* ---- ranges of addresses ---- */

struct ep_range {
    uint64_t begin, end; /* `end` is the first address after it */
    union {
        size_t unit;   /* one that has code there */
        Dwarf_Die die; /* the entry of the function in the debug information */
        struct {
            const char *name; /* the linker's; lives as long as the module */
            unsigned rank;    /* the symbol with the highest rank at an address gives the name */
        };
    };
};

/* All zero: empty. */
struct ep_ranges {
    struct ep_range *at;
    size_t count, room;
};

int ep_debug_ranges_add(struct ep_ranges *ranges, struct ep_range range);
void ep_debug_ranges_sort(struct ep_ranges *ranges,
                          int (*compare)(const void *left, const void *right));
/* How many of the sorted ranges begin at the address or before it. */
size_t ep_debug_ranges_up_to(const struct ep_ranges *ranges, uint64_t address);
void ep_debug_ranges_free(struct ep_ranges *ranges);

/* ---- functions ---- */

/* Parts that are not known are NULL, or 0. The texts live as long as the symbols. */
struct ep_symbol {
    const char *linkage; /* the linker's name */
    const char *name;    /* the name in the source, without namespace and class */
    const char *file;
    int line;
};

/* A compilation unit, mostly one source file. A function that the compiler has split has several
 * ranges. Functions at one address are in the reverse order of the unit, since a search finds the
 * last one, and the first in the unit is wanted. */
struct ep_debug_unit {
    Dwarf_Die die;
    struct ep_ranges functions;
    bool is_read;
};

/*
 * The debug information of a file (DWARF 2 to 5). A report asks for few functions of a large
 * program. So the ranges of the units are read when the file is opened, but the functions of a unit
 * only when the first address in it is looked up.
 */
struct ep_debug_units {
    uint64_t bias; /* address in the file minus address in the debug information */
    struct ep_debug_unit *units;
    size_t count, room;
    struct ep_ranges spans; /* the code of the units */
};

/* A file without debug information has no units. */
int ep_debug_units_open(struct ep_debug_units *debug, Dwfl_Module *module);
void ep_debug_units_close(struct ep_debug_units *debug);
/* Reads the functions of a unit. */
int ep_debug_unit_read(struct ep_debug_unit *unit);
/* Returns all known data about the function that contains an address of the file. */
struct ep_symbol ep_debug_find(struct ep_debug_units *debug, uint64_t address);

/*
 * A program or library, and the debug information that was stripped from it. Addresses are those of
 * the file itself, as in its program headers, wherever the loader puts it.
 */

/* Identifies the file that was at the path when the profile was recorded. */
struct ep_symbol_source {
    const char *path;
    const char *build_id;        /* hexadecimal, at most 20 bytes; "": the file had none */
    uint64_t modified_ns;        /* 0: not known */
    const char *debug_directory; /* searched before the usual ones; NULL: none */
};

struct ep_symbols {
    Dwfl *session;
    Dwfl_Module *module; /* at address 0, so that its addresses are those of the file */
    char *debug_path;
    struct ep_debug_units debug;
    struct ep_ranges table; /* .symtab, else .dynsym; if the size is not known, end is begin */
};

/* Returns 0, or -1 and *why, the end of a line: "is not there any more". *why is valid until the
 * next call. */
int ep_symbols_open(struct ep_symbols *symbols, const struct ep_symbol_source *source,
                    const char **why);
struct ep_symbol ep_symbols_find(struct ep_symbols *symbols, uint64_t address);
void ep_symbols_close(struct ep_symbols *symbols);

/* The name for people, to be freed: with parameters if it is C++. NULL if it has none, or there is
 * no memory. */
char *ep_symbols_symbol_name(const struct ep_symbol *symbol);

/* The length of a linker's name without the suffixes that compilers add to a copy or part of a
 * function: 3 for "foo.constprop.0.cold". */
size_t ep_symbols_demangle_stem(const char *linkage);
/* The name of a C++ function with its parameters, to be freed; NULL if it is no C++ name, or there
 * is no memory. `stem` must not have such suffixes. */
char *ep_symbols_demangle(const char *stem);
/* The name of a C++ function without its return type, its parameters and what follows them, to be
 * freed; NULL without memory. */
char *ep_symbols_demangle_bare(const char *name);

/*
 * Patterns of auto= in EPROF, those of the shell (fnmatch). A function is chosen if a pattern
 * without "!" matches, or there is no such pattern; but not if a pattern with "!" matches.
 */
struct ep_function_patterns {
    char *const *patterns;
    size_t count;
};

/* Whether a function with all these names is chosen. */
bool ep_patterns_choose(const struct ep_function_patterns *patterns, char *const *names,
                        size_t count);

/* Finds the address ranges of the functions that are not chosen, in ascending order and without
 * overlaps. If a pattern has no "!", these are all ranges of code that is not chosen, with or
 * without a name. */
int ep_patterns_left_out_find(struct ep_ranges *left_out, struct ep_symbols *symbols,
                              const struct ep_function_patterns *patterns);

/*
 * A request: fields, each with a final NUL.
 *     "M" path build-id modified_ns   a module; build-id in hexadecimal or empty
 *     "A" address                     a function of it, hexadecimal, as its file has it
 *     "P" pattern                     of auto=; "!x" excludes. For all "S" that follow
 *     "S"                             which of its functions the patterns leave out
 */

struct ep_symbolize_question {
    uint64_t address; /* of "A" */
    size_t patterns;  /* of "S": the number of patterns before it; of "A" 0 */
    char kind;        /* 'A', 'S' */
};

struct ep_symbolize_request {
    FILE *stream;
    char *field; /* the last that was read: the letter of the next question */
    size_t field_room;
    bool is_cut_off;
    char **patterns; /* all that were read so far */
    size_t pattern_count, pattern_room;
    struct ep_arena texts;
    /* the module, and the questions about it */
    char *path, *build_id;
    uint64_t modified_ns;
    struct ep_symbolize_question *questions;
    size_t question_count, question_room;
};

void ep_symbolize_request_open(struct ep_symbolize_request *request, FILE *stream);
/* Reads the next module with all its questions. Returns 1, 0 at the end, or -1 if the input is no
 * request, or there is no memory. */
int ep_symbolize_request_next(struct ep_symbolize_request *request);
void ep_symbolize_request_close(struct ep_symbolize_request *request);

/*
 * An answer: fields, each with a final NUL, in the order of the questions.
 *     "M" status             "": the file was read; else what is wrong with it
 *     "A" name file line     empty and 0 if not known
 *     "S" count, and count times: first end   hexadecimal; `end` is the first address after it
 * and after the last module "E".
 */

/* The answer about a module, without its "M", if its file cannot be read: `status` says why. */
void ep_symbolize_answer_without(const struct ep_symbolize_request *request, const char *status,
                                 FILE *out);

#endif /* EP_CLI_SYMBOLS_SYMBOLS_H */
