/*
 * An image file reaches the limit on the size of files (RLIMIT_FSIZE): the reason is reported once,
 * and recording continues in memory
 */
#include "cut_short.h"
#include "scratch.h"

#include <sys/resource.h>

static rlim_t limit_bytes;

/* The signal for this limit ends a program that does not ignore it. */
static void limit_files(void)
{
    signal(SIGXFSZ, SIG_DFL);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit_bytes, RLIM_INFINITY});
}

static void limit_and_record_many(void *seen)
{
    limit_files();
    record_many_and_look(seen);
}

TEST(limit_below_the_first_block_is_reported)
{
    static const rlim_t limits[] = {4096, 1, 0};
    const size_t count = PROC_IS_NO_FILE_OF_THE_PROCESS ? sizeof limits / sizeof limits[0] : 1;
    struct program program;
    for (size_t i = 0; i < count; i++) {
        struct seen *seen = program_share(sizeof *seen);
        limit_bytes = limits[i];
        program_run(&program, "image=profile", limit_and_record_many, seen);
        assert_int_equal(program.status, 0);
        assert_string_equal(program.err, "eprof: \"image=profile\" in EPROF or eprof_setup(): "
                                         "File too large\n");
        assert_whole_in_memory(seen);
        assert_int_equal(scratch_files(), 0);
    }
}

TEST(limit_that_the_file_grows_to_is_reported)
{
    struct seen *seen = program_share(sizeof *seen);
    struct program program;
    limit_bytes = (1 << 20) + 1;
    program_run(&program, "image=profile", limit_and_record_many, seen);
    assert_int_equal(program.status, 0);
    assert_cut_short_is_said(&program, "file size limit exceeded");
    assert_whole_in_memory(seen);
    assert_cut_short("profile", 500);
}

static void record_limit_and_record_many(void *seen)
{
    hand_clock_use();
    program_enter("before the limit");
    limit_and_record_many(seen);
}

/* The limit is below the current size of the file. */
TEST(later_limit_is_reported)
{
    struct seen *seen = program_share(sizeof *seen);
    struct program program;
    limit_bytes = 4096;
    program_run(&program, "image=profile", record_limit_and_record_many, seen);
    assert_int_equal(program.status, 0);
    assert_cut_short_is_said(&program, "file size limit exceeded");
    assert_whole_in_memory(seen);
    assert_cut_short("profile", 0);
}

TEST_EACH(scratch_enter, scratch_leave)
