/* The reading of image files: the content of a valid file is read, and for any other file the error
 * is one line of text. */
#include "support/fake_profile.h"

#include <sys/file.h>
#include <sys/stat.h>

#include "base/file.h"
#include "image/copy.h"
#include "wrapped.h"

static struct ep_image image;
static struct ep_image_file_state file_state;
static const char *why;

/* These replace the real functions (--wrap): the file is cut or changed while it is read. */
static bool is_changed_all_the_time;
static int ending = -1; /* the writer, which gives its lock back during the read; -1: none */

static ssize_t read_half(int file, uint64_t from, void *to, size_t bytes)
{
    bool is_all = from == 0 && bytes > EP_HEADER_CELLS * EP_CELL_BYTES;
    return __real_ep_file_read_at(file, from, to, is_all ? bytes / 2 : bytes);
}

int __real_ep_image_copy_sound(struct ep_image *copy, const struct ep_image_origin *origin,
                               uint32_t count, const char **reason);
int __wrap_ep_image_copy_sound(struct ep_image *copy, const struct ep_image_origin *origin,
                               uint32_t count, const char **reason);
int __wrap_ep_image_copy_sound(struct ep_image *copy, const struct ep_image_origin *origin,
                               uint32_t count, const char **reason)
{
    if (ending >= 0)
        flock(ending, LOCK_UN);
    if (!is_changed_all_the_time)
        return __real_ep_image_copy_sound(copy, origin, count, reason);
    errno = EAGAIN;
    return -1;
}

static int end(void **state)
{
    ep_image_destroy(&image);
    unlink(image_path);
    return fake_end(state);
}

static int read_it(void)
{
    why = NULL;
    return ep_image_read(image_path, &image, &file_state, &why);
}

static void check_read(void)
{
    if (read_it() != 0)
        fail_msg("not read: %s", why);
}

static void check_refused(const char *reason)
{
    if (read_it() == 0)
        fail_msg("read, and not refused: %s", reason);
    assert_string_equal(why, reason);
    assert_null(image.cells);
}

static struct ep_identity_cell *identity_of(struct ep_image *of)
{
    return &of->cells[EP_CELL_IDENTITY].identity;
}

/* ---- content ---- */

static void check_same_reports(struct ep_snapshot_options options)
{
    char *expected = image_report(&fake, options), *got = image_report(&image, options);
    assert_string_equal(got, expected);
}

TEST(file_read_back_gives_the_same_reports)
{
    fake_profile();
    image_write(image_bytes());
    check_read();
    check_same_reports(MERGED);
    check_same_reports(BY_THREADS);
    check_same_reports(RAW);
    assert_int_equal(memcmp(image.cells, fake.cells, image_bytes()), 0);
}

TEST(empty_image_is_read)
{
    identity_of(&fake)->state = EP_STATE_CLOSED;
    image_write(image_bytes());
    check_read();
    check_same_reports(MERGED);
}

TEST(file_longer_than_its_used_part_is_read)
{
    fake_profile();
    image_write(image_bytes());
    assert_return_code(truncate(image_path, (off_t)image_bytes() + 12345), errno);
    check_read();
    check_same_reports(MERGED);
    assert_int_equal(image.committed, ep_image_root(&fake)->cells_used);
}

/* ---- the state of the writer ---- */

TEST(running_file_that_nobody_writes_is_not_closed)
{
    fake_profile();
    identity_of(&fake)->state = EP_STATE_RUNNING;
    image_write(image_bytes());
    check_read();
    assert_false(file_state.is_being_written);
    assert_int_equal(identity_of(&image)->not_closed, 1);
}

TEST(closed_and_saved_files_keep_their_count_of_not_closed)
{
    fake_profile();
    image_write(image_bytes());
    check_read();
    assert_int_equal(identity_of(&image)->not_closed, 0);
    ep_image_destroy(&image);
    unlink(image_path);
    identity_of(&fake)->state = EP_STATE_SAVED;
    identity_of(&fake)->not_closed = 7; /* a sum of several profiles */
    image_write(image_bytes());
    check_read();
    assert_int_equal(identity_of(&image)->not_closed, 7);
}

TEST(file_that_is_locked_is_being_written)
{
    fake_profile();
    identity_of(&fake)->state = EP_STATE_RUNNING;
    image_write(image_bytes());
    int writer = open(image_path, O_RDWR);
    assert_return_code(flock(writer, LOCK_EX | LOCK_NB), errno);
    check_read();
    assert_true(file_state.is_being_written);
    assert_int_equal(identity_of(&image)->not_closed, 0);
    check_same_reports(MERGED);
    close(writer);
    ep_image_destroy(&image);
    check_read();
    assert_false(file_state.is_being_written);
}

TEST(reader_leaves_no_lock)
{
    image_write(image_bytes());
    check_read();
    int writer = open(image_path, O_RDWR);
    assert_return_code(flock(writer, LOCK_EX | LOCK_NB), errno);
    close(writer);
}

/* A kill came when three calls were about to be added. */
TEST(keep_interrupted_by_a_kill_is_counted)
{
    fake_profile();
    uint64_t calls = made.outer->stats.calls;
    identity_of(&fake)->state = EP_STATE_RUNNING;
    made.hold->generation += EP_OWNER_TAG_LEVEL;
    made.hold->stats.calls = 3;
    made.main->keeps = 1;
    fake.cells[EP_CELL_LOCK].lock.moves = 3;
    fake.cells[EP_CELL_LOCK].lock.interrupted = 5; /* a sum of several profiles */
    image_write(image_bytes());
    check_read();
    assert_int_equal(image.cells[EP_CELL_LOCK].lock.interrupted, 7);
    assert_int_equal(image.cells[fake_ref(made.main)].thread.keeps % 2, 0);
    const struct ep_node_cell *outer =
        (const struct ep_node_cell *)&image.cells[fake_ref(made.outer)];
    assert_int_equal(outer->stats.calls, calls);
}

/* ---------------------------------------------------------------- cut short -- */

TEST(file_that_could_not_grow_is_read_as_far_as_it_goes)
{
    fake_profile();
    size_t bytes = image_bytes();
    char *expected = image_report(&fake, BY_THREADS);
    made.worker_node->next = (ep_ref)(bytes / EP_CELL_BYTES);
    fake_call(fake_pair(made.worker, 1, 1), 80);
    identity_of(&fake)->cut_short = 1;
    image_write(bytes + 100); /* less than a block of the new data is there */
    check_read();
    assert_int_equal(image.committed, bytes / EP_CELL_BYTES);
    assert_int_equal(ep_image_root(&image)->cells_used, image.committed);
    identity_of(&image)->cut_short = 0;
    char *got = image_report(&image, BY_THREADS);
    assert_string_equal(got, expected);
}

TEST(cut_file_is_refused_with_its_size)
{
    fake_profile();
    size_t bytes = image_bytes();
    char expected[100];
    image_write(bytes - 1);
    snprintf(expected, sizeof expected, "cut off: %zu of %zu bytes are there", bytes - 1, bytes);
    check_refused(expected);
}

TEST(cut_file_is_refused_if_it_was_saved_of_one_cut_short)
{
    fake_profile();
    identity_of(&fake)->cut_short = 1;
    identity_of(&fake)->state = EP_STATE_SAVED;
    image_write(4096);
    assert_int_equal(read_it(), -1);
    assert_memory_equal(why, "cut off: 4096 of ", 17);
}

/* At each length the read fails with a reason, and never crashes. */
TEST(file_of_any_length_is_refused)
{
    fake_profile();
    size_t bytes = image_bytes();
    image_write(bytes);
    for (size_t length = bytes - 1; length > 0;
         length = length > 1100 ? length - 1013 : length - 1) {
        assert_return_code(truncate(image_path, (off_t)length), errno);
        if (read_it() == 0)
            fail_msg("%zu of %zu bytes were read", length, bytes);
        assert_memory_equal(why, "cut off: ", 9);
    }
}

/* ---- refused files ---- */

TEST(missing_file_is_reported)
{
    close(image_make_file());
    unlink(image_path);
    check_refused("No such file or directory");
    assert_int_equal(errno, ENOENT);
}

TEST(directory_is_refused)
{
    assert_int_equal(ep_image_read("/", &image, &file_state, &why), -1);
    assert_string_equal(why, "a directory, not an eprof image");
}

/* No process has the other end of it: the reader must not wait for one. */
TEST(pipe_is_refused_at_once)
{
    close(image_make_file());
    unlink(image_path);
    assert_return_code(mkfifo(image_path, 0600), errno);
    check_refused("not a regular file, and so not an eprof image");
}

TEST(device_is_refused)
{
    assert_int_equal(ep_image_read("/dev/zero", &image, &file_state, &why), -1);
    assert_string_equal(why, "not a regular file, and so not an eprof image");
}

static void write_text(const char *text, size_t bytes)
{
    int file = image_make_file();
    assert_int_equal(write(file, text, bytes), bytes);
    close(file);
}

TEST(empty_file_is_refused)
{
    close(image_make_file());
    check_refused("empty: its program wrote nothing into it");
}

TEST(other_file_is_refused)
{
    write_text("#!/bin/sh\nexit 1\n", 17);
    check_refused("not an eprof image");
}

TEST(one_letter_is_refused)
{
    write_text("x", 1);
    check_refused("not an eprof image");
}

TEST(magic_alone_is_cut_off)
{
    write_text(EP_IMAGE_MAGIC, 8);
    check_refused("cut off: not even its header is whole");
}

TEST(sparse_gigabyte_is_refused_by_its_header)
{
    close(image_make_file());
    assert_return_code(truncate(image_path, 1 << 30), errno);
    check_refused("not an eprof image");
}

TEST(file_that_was_transferred_as_text_is_refused)
{
    static const char *const mangled[] = {"eprof\n\032", "eprof\r\r\n\032", "eprof\r\n\n"};
    for (size_t i = 0; i < sizeof mangled / sizeof mangled[0]; i++) {
        memset(&fake.cells[0], 0, 16);
        memcpy(&fake.cells[0], mangled[i], strlen(mangled[i]));
        image_write(image_bytes());
        check_refused("mangled: it was transferred as text, which has to be as binary");
        unlink(image_path);
    }
}

/* ------------------------------------------------------------- the header -- */

TEST(image_of_the_other_byte_order_is_refused)
{
    identity_of(&fake)->byte_order = 0x04030201;
    identity_of(&fake)->version = 0x01000000;
    image_write(image_bytes());
    check_refused("written on a machine of the other byte order: read it on one of that");
}

TEST(newer_version_is_refused_with_the_remedy)
{
    identity_of(&fake)->version = 7;
    identity_of(&fake)->cell_bytes = 128;
    image_write(image_bytes());
    check_refused("version 7 of the format, and this eprof knows 1 to 4: use a newer eprof");
}

TEST(version_before_the_first_is_refused)
{
    identity_of(&fake)->version = 0;
    image_write(image_bytes());
    check_refused("version 0 of the format, and this eprof knows 1 to 4: use a matching eprof");
}

TEST(version_before_functions_is_read)
{
    identity_of(&fake)->version = 1;
    image_write(image_bytes());
    check_read();
}

TEST(other_cell_size_is_refused)
{
    identity_of(&fake)->cell_bytes = 128;
    image_write(image_bytes());
    check_refused("damaged: cells of a size that this version of the format does not have");
}

TEST(unknown_state_is_refused)
{
    identity_of(&fake)->state = 4;
    image_write(image_bytes());
    check_refused("damaged: a state that there is not");
}

TEST(fewer_cells_than_the_header_has_are_refused)
{
    ep_image_root(&fake)->cells_used = EP_HEADER_CELLS - 1;
    image_write(4096);
    check_refused("damaged: a count of cells that cannot be");
}

TEST(fault_of_the_cells_is_reported)
{
    fake_profile();
    made.inner->next = fake_ref(made.inner);
    image_write(image_bytes());
    check_refused("damaged: a node of a call tree in cells that are in use already");
}

TEST(file_that_is_cut_while_it_is_read_is_refused)
{
    fake_profile();
    image_write(image_bytes());
    wrapped_reader = read_half;
    check_refused("cut off: it became shorter while it was read");
    wrapped_reader = NULL;
    check_read();
}

TEST(file_that_changes_all_the_time_is_refused)
{
    fake_profile();
    image_write(image_bytes());
    is_changed_all_the_time = true;
    check_refused("its program changes it faster than it can be read, or is stopped in the "
                  "midst of a change: try again");
    is_changed_all_the_time = false;
    check_read();
}

TEST(file_whose_writer_ends_while_it_is_read_is_read_as_it_is_then)
{
    fake_profile();
    image_write(image_bytes());
    ending = open(image_path, O_RDONLY | O_CLOEXEC);
    assert_return_code(ending, errno);
    assert_return_code(flock(ending, LOCK_EX), errno);
    check_read();
    close(ending);
    ending = -1;
    assert_false(file_state.is_being_written);
}

/* ---- the header alone ---- */

static int glance_at(const char *path, struct ep_image_glance *glance)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    assert_return_code(file, errno);
    why = NULL;
    int result = ep_image_read_glance(file, glance, &why);
    close(file);
    return result;
}

TEST(glance_identifies_the_process_of_an_image)
{
    struct ep_image_glance glance;
    fake_profile();
    struct ep_identity_cell *identity = &fake.cells[EP_CELL_IDENTITY].identity;
    static const struct {
        uint64_t process_id;
        uint32_t state;
        bool is_locked;
        enum ep_image_life life;
    } known[] = {{12, EP_STATE_RUNNING, true, EP_LIFE_RUNNING},
                 {12, EP_STATE_RUNNING, false, EP_LIFE_KILLED},
                 {12, EP_STATE_CLOSED, false, EP_LIFE_ENDED},
                 {12, EP_STATE_SAVED, false, EP_LIFE_SAVED},
                 {0, EP_STATE_CLOSED, false, EP_LIFE_SAVED}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        identity->process_id = known[i].process_id;
        identity->state = known[i].state;
        image_write(image_bytes());
        int writer = open(image_path, O_RDONLY | O_CLOEXEC);
        assert_return_code(flock(writer, known[i].is_locked ? LOCK_EX : LOCK_UN), errno);
        assert_return_code(glance_at(image_path, &glance), errno);
        close(writer);
        assert_true(glance.is_image);
        assert_int_equal(glance.process_id, known[i].process_id);
        assert_int_equal(glance.life, known[i].life);
        check_read();
        assert_int_equal(ep_image_read_life(&image, known[i].is_locked), known[i].life);
        ep_image_destroy(&image);
    }
}

TEST(glance_refuses_other_files)
{
    struct ep_image_glance glance;
    fake_profile();
    image_write(100);
    assert_int_equal(glance_at(image_path, &glance), -1);
    assert_string_equal(why, "cut off: not even its header is whole");
    assert_true(glance.is_image);
    assert_int_equal(glance_at("/proc/self/comm", &glance), -1);
    assert_string_equal(why, "not an eprof image");
    assert_false(glance.is_image);
    assert_int_equal(glance_at("/", &glance), -1);
    assert_string_equal(why, "Is a directory");
}

TEST_EACH(fake_begin, end)
