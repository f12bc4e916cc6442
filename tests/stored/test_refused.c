/*
 * The path of the image file names something that must not be replaced: it is not changed in any
 * byte, one line reports it, and the program continues as if no image had been named
 */
#include "program.h"
#include "rerun.h"
#include "scratch.h"
#include "stored.h"

#include <sys/socket.h>
#include <sys/un.h>

static struct rerun run;

/* stderr is one line that names the item, followed by the default tree. */
static void assert_said_and_ran_on(const char *items, const char *why)
{
    char line[8192];
    int bytes = snprintf(line, sizeof line, "eprof: \"%s\" in EPROF or eprof_setup(): ", items);
    if (strncmp(run.err, line, (size_t)bytes) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", run.err, line);
    const char *end = strchr(run.err, '\n');
    assert_non_null(end);
    const char *reason = strstr(run.err + bytes, why);
    if (!reason || reason > end)
        fail_msg("\"%s\" is not said in \"%.*s\"", why, (int)(end - run.err), run.err);
    if (strncmp(end + 1, "\neProf Tree: ", 13) != 0 || strstr(end, "eprof:"))
        fail_msg("not a tree alone is behind the line: \"%s\"", end + 1);
    const char *row = strstr(end, "\ns ");
    assert_non_null(row);
    assert_int_equal(atoi(row + 3), 1);
}

/* The type and the content of the file at `path`. */
struct look {
    struct stat status;
    char text[8192];
    ssize_t bytes;
};

static void look_at(struct look *look, const char *path)
{
    memset(look, 0, sizeof *look);
    assert_return_code(lstat(path, &look->status), errno);
    if (S_ISREG(look->status.st_mode)) {
        int file = open(path, O_RDONLY | O_NOATIME | O_CLOEXEC);
        assert_return_code(file, errno);
        look->bytes = read(file, look->text, sizeof look->text);
        close(file);
    } else if (S_ISLNK(look->status.st_mode)) {
        look->bytes = readlink(path, look->text, sizeof look->text);
    }
}

static void assert_same(const char *path, const struct look *before)
{
    struct look now;
    look_at(&now, path);
    assert_int_equal(now.status.st_ino, before->status.st_ino);
    assert_int_equal(now.status.st_mode, before->status.st_mode);
    assert_int_equal(now.status.st_uid, before->status.st_uid);
    assert_int_equal(now.status.st_nlink, before->status.st_nlink);
    assert_int_equal(now.status.st_size, before->status.st_size);
    assert_int_equal(now.status.st_mtim.tv_sec, before->status.st_mtim.tv_sec);
    assert_int_equal(now.status.st_mtim.tv_nsec, before->status.st_mtim.tv_nsec);
    assert_int_equal(now.bytes, before->bytes);
    assert_memory_equal(now.text, before->text, sizeof now.text);
}

/* Both in the environment and by eprof_setup(). */
static void assert_left_alone(const char *path, const char *why)
{
    char items[64], step[80];
    struct look before;
    size_t files = scratch_files();
    snprintf(items, sizeof items, "image=%s", path);
    snprintf(step, sizeof step, "setup=%s", items);
    look_at(&before, path);
    RERUN(&run, items, "scope");
    assert_said_and_ran_on(items, why);
    assert_same(path, &before);
    RERUN(&run, NULL, step, "scope");
    assert_string_equal(run.out, "setup -1 EINVAL\n");
    assert_said_and_ran_on(items, why);
    assert_same(path, &before);
    assert_int_equal(scratch_files(), files);
}

TEST(file_of_text_is_left_alone)
{
    scratch_write("notes", "three years of work\n");
    assert_left_alone("notes", "not an eprof image");
}

TEST(empty_file_is_left_alone)
{
    scratch_write("empty", "");
    assert_left_alone("empty", "not an eprof image");
}

/* The file begins like an image, and ends there. */
TEST(file_shorter_than_the_mark_of_an_image_is_left_alone)
{
    scratch_write("short", "eprof\r");
    assert_left_alone("short", "not an eprof image");
}

TEST(link_to_an_image_or_to_nothing_is_left_alone)
{
    struct look before;
    RERUN(&run, "image=profile", "record");
    assert_return_code(symlink("profile", "to an image"), errno);
    look_at(&before, "profile");
    assert_left_alone("to an image", "symbolic link");
    assert_same("profile", &before);
    assert_return_code(symlink("nowhere", "to nothing"), errno);
    assert_left_alone("to nothing", "symbolic link");
    assert_int_equal(access("nowhere", F_OK), -1);
}

TEST(directory_is_left_alone)
{
    assert_return_code(mkdir("folder", 0700), errno);
    assert_left_alone("folder", "not a regular file");
}

/* No process reads from it: an open() for writing would wait for ever. */
TEST(pipe_is_left_alone)
{
    assert_return_code(mkfifo("pipe", 0600), errno);
    assert_left_alone("pipe", "not a regular file");
}

TEST(socket_is_left_alone)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_return_code(bind(end, (struct sockaddr *)&address, sizeof address), errno);
    assert_left_alone("socket", "not a regular file");
    close(end);
}

TEST(device_is_left_alone)
{
    assert_left_alone("/dev/full", "not a regular file");
    assert_left_alone("/dev/null", "not a regular file");
}

static void record_and_stop(void *unused)
{
    (void)unused;
    hand_clock_use();
    program_enter("s");
    kill(getpid(), SIGSTOP);
    program_enter("s");
}

TEST(image_that_is_being_written_is_left_alone)
{
    struct program program;
    int status;
    program_begin(&program, "image=profile", record_and_stop, NULL);
    assert_int_equal(waitpid(program.process_id, &status, WUNTRACED), program.process_id);
    assert_left_alone(program_path(&program), "writ");
    assert_return_code(kill(program.process_id, SIGCONT), errno);
    program_end(&program);
    assert_int_equal(program.status, 0);
    assert_stored("profile", "scope s 2/2 20\n");
}

/* --------------------------------------- places where no file can be made -- */

static void assert_no_file(const char *items, const char *why)
{
    char step[8192];
    snprintf(step, sizeof step, "setup=%s", items);
    RERUN(&run, items, "scope");
    assert_said_and_ran_on(items, why);
    RERUN(&run, NULL, step, "scope");
    assert_said_and_ran_on(items, why);
    assert_int_equal(scratch_files(), 0);
}

TEST(path_in_a_missing_folder_is_reported)
{
    assert_no_file("image=nowhere/profile", "No such file or directory");
}

TEST(path_below_a_file_is_reported)
{
    assert_no_file("image=/proc/self/stat/profile", "Not a directory");
}

TEST(too_long_path_is_reported)
{
    char items[512] = "image=";
    memset(items + strlen(items), 'x', 300); /* NAME_MAX is 255 */
    assert_no_file(items, "File name too long");
}

TEST(item_without_a_path_is_reported)
{
    assert_no_file("image=", "");
    assert_no_file("image", "");
}

TEST(stdout_is_no_place_for_an_image)
{
    RERUN(&run, "image=/dev/stdout", "scope");
    assert_said_and_ran_on("image=/dev/stdout", "");
    assert_string_equal(run.out, "");
}

/* A second path that cannot be used does not replace the first one. */
TEST(file_that_is_there_goes_on_when_another_is_refused)
{
    scratch_write("notes", "text");
    RERUN(&run, NULL, "setup=image=profile", "scope", "setup=image=notes", "scope");
    assert_string_equal(run.out, "setup 0 \nsetup -1 EINVAL\n");
    assert_stored("profile", "scope s 2/2 20\ndiagnostic items_not_understood 1\n");
    assert_string_equal(scratch_read("notes"), "text");
}

int main(int count, char **arguments)
{
    if (count > 1)
        return rerun_main(arguments + 1);
    return tests_run("image refused", scratch_enter, scratch_leave);
}
