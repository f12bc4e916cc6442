/*
 * EPROF=image=PATH: the place of the file, its owner and mode, and the replacement of an earlier
 * file
 */
#include "own_program.h"
#include "program.h"
#include "rerun.h"
#include "scratch.h"
#include "stored.h"

#include <sys/file.h>

static struct rerun run;

#define PAIR "instance a 1/1 10\n"
#define SCOPE "scope s 1/1 10\n"

/* ------------------------------------------------------------------ where -- */

TEST(file_named_by_the_environment_has_the_recorded_calls)
{
    RERUN(&run, "image=profile", "record", "scope", "scope");
    assert_stored("profile", PAIR "scope s 2/2 20\n");
    assert_int_equal(stored_state("profile"), EP_STATE_CLOSED);
    assert_int_equal(scratch_files(), 1);
}

TEST(file_named_by_setup_has_earlier_calls_too)
{
    RERUN(&run, NULL, "record", "scope", "setup=image=profile", "record");
    assert_string_equal(run.out, "setup 0 \n");
    assert_stored("profile", "instance a 2/2 20\n" SCOPE);
    assert_int_equal(scratch_files(), 1);
}

TEST(program_that_names_an_image_writes_nothing_at_exit)
{
    RERUN(&run, "image=profile", "scope");
    assert_string_equal(run.out, "");
    assert_string_equal(run.err, "");
    RERUN(&run, NULL, "setup=image=profile", "scope");
    assert_string_equal(run.err, "");
    RERUN(&run, "image=profile,csv", "scope");
    assert_memory_equal(run.err, "kind,name,", 10);
}

TEST(program_that_records_nothing_leaves_an_empty_profile)
{
    RERUN(&run, "image=profile", "use");
    assert_stored("profile", "");
    assert_int_equal(stored_state("profile"), EP_STATE_CLOSED);
}

TEST(program_that_never_uses_the_library_leaves_no_file)
{
    RERUN(&run, "image=profile", "say=nothing");
    assert_int_equal(scratch_files(), 0);
}

TEST(percent_p_is_the_process_id_and_percent_percent_a_percent_sign)
{
    char path[64];
    RERUN(&run, "image=%p-%%p%%-%p.eprof", "record");
    snprintf(path, sizeof path, "%ld-%%p%%-%ld.eprof", (long)run.process_id, (long)run.process_id);
    assert_stored(path, PAIR);
    assert_int_equal(scratch_files(), 1);
}

TEST(path_with_comma_blank_and_newline_is_taken_as_it_is)
{
    RERUN(&run, "image=a\\, b\n\\\\c", "record");
    assert_stored("a, b\n\\c", PAIR);
}

TEST(relative_path_is_from_the_directory_at_first_use)
{
    RERUN(&run, NULL, "use", "chdir=/", "setup=image=eprof-profile", "record");
    assert_stored("eprof-profile", PAIR);
    RERUN(&run, "image=of-the-environment", "use", "chdir=/", "record");
    assert_stored("of-the-environment", PAIR);
}

TEST(path_of_the_environment_wins_over_that_of_setup)
{
    RERUN(&run, "image=first", "record", "setup=image=second", "record");
    assert_stored("first", "instance a 2/2 20\n");
    assert_int_equal(scratch_files(), 1);
}

#if PROGRAMS_ARE_CALLED_AS_THEY_WERE_STARTED
TEST(file_names_the_program_and_its_process_id)
{
    struct stored stored;
    RERUN(&run, "image=profile", "record", "say=two words");
    stored_open(&stored, "profile");
    assert_int_equal(stored.snapshot->process_id, run.process_id);
    assert_string_equal(stored.snapshot->command, "rerun record say=two words");
    assert_string_equal(stored.snapshot->source, "hand");
    stored_close(&stored);
}
#endif

/* ------------------------------------------------------- owner and access -- */

static mode_t mode_of(const char *path)
{
    struct stat status;
    assert_return_code(lstat(path, &status), errno);
    return status.st_mode;
}

TEST(new_file_is_for_its_owner_only_with_any_umask)
{
    static const mode_t masks[] = {0, 022, 077};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        mode_t before = umask(masks[i]);
        RERUN(&run, "image=profile", "record");
        umask(before);
        assert_int_equal(mode_of("profile"), S_IFREG | 0600);
        assert_int_equal(remove("profile"), 0);
    }
}

TEST(file_that_replaces_is_for_its_owner_only_too)
{
    RERUN(&run, "image=profile", "record");
    assert_return_code(chmod("profile", 0666), errno);
    RERUN(&run, "image=profile", "record");
    assert_int_equal(mode_of("profile"), S_IFREG | 0600);
}

struct descriptors {
    int of_image;  /* descriptors of the image, */
    int inherited; /* and those of them that a program started by exec would inherit */
};

/* Counts descriptors by the target of their links in /proc/self/fd, which includes the name of a
 * renamed file. */
static void count_descriptors(void *shared)
{
    struct descriptors *seen = shared;
    char link[64], target[4096];
    hand_clock_use();
    program_enter("s");
    for (int i = 3; i < 1024; i++) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", i);
        ssize_t bytes = readlink(link, target, sizeof target - 1);
        target[bytes > 0 ? bytes : 0] = '\0';
        if (!strstr(target, "/profile"))
            continue;
        seen->of_image++;
        seen->inherited += !(fcntl(i, F_GETFD) & FD_CLOEXEC);
    }
}

TEST(programs_that_are_started_do_not_inherit_the_file)
{
    struct descriptors *seen = program_share(sizeof *seen);
    struct program program;
    program_run(&program, "image=profile", count_descriptors, seen);
    assert_int_equal(program.status, 0);
    assert_int_equal(seen->inherited, 0);
    assert_stored("profile", SCOPE);
}

static void wait_for_the_end(void *unused)
{
    (void)unused;
    hand_clock_use();
    program_enter("s");
    kill(getpid(), SIGSTOP);
}

/* Returns whether a process holds the lock of the file. */
static bool is_locked(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    assert_return_code(file, errno);
    bool locked = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(file);
    return locked;
}

TEST(file_is_locked_for_as_long_as_the_process_lives)
{
    struct program program;
    struct stored stored;
    int status;
    program_begin(&program, "image=profile", wait_for_the_end, NULL);
    assert_int_equal(waitpid(program.process_id, &status, WUNTRACED), program.process_id);
    assert_true(WIFSTOPPED(status));
    assert_true(is_locked(program_path(&program)));
    stored_open(&stored, program_path(&program));
    assert_true(stored.state.is_being_written);
    assert_int_equal(stored_identity(&stored)->not_closed, 0);
    stored_close(&stored);
    assert_return_code(kill(program.process_id, SIGCONT), errno);
    program_end(&program);
    assert_int_equal(program.status, 0);
    assert_false(is_locked("profile"));
    assert_stored("profile", SCOPE);
}

/* -------------------------------------------------------- an earlier image -- */

static ino_t inode_of(const char *path)
{
    struct stat status;
    assert_return_code(lstat(path, &status), errno);
    return status.st_ino;
}

TEST(earlier_image_is_replaced)
{
    RERUN(&run, "image=profile", "scope");
    RERUN(&run, "image=profile", "record");
    assert_stored("profile", PAIR);
    assert_string_equal(run.err, "");
    assert_int_equal(scratch_files(), 1);
}

/* A new image is not written through a reader's descriptor, or into a file that a second name
 * keeps. */
TEST(earlier_image_is_unchanged_under_its_other_names)
{
    RERUN(&run, "image=profile", "scope");
    assert_return_code(link("profile", "kept"), errno);
    ino_t earlier = inode_of("profile");
    RERUN(&run, "image=profile", "record");
    assert_int_equal(inode_of("kept"), earlier);
    assert_int_not_equal(inode_of("profile"), earlier);
    assert_stored("kept", SCOPE);
    assert_stored("profile", PAIR);
}

TEST(image_of_a_killed_program_is_replaced)
{
    struct program program;
    int status;
    program_begin(&program, "image=profile", wait_for_the_end, NULL);
    waitpid(program.process_id, &status, WUNTRACED);
    kill(program.process_id, SIGKILL);
    program_end(&program);
    assert_int_equal(program.status, -SIGKILL);
    assert_stored("profile", SCOPE "diagnostic not_closed 1\n");
    RERUN(&run, "image=profile", "record");
    assert_stored("profile", PAIR);
}

static void exec_again(void *path)
{
    char *arguments[] = {path, (char[]){"record"}, NULL};
    hand_clock_use();
    program_enter("s");
    execv(own_program(), arguments);
}

TEST(program_that_is_started_by_exec_replaces_the_file)
{
    struct program program;
    program_run(&program, "image=profile.%p", exec_again, (char[]){"rerun"});
    assert_int_equal(program.status, 0);
    assert_string_equal(program.err, "");
    assert_stored("profile", PAIR);
    assert_int_equal(stored_state("profile"), EP_STATE_CLOSED);
    assert_int_equal(scratch_files(), 1);
}

/* ------------------------------------------------------- other descriptors -- */

#if RENAMED_FILES_MAY_GROW
enum { MANY = 64 };

/* As in a server that starts: its own files may get any descriptor number. */
static void close_all(void *unused)
{
    char name[16], label[16];
    (void)unused;
    hand_clock_use();
    program_enter("s");
    for (int i = 3; i < 1024; i++)
        close(i);
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "own %d", i);
        int file = open(name, O_RDWR | O_CREAT, 0600);
        if (file < 0 || write(file, name, strlen(name)) != (ssize_t)strlen(name))
            _exit(1);
    }
    for (int i = 0; i < 4000; i++) { /* several MiB, so that it must grow */
        snprintf(label, sizeof label, "new %d", i);
        program_enter(label);
    }
    program_enter("s");
}

TEST(files_of_a_program_that_closes_all_descriptors_are_left_alone)
{
    struct program program;
    struct stored stored;
    char name[16];
    program_run(&program, "image=profile", close_all, NULL);
    assert_int_equal(program.status, 0);
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "own %d", i);
        assert_string_equal(scratch_read(name), name);
        assert_int_equal(mode_of(name), S_IFREG | 0600);
    }
    stored_open(&stored, "profile");
    assert_int_equal(stored_row(&stored, "scope", "s", "*").calls, 2);
    assert_int_equal(stored_row(&stored, "scope", "new 3999", "*").calls, 1);
    assert_int_equal(stored_identity(&stored)->cut_short, 0);
    stored_close(&stored);
}
#endif

int main(int count, char **arguments)
{
    if (count > 1)
        return rerun_main(arguments + 1);
    return tests_run("image file", scratch_enter, scratch_leave);
}
