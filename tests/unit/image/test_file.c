#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/file.h"
#include "image/layout.h"
#include "support/test.h"

/* The real behaviour of the file system, which may differ from its report. */
static bool has_no_renameat2, has_no_link;
/* Other processes, which all the time replace the file, create one and remove it. */
static bool is_replaced_meanwhile, is_taken_meanwhile;

int renameat2(int oldfd, const char *old, int newfd, const char *new, unsigned flags)
{
    (void)flags;
    if (has_no_renameat2) {
        errno = EINVAL;
        return -1;
    }
    if (is_taken_meanwhile) {
        errno = EEXIST;
        return -1;
    }
    if (faccessat(newfd, new, F_OK, 0) == 0) {
        errno = EEXIST;
        return -1;
    }
    return renameat(oldfd, old, newfd, new);
}

int link(const char *from, const char *to)
{
    if (has_no_link) {
        errno = EPERM;
        return -1;
    }
    if (is_taken_meanwhile) {
        errno = EEXIST;
        return -1;
    }
    return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int lstat(const char *file, struct stat *buf)
{
    int result = fstatat(AT_FDCWD, file, buf, AT_SYMLINK_NOFOLLOW);
    buf->st_ino += is_replaced_meanwhile;
    return result;
}

static char folder[] = P_tmpdir "/eprof-image-file-XXXXXX";

static int enter(void **state)
{
    (void)state;
    has_no_renameat2 = has_no_link = is_replaced_meanwhile = is_taken_meanwhile = false;
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    unlink("place");
    return chdir("/") == 0 ? rmdir(folder) : -1; /* no other file was left there */
}

static void put(const char *text)
{
    FILE *file = fopen("place", "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void assert_place_is(const char *text)
{
    char bytes[64] = "";
    int file = open("place", O_RDONLY);
    assert_return_code(file, errno);
    assert_return_code(read(file, bytes, sizeof bytes - 1), errno);
    close(file);
    assert_string_equal(bytes, text);
}

static struct ep_image_file create(void)
{
    struct ep_image_file file;
    const char *why = NULL;
    if (ep_image_file_create(&file, "place", &why) != 0)
        fail_msg("not made: %s", why);
    assert_int_equal(write(file.descriptor, "new", 3), 3);
    return file;
}

static void publish(struct ep_image_file *file)
{
    const char *why = NULL;
    int descriptor = file->descriptor;
    if (ep_image_file_publish(file, &why) != 0)
        fail_msg("not published: %s", why);
    close(descriptor);
}

static void assert_not_published(struct ep_image_file *file, int error)
{
    const char *why = NULL;
    assert_int_equal(ep_image_file_publish(file, &why), -1);
    assert_int_equal(errno, error);
    assert_non_null(why);
    ep_image_file_discard(file);
}

static void each_file_system(void (*test)(void))
{
    for (int kind = 0; kind < 3; kind++) {
        has_no_renameat2 = kind > 0;
        has_no_link = kind > 1;
        test();
        unlink("place");
    }
}

static void publish_where_nothing_is(void)
{
    struct stat status;
    struct ep_image_file file = create();
    assert_int_equal(access("place", F_OK), -1);
    publish(&file);
    assert_place_is("new");
    assert_int_equal(stat("place", &status), 0);
    assert_int_equal(status.st_mode, S_IFREG | 0600);
    assert_int_equal(status.st_nlink, 1);
}

TEST(file_is_there_when_it_is_published)
{
    each_file_system(publish_where_nothing_is);
}

static void publish_where_an_image_is(void)
{
    put(EP_IMAGE_MAGIC);
    struct ep_image_file file = create();
    assert_place_is(EP_IMAGE_MAGIC);
    publish(&file);
    assert_place_is("new");
}

TEST(image_that_nobody_writes_is_replaced)
{
    each_file_system(publish_where_an_image_is);
}

static void publish_where_a_file_came(void)
{
    struct ep_image_file file = create();
    put("a letter");
    assert_not_published(&file, EEXIST);
    assert_place_is("a letter");
}

TEST(file_that_came_meanwhile_is_left_alone)
{
    each_file_system(publish_where_a_file_came);
}

static void publish_where_an_image_came(void)
{
    struct ep_image_file file = create();
    put(EP_IMAGE_MAGIC);
    publish(&file);
    assert_place_is("new");
}

TEST(image_that_came_meanwhile_is_replaced)
{
    each_file_system(publish_where_an_image_came);
}

TEST(image_that_is_being_written_meanwhile_is_left_alone)
{
    struct ep_image_file file = create();
    put(EP_IMAGE_MAGIC);
    int writer = open("place", O_RDWR);
    assert_int_equal(flock(writer, LOCK_EX), 0);
    assert_not_published(&file, EBUSY);
    assert_place_is(EP_IMAGE_MAGIC);
    close(writer);
}

/* Two files are made at the same time: the later one stays, while the earlier one is not
 * written. */
TEST(two_at_a_time_do_not_wait_for_each_other)
{
    put(EP_IMAGE_MAGIC);
    struct ep_image_file first = create(), second = create();
    assert_int_equal(pwrite(first.descriptor, EP_IMAGE_MAGIC, 8, 0), 8);
    publish(&first);
    publish(&second);
    assert_place_is("new");
}

TEST(file_is_locked_from_the_beginning)
{
    struct ep_image_file file = create();
    int reader = open(file.temporary, O_RDONLY);
    assert_int_equal(flock(reader, LOCK_SH | LOCK_NB), -1);
    assert_int_equal(errno, EWOULDBLOCK);
    close(reader);
    ep_image_file_discard(&file);
}

TEST(place_that_changes_all_the_time_is_given_up)
{
    for (int is_made_before = 0; is_made_before < 2; is_made_before++) {
        struct ep_image_file file;
        const char *why = NULL;
        put(EP_IMAGE_MAGIC);
        if (is_made_before)
            file = create();
        is_replaced_meanwhile = true;
        if (is_made_before) {
            assert_not_published(&file, EBUSY);
        } else {
            assert_int_equal(ep_image_file_create(&file, "place", &why), -1);
            assert_int_equal(errno, EBUSY);
            assert_non_null(why);
        }
        is_replaced_meanwhile = false;
        unlink("place");
    }
}

TEST(place_that_is_always_just_taken_is_given_up)
{
    for (int kind = 0; kind < 2; kind++) {
        has_no_renameat2 = kind > 0;
        struct ep_image_file file = create();
        is_taken_meanwhile = true;
        assert_not_published(&file, EBUSY);
        is_taken_meanwhile = false;
        assert_int_equal(access("place", F_OK), -1);
    }
}

TEST_EACH(enter, leave)
