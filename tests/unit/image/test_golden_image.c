/*
 * image-1.eprof has the first version of the format, and is never changed: a profile that a user
 * has kept must stay readable. tests/golden/record_image.c recorded it, and describes how.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "image/read.h"
#include "support/made_snapshot.h"

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
    assert_string_equal(reported_image(&image, format), golden(file));
}

TEST(first_version_is_read_as_table)
{
    assert_report("table", "image-1.txt");
}

TEST(first_version_is_read_as_tree)
{
    assert_report("tree", "image-1.tree");
}

TEST(first_version_is_read_as_csv)
{
    assert_report("csv", "image-1.csv");
}

TEST(first_version_is_read_by_threads)
{
    assert_report("csv:threads", "image-1-threads.csv");
}

TEST(first_version_is_read_as_json)
{
    assert_report("json", "image-1.json");
}

TEST(first_version_identifies_its_writer)
{
    const struct ep_identity_cell *identity = &image.cells[EP_CELL_IDENTITY].identity;
    assert_int_equal(identity->version, 1);
    assert_int_equal(identity->state, EP_STATE_SAVED);
    assert_int_equal(identity->not_closed, 0);
    assert_string_equal(ep_image_string(&image, identity->command), "./record_image image-1.eprof");
}

/* ---- images that the library writes now ---- */

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

TEST_BETWEEN(same_program_is_recorded_the_same_now, begin_recorded, end_test)
{
    assert_report("csv", "image-1.csv");
    assert_report("csv:threads", "image-1-threads.csv");
}

TEST_EACH(begin_test, end_test)
