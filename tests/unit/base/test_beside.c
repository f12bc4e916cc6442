#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "support/test.h"

static char folder[] = P_tmpdir "/eprof-beside-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

TEST(new_file_is_in_the_folder_of_the_other_and_closed_by_exec)
{
    struct stat status;
    char path[sizeof folder + 8], name[PATH_MAX];
    strcat(strcpy(path, folder), "/other");
    int descriptor = ep_file_create_beside(path, 0600, name);
    assert_return_code(descriptor, errno);
    assert_memory_equal(name, folder, sizeof folder - 1);
    assert_return_code(fstat(descriptor, &status), errno);
    assert_int_equal(status.st_mode, S_IFREG | 0600);
    assert_int_equal(fcntl(descriptor, F_GETFD), FD_CLOEXEC);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(unlink(name), 0);
    close(descriptor);
}

TEST(several_files_have_several_names)
{
    static char names[3][PATH_MAX];
    int descriptors[3];
    for (int i = 0; i < 3; i++)
        descriptors[i] = ep_file_create_beside("other", 0600, names[i]);
    assert_string_not_equal(names[0], names[1]);
    assert_string_not_equal(names[1], names[2]);
    for (int i = 0; i < 3; i++) {
        assert_return_code(descriptors[i], errno);
        assert_int_equal(unlink(names[i]), 0);
        close(descriptors[i]);
    }
}

TEST(file_is_never_stdin_stdout_or_stderr)
{
    for (int standard = 0; standard <= 2; standard++) {
        char name[PATH_MAX];
        int saved = dup(standard);
        close(standard);
        int descriptor = ep_file_create_beside("other", 0600, name);
        int taken = fcntl(standard, F_GETFD);
        dup2(saved, standard);
        close(saved);
        assert_in_range(descriptor, 3, 1000);
        assert_int_equal(fcntl(descriptor, F_GETFD), FD_CLOEXEC);
        assert_int_equal(taken, -1);
        assert_int_equal(unlink(name), 0);
        close(descriptor);
    }
}

static int files_here(void)
{
    int count = 0;
    DIR *here = opendir(".");
    assert_non_null(here);
    while (readdir(here))
        count++;
    closedir(here);
    return count;
}

/* Called in a child, since it changes limits: the number of stdin is free, and numbers above that
 * of stderr are not available. */
static int create_below_stderr(void)
{
    char name[PATH_MAX];
    struct rlimit standard_ones;
    close(STDIN_FILENO);
    getrlimit(RLIMIT_NOFILE, &standard_ones);
    standard_ones.rlim_cur = 3;
    if (setrlimit(RLIMIT_NOFILE, &standard_ones) != 0)
        return 1;
    int descriptor = ep_file_create_beside("other", 0600, name);
    return descriptor == -1 && !*name && fcntl(STDIN_FILENO, F_GETFD) == -1 ? 0 : 2;
}

TEST(file_without_a_descriptor_above_stderr_is_taken_back)
{
    int status = -1;
    int before = files_here();
    pid_t child = fork();
    assert_return_code(child, errno);
    if (child == 0)
        _exit(create_below_stderr());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(files_here(), before);
}

TEST(folder_that_is_not_there_is_an_error)
{
    char name[PATH_MAX];
    errno = 0;
    assert_int_equal(ep_file_create_beside("nowhere/other", 0600, name), -1);
    assert_int_equal(errno, ENOENT);
    assert_string_equal(name, "");
}

TEST(folder_whose_name_leaves_no_room_is_an_error)
{
    char path[PATH_MAX], name[PATH_MAX];
    memset(path, 'a', sizeof path);
    strcpy(&path[sizeof path - 4], "/bc");
    errno = 0;
    assert_int_equal(ep_file_create_beside(path, 0600, name), -1);
    assert_int_equal(errno, ENAMETOOLONG);
    assert_string_equal(name, "");
}

TEST_ALL(make_folder, remove_folder)
