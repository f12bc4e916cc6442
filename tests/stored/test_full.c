/*
 * An image file on a disk that is full, or becomes full: the reason is reported once, and recording
 * continues in memory
 */
#include "cut_short.h"
#include "disk.h"
#include "rerun.h"
#include "scratch.h"

#include <pthread.h>
#include <sys/stat.h>

enum { NOT_RUN = 77, DISK_BYTES = 2 << 20 };

static struct rerun run;

static void assert_one_line(const char *err, const char *line)
{
    const char *end = strchr(err, '\n');
    if (strncmp(err, line, strlen(line)) != 0 || !end || strstr(end, "eprof:"))
        fail_msg("not one line that begins with \"%s\": \"%s\"", line, err);
}

/* ------------------------------------------------------------ from the start -- */

/* The program runs as if no image had been named, and the tree, which it prints in that case, has
 * all calls. */
static void assert_runs_on_in_memory(const char *why)
{
    char line[128];
    RERUN(&run, "image=profile", "scope", "record", "scope");
    snprintf(line, sizeof line, "eprof: \"image=profile\" in EPROF or eprof_setup(): %s\n", why);
    assert_one_line(run.err, line);
    const char *row = strstr(run.err, "\ns ");
    if (!row || atoi(row + 3) != 2)
        fail_msg("not two calls of s in \"%s\"", run.err);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

TEST(disk_full_from_the_start_is_reported)
{
    disk_make(1 << 16);
    disk_fill();
    assert_runs_on_in_memory("No space left on device");
    assert_false(is_there("profile"));
}

/* There is room for a name and a page, but not for an image. */
TEST(nearly_full_disk_is_reported_and_no_data_remains)
{
    struct stat filler;
    disk_make(1 << 16);
    disk_fill();
    assert_return_code(stat("filler", &filler), errno);
    assert_return_code(truncate("filler", filler.st_size - 4096), errno);
    assert_runs_on_in_memory("No space left on device");
    assert_false(is_there("profile"));
    disk_fill(); /* the same as before: no data has remained */
    assert_return_code(stat("filler", &filler), errno);
    assert_int_equal(filler.st_size, 1 << 16);
}

TEST(earlier_image_stays_on_a_disk_that_is_full)
{
    disk_make(DISK_BYTES);
    RERUN(&run, "image=profile", "record");
    disk_fill();
    assert_runs_on_in_memory("No space left on device");
    assert_stored("profile", "instance a 1/1 10\n");
}

TEST(read_only_folder_is_reported)
{
    disk_make(DISK_BYTES);
    disk_make_read_only();
    assert_runs_on_in_memory("Read-only file system");
    assert_false(is_there("profile"));
}

/* ----------------------------------------------------------- a growing file -- */

TEST(file_that_cannot_grow_keeps_its_content_up_to_date)
{
    struct seen *seen = program_share(sizeof *seen);
    struct program program;
    disk_make(DISK_BYTES);
    program_run(&program, "image=profile", record_many_and_look, seen);
    assert_int_equal(program.status, 0);
    assert_cut_short_is_said(&program, "no space left on device");
    assert_whole_in_memory(seen);
    assert_cut_short("profile", 500);
    assert_int_equal(stored_state("profile"), EP_STATE_CLOSED);
}

static void record_many_and_be_killed(void *unused)
{
    (void)unused;
    record_many();
    kill(getpid(), SIGKILL);
}

TEST(file_that_could_not_grow_outlives_its_program)
{
    struct program program;
    struct stored stored;
    disk_make(DISK_BYTES);
    program_run(&program, "image=profile", record_many_and_be_killed, NULL);
    assert_int_equal(program.status, -SIGKILL);
    assert_cut_short("profile", 500);
    stored_open(&stored, "profile");
    assert_int_equal(stored_identity(&stored)->not_closed, 1);
    stored_close(&stored);
}

/* Another program fills the rest of the disk when the file exists: mapped pages must have space on
 * the disk. */
static void record_fill_and_record(void *seen)
{
    hand_clock_use();
    program_enter("first");
    disk_fill();
    record_many_and_look(seen);
}

TEST(disk_that_others_fill_raises_no_signal)
{
    struct seen *seen = program_share(sizeof *seen);
    struct program program;
    struct stored stored;
    disk_make(DISK_BYTES * 4);
    program_run(&program, "image=profile", record_fill_and_record, seen);
    assert_int_equal(program.status, 0);
    assert_cut_short_is_said(&program, "no space left on device");
    assert_whole_in_memory(seen); /* hand_clock_use() has caused a reset in between */
    stored_open(&stored, "profile");
    assert_int_equal(stored_identity(&stored)->cut_short, 1);
    assert_int_equal(stored_row(&stored, "scope", "first", "*").calls, 2);
    stored_close(&stored);
}

enum { THREADS = 4, INSTANCES = 200 };

static int instances[INSTANCES];

/* Each thread has its own name: threads that live one after another under one name would share
 * cells. */
static void *record_instances(void *name)
{
    eprof_thread_enter(name);
    for (int i = 0; i < INSTANCES; i++) {
        eprof_start(instances[i]);
        eprof_stop(instances[i]);
    }
    for (int i = 0; i < PATHS / THREADS; i++) {
        char label[32];
        snprintf(label, sizeof label, "path %d", i);
        eprof_enter(label);
        eprof_leave();
    }
    return NULL;
}

static void record_on_threads(void *seen)
{
    static char names[THREADS][2] = {"0", "1", "2", "3"};
    pthread_t threads[THREADS];
    hand_clock_use();
    for (int i = 0; i < INSTANCES; i++)
        instances[i] = eprof_alloc("i");
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, record_instances, names[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    look(seen);
}

TEST(threads_lose_nothing_when_the_file_cannot_grow)
{
    struct seen *seen = program_share(sizeof *seen);
    struct program program;
    struct stored stored;
    disk_make(DISK_BYTES);
    program_run(&program, "image=profile", record_on_threads, seen);
    assert_int_equal(program.status, 0);
    assert_cut_short_is_said(&program, "no space left on device");
    assert_int_equal(seen->instances, THREADS * INSTANCES);
    assert_int_equal(seen->calls, PATHS);
    assert_int_equal(seen->lost, 0);
    stored_open(&stored, "profile");
    assert_int_equal(stored_identity(&stored)->cut_short, 1);
    stored_close(&stored);
}

/* --------------------------------------------------------------- eprof_save() -- */

struct saves {
    int first, second, third;
    int error;
};

static void save_to_a_full_disk(void *shared)
{
    struct saves *saves = shared;
    hand_clock_use();
    program_enter("s");
    saves->first = eprof_save("saved");
    disk_fill();
    program_enter("s");
    saves->second = eprof_save("saved");
    saves->error = errno;
    remove("filler");
    saves->third = eprof_save("later");
}

TEST(save_to_a_full_disk_leaves_the_earlier_file)
{
    struct saves *saves = program_share(sizeof *saves);
    struct program program;
    disk_make(DISK_BYTES);
    program_run(&program, NULL, save_to_a_full_disk, saves);
    assert_int_equal(program.status, 0);
    assert_string_equal(program.err, "");
    assert_int_equal(saves->first, 0);
    assert_int_equal(saves->second, -1);
    assert_int_equal(saves->error, ENOSPC);
    assert_int_equal(saves->third, 0);
    assert_stored("saved", "scope s 1/1 10\n");
    assert_stored("later", "scope s 2/2 20\n");
    assert_int_equal(scratch_files(), 2);
}

int main(int count, char **arguments)
{
    if (count > 1)
        return rerun_main(arguments + 1);
    if (!disk_may_be_had()) {
        printf("needs a mount of its own: root, or user namespaces\n");
        return NOT_RUN;
    }
    return tests_run("image on a full disk", NULL, disk_leave);
}
