/* Parts of a mapped file that becomes shorter while it is read. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "support/test.h"

enum { BYTES = 1 << 17 }; /* more than a page on every machine */

static FILE *file;
static struct ep_mapped_file mapped;

static int begin(void **state)
{
    (void)state;
    file = tmpfile();
    for (uint64_t i = 0; file && i < BYTES / sizeof i; i++)
        fwrite(&i, sizeof i, 1, file);
    return file && fflush(file) == 0 ? 0 : -1;
}

/* Called in each test: cmocka installs its own handler for each test. */
static void map(void)
{
    ep_file_map_begin(&mapped, fileno(file), BYTES);
    assert_non_null(mapped.words);
}

static int end(void **state)
{
    (void)state;
    return fclose(file);
}

TEST(words_are_read_at_their_offsets)
{
    uint64_t words[2];
    map();
    assert_true(ep_file_map_read(&mapped, 80, words, sizeof words));
    assert_int_equal(words[0], 10);
    assert_int_equal(words[1], 11);
    assert_true(ep_file_map_read(&mapped, BYTES - sizeof words, words, sizeof words));
    assert_int_equal(words[1], BYTES / 8 - 1);
    ep_file_map_end(&mapped);
}

TEST(words_beyond_the_mapping_are_not_read)
{
    uint64_t words[2];
    map();
    assert_false(ep_file_map_read(&mapped, BYTES - 8, words, sizeof words));
    assert_false(ep_file_map_read(&mapped, BYTES, words, sizeof words));
    assert_false(ep_file_map_read(&mapped, UINT64_MAX - 7, words, sizeof words));
    ep_file_map_end(&mapped);
}

TEST(file_that_became_shorter_ends_no_process)
{
    uint64_t word;
    map();
    assert_return_code(ftruncate(fileno(file), 8), errno);
    for (int i = 0; i < 3; i++)
        assert_false(ep_file_map_read(&mapped, BYTES - 8, &word, sizeof word));
    assert_true(ep_file_map_read(&mapped, 0, &word, sizeof word));
    ep_file_map_end(&mapped);
}

TEST(unmappable_file_is_not_read)
{
    struct ep_mapped_file none;
    uint64_t word;
    ep_file_map_begin(&none, -1, BYTES);
    assert_false(ep_file_map_read(&none, 0, &word, sizeof word));
    ep_file_map_end(&none);
}

/* A fault outside the mapped file ends the process as usual. */
TEST(signal_that_is_not_of_the_file_is_left_alone)
{
    int status;
    map();
    fflush(NULL);
    pid_t child = fork();
    assert_return_code(child, errno);
    if (child == 0) {
        if (ftruncate(fileno(file), 8) == 0 &&
            ((const volatile uint64_t *)mapped.words)[BYTES / 8 - 1])
            _exit(1);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) != 0); /* a sanitizer may exit instead */
    ep_file_map_end(&mapped);
}

TEST_EACH(begin, end)
