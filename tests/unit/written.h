/*
 * written.h - what is written through an output, kept in memory
 *
 * Include it after <cmocka.h>.
 */
#ifndef EP_TEST_WRITTEN_H
#define EP_TEST_WRITTEN_H

#include <stdlib.h>

#include "output.h"

struct memory {
    char *text;
    size_t bytes;
    struct ep_output out;
};

static inline void memory_open(struct memory *memory)
{
    FILE *stream = open_memstream(&memory->text, &memory->bytes);
    assert_non_null(stream);
    ep_output_open(&memory->out, stream);
}

static inline void memory_close(struct memory *memory)
{
    assert_int_equal(ep_output_close(&memory->out), 0);
    assert_int_equal(fclose(memory->out.stream), 0);
}

typedef void (*text_writer)(struct ep_output *out, const char *text);

/* What `write` makes of `text`; to be freed. */
static inline char *written(text_writer write, const char *text)
{
    struct memory memory;
    memory_open(&memory);
    write(&memory.out, text);
    memory_close(&memory);
    return memory.text;
}

static inline void assert_written(text_writer write, const char *text, const char *expected)
{
    char *result = written(write, text);
    assert_string_equal(result, expected);
    free(result);
}

#endif /* EP_TEST_WRITTEN_H */
