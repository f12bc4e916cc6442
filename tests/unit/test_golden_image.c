/*
 * image-1.eprof is of the first version of the format, and stays: whoever kept a profile can
 * read it. tests/golden/record_image.c recorded it, and how.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "image_read.h"
#include "made_snapshot.h"

static struct ep_image image;

static int read_image(const char *path)
{
    struct ep_image_file_state file;
    const char *why = NULL;
    int result = ep_image_read(path, &image, &file, &why);
    if (result != 0)
        print_error("%s: %s\n", path, why);
    return result;
}

static int begin_test(void **state)
{
    (void)state;
    return read_image(EPROF_GOLDEN_DIR "/image-1.eprof");
}

static int end_test(void **state)
{
    (void)state;
    ep_image_destroy(&image);
    return 0;
}

static void assert_report(const char *format, const char *file)
{
    struct ep_snapshot_options options;
    const struct ep_report *report = ep_report_find(format, strlen(format), &options);
    assert_non_null(report);
    struct eprof_snapshot *snapshot = ep_snapshot_take_stored(&image, options);
    assert_non_null(snapshot);
    char *text = reported(snapshot, format), *expected = golden(file);
    assert_string_equal(text, expected);
    free(expected);
    free(text);
    ep_snapshot_free(snapshot);
}

static void first_version_is_read_as_table(void **state)
{
    (void)state;
    assert_report("table", "image-1.txt");
}

static void first_version_is_read_as_tree(void **state)
{
    (void)state;
    assert_report("tree", "image-1.tree");
}

static void first_version_is_read_as_csv(void **state)
{
    (void)state;
    assert_report("csv", "image-1.csv");
}

static void first_version_is_read_by_threads(void **state)
{
    (void)state;
    assert_report("csv:threads", "image-1-threads.csv");
}

static void first_version_is_read_as_json(void **state)
{
    (void)state;
    assert_report("json", "image-1.json");
}

static void first_version_says_who_wrote_it(void **state)
{
    (void)state;
    const struct ep_identity_cell *identity = &image.cells[EP_CELL_IDENTITY].identity;
    assert_int_equal(identity->version, 1);
    assert_int_equal(identity->state, EP_STATE_SAVED);
    assert_int_equal(identity->not_closed, 0);
    assert_string_equal(ep_image_string(&image, identity->command), "./record_image image-1.eprof");
}

/* ---- and what the library writes now ---- */

static void record(const char *path)
{
    int status;
    pid_t child = fork();
    assert_return_code(child, errno);
    if (child == 0) {
        execl(EPROF_RECORD_IMAGE, "record_image", path, (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static int begin_recorded(void **state)
{
    (void)state;
    char directory[] = P_tmpdir "/eprof-test-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/image.eprof", directory);
    record(path);
    int result = read_image(path);
    unlink(path);
    rmdir(directory);
    return result;
}

static void same_program_is_recorded_the_same_now(void **state)
{
    (void)state;
    assert_report("csv", "image-1.csv");
    assert_report("csv:threads", "image-1-threads.csv");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_test)
    const struct CMUnitTest tests[] = {
        TEST(first_version_is_read_as_table),
        TEST(first_version_is_read_as_tree),
        TEST(first_version_is_read_as_csv),
        TEST(first_version_is_read_by_threads),
        TEST(first_version_is_read_as_json),
        TEST(first_version_says_who_wrote_it),
        cmocka_unit_test_setup_teardown(same_program_is_recorded_the_same_now, begin_recorded,
                                        end_test),
    };
    setenv("TZ", "UTC0", 1); /* table and tree say when it was, as the clock on the wall did */
    tzset();
    return cmocka_run_group_tests_name("golden_image", tests, NULL, NULL);
}
