#include "kept.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

static struct kept {
    void *memory;
    void (*release)(void *memory);
    struct kept *before;
} * kept;

void *test_keep(void *memory, void (*release)(void *memory))
{
    struct kept *last = malloc(sizeof *last);
    assert_non_null(memory);
    assert_non_null(last);
    *last = (struct kept){memory, release, kept};
    kept = last;
    return memory;
}

void *test_room(size_t count, size_t bytes)
{
    return test_keep(calloc(count + 1, bytes), free);
}

FILE *test_text_begin(struct test_text *text)
{
    text->stream = open_memstream(&text->text, &text->bytes);
    assert_non_null(text->stream);
    return text->stream;
}

char *test_text_end(struct test_text *text)
{
    assert_int_equal(fclose(text->stream), 0);
    assert_int_equal(strlen(text->text), text->bytes);
    return test_keep(text->text, free);
}

void test_release(void)
{
    while (kept) {
        struct kept *last = kept;
        kept = last->before;
        last->release(last->memory);
        free(last);
    }
}
