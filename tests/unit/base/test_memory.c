#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sanitizer.h"
#include "support/random.h"
#include "support/test.h"

TEST(text_is_copied_with_a_nul_after_it)
{
    struct ep_arena arena = {NULL};
    char text[] = "abcdef";
    char *copy = ep_memory_text(&arena, text, 3);
    memset(text, 'x', sizeof text - 1);
    assert_string_equal(copy, "abc");
    assert_string_equal(ep_memory_text(&arena, text, 0), "");
    assert_string_equal(copy, "abc");
    ep_memory_free(&arena);
}

TEST(text_may_hold_any_byte)
{
    struct ep_arena arena = {NULL};
    char *copy = ep_memory_text(&arena, "a\0\xff", 3);
    assert_memory_equal(copy, "a\0\xff", 4);
    ep_memory_free(&arena);
}

/* Pieces of all sizes; some of them are larger than any chunk. */
TEST(pieces_do_not_overlap)
{
    enum { PIECES = 2000 };
    static struct {
        char *start;
        size_t bytes;
    } pieces[PIECES];
    struct ep_arena arena = {NULL};
    for (size_t i = 0; i < PIECES; i++) {
        pieces[i].bytes = i % 100 == 99 ? 100000 + random_next() % 100000 : random_next() % 500;
        pieces[i].start = ep_memory_take(&arena, pieces[i].bytes);
        assert_non_null(pieces[i].start);
        memset(pieces[i].start, (int)(i % 251), pieces[i].bytes);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t at = 0; at < pieces[i].bytes; at++)
            if ((unsigned char)pieces[i].start[at] != i % 251)
                fail_msg("byte %zu of piece %zu is that of another", at, i);
    ep_memory_free(&arena);
}

TEST(free_empties_and_may_come_twice)
{
    struct ep_arena arena = {NULL};
    ep_memory_free(&arena);
    assert_non_null(ep_memory_take(&arena, 10));
    ep_memory_free(&arena);
    assert_null(arena.chunks);
    ep_memory_free(&arena);
    assert_string_equal(ep_memory_text(&arena, "again", 5), "again");
    ep_memory_free(&arena);
}

#if !IS_WATCHED /* these tools end the program here, or report it */
/* Sizes above the available memory, and a size whose sum with the header overflows. */
TEST(piece_that_cannot_be_had_is_null_and_enomem)
{
    static const size_t too_much[] = {SIZE_MAX / 2, SIZE_MAX - 20, SIZE_MAX - 8, SIZE_MAX - 1};
    struct ep_arena arena = {NULL};
    char *kept = ep_memory_text(&arena, "kept", 4);
    for (size_t i = 0; i < sizeof too_much / sizeof *too_much; i++) {
        errno = 0;
        if (ep_memory_take(&arena, too_much[i]))
            fail_msg("%zu bytes were given", too_much[i]);
        assert_int_equal(errno, ENOMEM);
    }
    assert_string_equal(kept, "kept");
    ep_memory_free(&arena);
}
#endif
