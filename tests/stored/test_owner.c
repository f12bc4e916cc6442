/*
 * Image files and other users: tests that only root can run
 */
#include "program.h"
#include "rerun.h"
#include "scratch.h"
#include "stored.h"

#include <sys/auxv.h>
#include <sys/statvfs.h>

enum { NOT_RUN = 77, NOBODY = 65534 };

static struct rerun run;

TEST(image_of_another_user_is_left_alone)
{
    RERUN(&run, "image=profile", "scope");
    assert_return_code(chown("profile", NOBODY, NOBODY), errno);
    RERUN(&run, "image=profile", "record", "scope");
    assert_non_null(strstr(run.err, "eprof: \"image=profile\" in EPROF or eprof_setup(): "));
    assert_non_null(strstr(run.err, "\neProf Tree: "));
    assert_stored("profile", "scope s 1/1 10\n");
    assert_int_equal(scratch_files(), 1);
}

#if COPIES_CAN_BE_STARTED
static void copy_of_this_program(const char *path)
{
    char bytes[65536];
    int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    assert_return_code(from, errno);
    assert_return_code(to, errno);
    for (ssize_t got; (got = read(from, bytes, sizeof bytes)) > 0;)
        assert_int_equal(write(to, bytes, (size_t)got), got);
    close(from);
    close(to);
}

static void start(void *path)
{
    char *arguments[] = {path, (char[]){"identity"}, NULL};
    execv(path, arguments);
    _exit(127);
}

/* Root starts the program, which runs as another user. In this folder each user may make files. */
TEST(program_that_runs_with_other_rights_ignores_the_environment)
{
    struct program program;
    assert_return_code(chmod(".", 0777), errno);
    copy_of_this_program("program");
    program_run(&program, "image=profile", start, (char[]){"./program"});
    assert_string_equal(program.err, "plain\n");
    assert_stored("profile", "instance a 1/1 10\ndiagnostic not_closed 1\n");
    assert_int_equal(remove("profile"), 0);

    assert_return_code(chown("program", NOBODY, NOBODY), errno);
    assert_return_code(chmod("program", 04755), errno);
    program_run(&program, "image=profile", start, (char[]){"./program"});
    assert_string_equal(program.err, "secure\n");
    assert_int_equal(program.status, 0);
    assert_int_equal(scratch_files(), 1);
}
#endif

/* The program prints whether it has other rights, after it has recorded. It ends without exit(): a
 * leak sanitizer would fail there, since it may not examine a process with two users. */
static void say_identity(void)
{
    rerun_record(NULL);
    fprintf(stderr, getauxval(AT_SECURE) ? "secure\n" : "plain\n");
    _exit(0);
}

int main(int count, char **arguments)
{
    struct statvfs folder;
    if (count > 1 && strcmp(arguments[1], "identity") == 0)
        say_identity();
    if (count > 1)
        return rerun_main(arguments + 1);
    if (geteuid() != 0 || statvfs(P_tmpdir, &folder) != 0 || folder.f_flag & ST_NOSUID) {
        printf("needs root, and a folder for files where programs may change their user\n");
        return NOT_RUN;
    }
    return tests_run("image owner", scratch_enter, scratch_leave);
}
