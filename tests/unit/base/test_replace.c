#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "support/scratch.h"

enum { NOT_AN_ERRNO = 12345 };

static int begin(void **state)
{
    umask(022);
    return scratch_enter(state);
}

static void assert_holds(const char *path, const char *text)
{
    assert_string_equal(scratch_read(path), text);
}

static int mode_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 0777;
}

static int replace_with(const char *path, const char *text, int keep)
{
    struct ep_replace file;
    if (ep_file_replace_open(&file, path) != 0)
        return -1;
    fputs(text, file.stream);
    return ep_file_replace_close(&file, keep);
}

/* ------------------------------------------------------------------ files -- */

TEST(new_file_is_there_when_closed)
{
    struct ep_replace file;
    assert_int_equal(ep_file_replace_open(&file, "new"), 0);
    fputs("text", file.stream);
    assert_int_equal(access("new", F_OK), -1);
    assert_int_equal(ep_file_replace_close(&file, 1), 0);
    assert_holds("new", "text");
    assert_int_equal(scratch_files(), 1);
}

TEST(old_file_is_whole_until_the_new_one_is)
{
    scratch_write("file", "old");
    struct ep_replace file;
    assert_int_equal(ep_file_replace_open(&file, "file"), 0);
    fputs("ne", file.stream);
    fflush(file.stream);
    assert_holds("file", "old");
    fputs("w", file.stream);
    assert_int_equal(ep_file_replace_close(&file, 1), 0);
    assert_holds("file", "new");
    assert_int_equal(scratch_files(), 1);
}

TEST(file_not_kept_leaves_the_old_one)
{
    scratch_write("file", "old");
    assert_int_equal(replace_with("file", "new", 0), 0);
    assert_holds("file", "old");
    assert_int_equal(replace_with("other", "new", 0), 0);
    assert_int_equal(scratch_files(), 1);
}

TEST(path_may_have_directories)
{
    char path[256];
    snprintf(path, sizeof path, "%s/file", (const char *)*state);
    assert_int_equal(replace_with(path, "absolute", 1), 0);
    assert_holds("file", "absolute");
    assert_int_equal(replace_with("./file", "relative", 1), 0);
    assert_holds("file", "relative");
}

TEST(name_may_be_as_long_as_the_system_allows)
{
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    assert_int_equal(replace_with(name, "text", 1), 0);
    assert_holds(name, "text");
}

TEST(temporary_of_another_is_left_alone)
{
    struct ep_replace first, second;
    assert_int_equal(ep_file_replace_open(&first, "file"), 0);
    assert_int_equal(ep_file_replace_open(&second, "file"), 0);
    assert_string_not_equal(first.temporary, second.temporary);
    fputs("first", first.stream);
    fputs("second", second.stream);
    assert_int_equal(ep_file_replace_close(&second, 1), 0);
    assert_holds("file", "second");
    assert_int_equal(ep_file_replace_close(&first, 1), 0);
    assert_holds("file", "first");
    assert_int_equal(scratch_files(), 1);
}

TEST(temporary_is_not_followed_where_it_is_a_link)
{
    scratch_write("victim", "old");
    struct ep_replace file;
    assert_int_equal(ep_file_replace_open(&file, "file"), 0);
    char *next = strdup(file.temporary); /* the name that the next attempt tries first */
    assert_non_null(next);
    assert_int_equal(ep_file_replace_close(&file, 0), 0);
    assert_int_equal(symlink("victim", next), 0);
    assert_int_equal(replace_with("file", "new", 1), 0);
    assert_holds("victim", "old");
    assert_holds("file", "new");
    free(next);
}

/* ------------------------------------------------------------------ modes -- */

TEST(new_file_has_the_mode_that_the_umask_leaves)
{
    umask(027);
    assert_int_equal(replace_with("new", "text", 1), 0);
    assert_int_equal(mode_of("new"), 0640);
    umask(0);
    assert_int_equal(replace_with("newer", "text", 1), 0);
    assert_int_equal(mode_of("newer"), 0666);
}

/* A private file stays private, and a shared one stays shared, with any umask. */
TEST(new_file_has_the_mode_of_the_old_one)
{
    static const mode_t modes[] = {0600, 0664, 0755, 0644};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        scratch_write("file", "old");
        assert_int_equal(chmod("file", modes[i]), 0);
        assert_int_equal(replace_with("file", "new", 1), 0);
        assert_int_equal(mode_of("file"), modes[i]);
        assert_holds("file", "new");
    }
}

TEST(temporary_of_a_private_file_is_private)
{
    scratch_write("file", "old");
    assert_int_equal(chmod("file", 0600), 0);
    struct ep_replace file;
    assert_int_equal(ep_file_replace_open(&file, "file"), 0);
    assert_int_equal(mode_of(file.temporary), 0600);
    assert_int_equal(ep_file_replace_close(&file, 0), 0);
}

TEST(descriptor_is_closed_on_exec)
{
    struct ep_replace file;
    assert_int_equal(ep_file_replace_open(&file, "file"), 0);
    assert_int_equal(fcntl(fileno(file.stream), F_GETFD), FD_CLOEXEC);
    ep_file_replace_close(&file, 0);
    assert_int_equal(ep_file_replace_open(&file, "/dev/null"), 0);
    assert_int_equal(fcntl(fileno(file.stream), F_GETFD), FD_CLOEXEC);
    ep_file_replace_close(&file, 0);
}

/* ---- links, devices and pipes ---- */

TEST(dangling_link_stays_a_link_to_the_new_file)
{
    char target[64] = "";
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_int_equal(symlink("second", "link"), 0);
    assert_int_equal(symlink("folder/file", "second"), 0);
    assert_int_equal(replace_with("link", "new", 1), 0);
    assert_holds("folder/file", "new");
    assert_int_equal(readlink("link", target, sizeof target - 1), strlen("second"));
    assert_int_equal(unlink("folder/file"), 0);
    assert_int_equal(rmdir("folder"), 0);
}

TEST(dangling_link_stays_dangling_where_nothing_is_kept)
{
    struct stat status;
    assert_int_equal(symlink("file", "link"), 0);
    assert_int_equal(replace_with("link", "new", 0), 0);
    assert_int_equal(lstat("file", &status), -1);
    assert_int_equal(lstat("link", &status), 0);
    assert_int_equal(scratch_files(), 1);
}

TEST(dangling_link_into_no_folder_is_enoent)
{
    assert_int_equal(symlink("missing/file", "link"), 0);
    assert_int_equal(replace_with("link", "new", 1), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(scratch_files(), 1);
}

TEST(link_stays_a_link_to_the_new_file)
{
    scratch_write("file", "old");
    assert_int_equal(symlink("file", "link"), 0);
    assert_int_equal(replace_with("link", "new", 1), 0);
    assert_holds("file", "new");
    char target[16] = "";
    assert_int_equal(readlink("link", target, sizeof target - 1), 4);
    assert_string_equal(target, "file");
}

TEST(device_is_written_directly)
{
    struct ep_replace file;
    assert_int_equal(ep_file_replace_open(&file, "/dev/null"), 0);
    assert_null(file.temporary);
    fputs("text", file.stream);
    assert_int_equal(ep_file_replace_close(&file, 1), 0);
    struct stat status;
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

static void *read_fifo(void *text)
{
    int descriptor = open("fifo", O_RDONLY);
    ssize_t count = descriptor < 0 ? -1 : read(descriptor, text, 15);
    close(descriptor);
    return count < 0 ? NULL : text;
}

TEST(pipe_is_written_directly)
{
    char text[16] = "";
    void *result;
    pthread_t reader;
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_int_equal(pthread_create(&reader, NULL, read_fifo, text), 0);
    assert_int_equal(replace_with("fifo", "through", 1), 0);
    assert_int_equal(pthread_join(reader, &result), 0);
    assert_non_null(result);
    assert_string_equal(text, "through");
    assert_int_equal(scratch_files(), 1);
}

/* As /dev/stdout when the output of a program goes into a pipe. */
TEST(pipe_of_a_descriptor_is_written_directly)
{
    int ends[2];
    char path[64], text[16] = "";
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[1]);
    assert_int_equal(replace_with(path, "through", 1), 0);
    assert_int_equal(read(ends[0], text, sizeof text - 1), 7);
    assert_string_equal(text, "through");
    close(ends[0]);
    close(ends[1]);
}

/* ----------------------------------------------------------------- errors -- */

TEST(full_device_is_enospc)
{
    errno = 0;
    assert_int_equal(replace_with("/dev/full", "text", 1), -1);
    assert_int_equal(errno, ENOSPC);
}

/* A limit on the size of a file simulates a full disk that has room again when the file is closed:
 * close() reports no error, but bytes are missing. */
TEST(failed_write_leaves_the_old_file)
{
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit small = {.rlim_cur = 8192, .rlim_max = before.rlim_max};
    scratch_write("file", "old");
    struct ep_replace file;
    assert_int_equal(ep_file_replace_open(&file, "file"), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 100000; i++)
        fputs("new", file.stream);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(ep_file_replace_close(&file, 1), -1);
    assert_holds("file", "old");
    assert_int_equal(scratch_files(), 1);
}

/* The last bytes leave the stream only when it is closed. */
TEST(failed_close_sets_errno_and_leaves_the_old_file)
{
    scratch_write("file", "old");
    struct ep_replace file;
    assert_int_equal(ep_file_replace_open(&file, "file"), 0);
    fputs("new", file.stream);
    close(fileno(file.stream));
    errno = 0;
    assert_int_equal(ep_file_replace_close(&file, 1), -1);
    assert_int_equal(errno, EBADF);
    assert_holds("file", "old");
    assert_int_equal(scratch_files(), 1);
}

TEST(failed_rename_removes_the_new_file)
{
    struct ep_replace file;
    assert_int_equal(ep_file_replace_open(&file, "file"), 0);
    assert_int_equal(mkdir("file", 0700), 0);
    errno = 0;
    assert_int_equal(ep_file_replace_close(&file, 1), -1);
    assert_int_equal(errno, EISDIR);
    assert_int_equal(scratch_files(), 1);
}

static void assert_open_fails(const char *path, int error)
{
    struct ep_replace file;
    errno = 0;
    assert_int_equal(ep_file_replace_open(&file, path), -1);
    assert_int_equal(errno, error);
    assert_null(file.stream);
}

TEST(failed_open_sets_errno)
{
    scratch_write("file", "old");
    assert_open_fails("", ENOENT);
    assert_open_fails("missing/file", ENOENT);
    assert_open_fails("file/below", ENOTDIR);
    assert_open_fails(".", EISDIR);
    assert_int_equal(scratch_files(), 1);
}

/* Root may write any file, so a child with the user id of nobody tries it. */
TEST(file_that_must_not_be_written_is_not_replaced)
{
    scratch_write("file", "old");
    assert_int_equal(chmod("file", 0444), 0);
    assert_int_equal(chmod(".", 0777), 0);
    pid_t child = fork();
    assert_int_not_equal(child, -1);
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(10);
        _exit(replace_with("file", "new", 1) == -1 && errno == EACCES ? 0 : 11);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_holds("file", "old");
}

TEST(success_keeps_errno)
{
    struct ep_replace file;
    assert_int_equal(ep_file_replace_open(&file, "file"), 0);
    errno = NOT_AN_ERRNO;
    assert_int_equal(ep_file_replace_close(&file, 1), 0);
    assert_int_equal(errno, NOT_AN_ERRNO);
    /* a failed write to a file that is thrown away is not an error */
    assert_int_equal(ep_file_replace_open(&file, "file"), 0);
    fputs("text", file.stream);
    close(fileno(file.stream));
    errno = NOT_AN_ERRNO;
    assert_int_equal(ep_file_replace_close(&file, 0), 0);
    assert_int_equal(errno, NOT_AN_ERRNO);
}

TEST_EACH(begin, scratch_leave)
