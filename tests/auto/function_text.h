/*
 * function_text.h - the call tree as text, a line for each row of a function or a scope
 *
 *     a 2              path, calls
 *     a;b 1 open 1     and the open calls, if there are any
 *
 * In the order of the bytes, so that a test states a whole tree at once, and a failure shows all of
 * it beside what was expected.
 */
#ifndef FUNCTION_TEXT_H
#define FUNCTION_TEXT_H

#include "test.h"

#include <stdbool.h>
#include <stdint.h>

#include <eprof.h>

enum { FUNCTION_TEXT_ROWS = 128, FUNCTION_TEXT_PATH_BYTES = 256 };

/* The parts of a text. */
struct function_text {
    size_t count;
    struct function_line {
        char path[FUNCTION_TEXT_PATH_BYTES];
        uint64_t calls, open;
    } line[FUNCTION_TEXT_ROWS];
    char whole[FUNCTION_TEXT_ROWS * (FUNCTION_TEXT_PATH_BYTES + 48)];
};

/* A budget counts open calls too; these tests state the ended ones. */
extern bool function_text_counts_open;

/* The tree of all threads at this moment; the text is valid until the next call. */
const char *function_text(void);

/* The lines of such a text, added up for each name over all paths. */
const char *function_text_by_name(struct function_text *names, const char *tree);

/* The sum over the rows of this name, on all paths. */
uint64_t function_calls(const char *name);
uint64_t function_open(const char *name);

/* assert_tree("a 2\n" "a;b 1\n"), or "" */
#define assert_tree(text) assert_string_equal(function_text(), text)

/*
 * These flags say which part of a tree is lost when a function was left without its hook. Calls are
 * right all the same; paths are right again when the function around it has ended.
 *
 * "no-frames": the subjects were built without frame pointers, or with frame pointers that do not
 * show where a frame ends. Then the library does not know the place of a function on the stack, but
 * only that of its hook, or the lower end of the frame: it may take the next function that is
 * called from there for a callee of the function that was left.
 *
 * "no-unwinding": the compiler calls no hook when an exception passes. A function that is then
 * called by a function without hooks is as deep on the stack as if the function that was left had
 * called it.
 */
extern bool function_text_has_no_frames, function_text_has_no_unwinding;
/* Entries are patched: functions that are inlined have none, and nothing tells the end of an
 * untimed call. */
extern bool function_text_has_entries;

#define assert_calls_or_tree(has_no_tree, text)                                                    \
    do {                                                                                           \
        static struct function_text are, shall;                                                    \
        if (!(has_no_tree))                                                                        \
            assert_tree(text);                                                                     \
        assert_string_equal(function_text_by_name(&are, function_text()),                          \
                            function_text_by_name(&shall, text));                                  \
    } while (0)

/* Compares only the calls: the next function may have its arguments on the stack, and so a frame
 * below that of the function that was left. */
#define assert_calls(text) assert_calls_or_tree(true, text)

/* assert_tree() for functions that were left by a jump; or by an exception, while functions without
 * hooks call others. */
#define assert_tree_of_jumps(text) assert_calls_or_tree(function_text_has_no_frames, text)
#define assert_tree_of_destructors(text)                                                           \
    assert_calls_or_tree(function_text_has_no_frames || function_text_has_no_unwinding, text)

#endif /* FUNCTION_TEXT_H */
