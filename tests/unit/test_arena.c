#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../sanitizer.h"
#include "arena.h"
#include "random.h"

static void text_is_copied_with_a_nul_behind_it(void **state)
{
    struct ep_arena arena = {NULL};
    char text[] = "abcdef";
    (void)state;
    char *copy = ep_arena_text(&arena, text, 3);
    memset(text, 'x', sizeof text - 1);
    assert_string_equal(copy, "abc");
    assert_string_equal(ep_arena_text(&arena, text, 0), "");
    assert_string_equal(copy, "abc");
    ep_arena_free(&arena);
}

static void text_may_hold_any_byte(void **state)
{
    struct ep_arena arena = {NULL};
    (void)state;
    char *copy = ep_arena_text(&arena, "a\0\xff", 3);
    assert_memory_equal(copy, "a\0\xff", 4);
    ep_arena_free(&arena);
}

/* Pieces of all sizes, those larger than any chunk among them. */
static void pieces_do_not_overlap(void **state)
{
    enum { PIECES = 2000 };
    static struct {
        char *start;
        size_t bytes;
    } pieces[PIECES];
    struct ep_arena arena = {NULL};
    (void)state;
    for (size_t i = 0; i < PIECES; i++) {
        pieces[i].bytes = i % 100 == 99 ? 100000 + random_next() % 100000 : random_next() % 500;
        pieces[i].start = ep_arena_take(&arena, pieces[i].bytes);
        assert_non_null(pieces[i].start);
        memset(pieces[i].start, (int)(i % 251), pieces[i].bytes);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t at = 0; at < pieces[i].bytes; at++)
            if ((unsigned char)pieces[i].start[at] != i % 251)
                fail_msg("byte %zu of piece %zu is that of another", at, i);
    ep_arena_free(&arena);
}

static void free_empties_and_may_come_twice(void **state)
{
    struct ep_arena arena = {NULL};
    (void)state;
    ep_arena_free(&arena);
    assert_non_null(ep_arena_take(&arena, 10));
    ep_arena_free(&arena);
    assert_null(arena.chunks);
    ep_arena_free(&arena);
    assert_string_equal(ep_arena_text(&arena, "again", 5), "again");
    ep_arena_free(&arena);
}

#if !IS_WATCHED /* which end the program there, or say so */
/* More than there is, and a size at which the sum with what goes before it wraps. */
static void piece_that_cannot_be_had_is_null_and_enomem(void **state)
{
    static const size_t too_much[] = {SIZE_MAX / 2, SIZE_MAX - 20, SIZE_MAX - 8, SIZE_MAX - 1};
    struct ep_arena arena = {NULL};
    (void)state;
    char *kept = ep_arena_text(&arena, "kept", 4);
    for (size_t i = 0; i < sizeof too_much / sizeof *too_much; i++) {
        errno = 0;
        if (ep_arena_take(&arena, too_much[i]))
            fail_msg("%zu bytes were given", too_much[i]);
        assert_int_equal(errno, ENOMEM);
    }
    assert_string_equal(kept, "kept");
    ep_arena_free(&arena);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_copied_with_a_nul_behind_it),
        cmocka_unit_test(text_may_hold_any_byte),
        cmocka_unit_test(pieces_do_not_overlap),
        cmocka_unit_test(free_empties_and_may_come_twice),
#if !IS_WATCHED
        cmocka_unit_test(piece_that_cannot_be_had_is_null_and_enomem),
#endif
    };
    random_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
