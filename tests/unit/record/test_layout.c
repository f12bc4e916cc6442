/*
 * Two threads that record never write to the same cache line.
 *
 * The test compares all memory of the library, line by line, before and after one of the threads
 * has recorded while the other one did nothing. It also walks the image from the cell of each
 * thread, to find the lines of its cells.
 */
#include "hand_clock.h"
#include "sanitizer.h"
#include "threads.h"

#include <stdlib.h>
#include <string.h>

#include "eprof.h"
#include "record/instance_cells.h"
#include "record/thread.h"
#include "support/random.h"
#include "support/test.h"

enum { INSTANCES = 30, THREADS = 2, CALLS = 2000 };

static int ids[INSTANCES];

/* ---- written lines ---- */

/* A range of memory, with an earlier copy of it. */
struct stretch {
    const unsigned char *start;
    unsigned char *before;
    size_t lines;
};

enum { STRETCHES = 64 };
static struct stretch stretches[STRETCHES];
static size_t stretch_count;

/* For each line of each range: bit n is set if thread n has written to the line. */
static unsigned char *written[STRETCHES];

static void watch(const void *start, size_t bytes)
{
    assert_in_range(stretch_count, 0, STRETCHES - 1);
    take_as_written(start, bytes);
    struct stretch *stretch = &stretches[stretch_count];
    stretch->start = start;
    stretch->lines = bytes / EP_CELL_BYTES;
    stretch->before = malloc(bytes);
    written[stretch_count] = calloc(stretch->lines, 1);
    assert_non_null(stretch->before);
    assert_non_null(written[stretch_count]);
    stretch_count++;
}

/* The memory of a record: head and table. */
static size_t record_bytes(const struct ep_thread *record)
{
    size_t bytes =
        offsetof(struct ep_thread, pairs) + record->near_capacity * sizeof record->pairs[0];
    return (bytes + EP_CELL_BYTES - 1) / EP_CELL_BYTES * EP_CELL_BYTES;
}

/* The image, the records of all threads, and the data that exist once in a process. */
static void watch_all(void)
{
    watch(ep_process.image.cells, (size_t)ep_process.image.committed * EP_CELL_BYTES);
    for (const struct ep_thread *record = ep_thread_pool.made; record; record = record->made_before)
        watch(record, record_bytes(record));
    watch(&ep_process, sizeof ep_process);
}

static void forget_all(void)
{
    while (stretch_count > 0) {
        stretch_count--;
        free(stretches[stretch_count].before);
        free(written[stretch_count]);
    }
}

static void look_before(void)
{
    for (size_t i = 0; i < stretch_count; i++)
        memcpy(stretches[i].before, stretches[i].start, stretches[i].lines * EP_CELL_BYTES);
}

static size_t mark_written_by(int thread)
{
    size_t lines = 0;
    for (size_t i = 0; i < stretch_count; i++)
        for (size_t line = 0; line < stretches[i].lines; line++)
            if (memcmp(stretches[i].start + line * EP_CELL_BYTES,
                       stretches[i].before + line * EP_CELL_BYTES, EP_CELL_BYTES) != 0) {
                written[i][line] |= (unsigned char)(1 << thread);
                lines++;
            }
    return lines;
}

static void assert_no_line_of_two_threads(void)
{
    for (size_t i = 0; i < stretch_count; i++)
        for (size_t line = 0; line < stretches[i].lines; line++)
            if (written[i][line] & (written[i][line] - 1))
                fail_msg("line %zu of stretch %zu (0: the image) is written by threads %#x", line,
                         i, written[i][line]);
}

/* ---- acts of threads ---- */

/* Nested pairs, spans, and durations of all lengths up to `longest`. */
static void record_up_to(uint64_t longest_ticks)
{
    for (int i = 0; i < CALLS; i++) {
        int id = ids[random_next() % INSTANCES];
        uint64_t ticks = random_next() % (longest_ticks + 1);
        eprof_start(id);
        if (i % 3 == 0)
            eprof_start(id);
        hand_ticks += ticks;
        if (i % 3 == 0)
            eprof_stop(id);
        eprof_stop(id);
        eprof_record(id, hand_ticks - ticks, hand_ticks);
        eprof_stop(id); /* diagnostics are counted, too */
    }
}

enum { LONGEST_BIT = 16 };

static void record(void *unused)
{
    (void)unused;
    record_up_to((1 << (LONGEST_BIT + 1)) - 1);
}

/* Makes all cells that record() needs: one of each octave, for each instance. */
static void warm_up(void *unused)
{
    (void)unused;
    for (int i = 0; i < INSTANCES; i++) {
        for (int bit = 0; bit <= LONGEST_BIT; bit++)
            eprof_record(ids[i], hand_ticks - (UINT64_C(1) << bit), hand_ticks);
        eprof_record(ids[i], hand_ticks, hand_ticks);
    }
}

/* New cells are made for these instances, in blocks that are taken now. */
static void record_longer(void *unused)
{
    (void)unused;
    record_up_to(UINT64_C(1) << 40);
}

static struct worker workers[THREADS];

static int begin_test(void **state)
{
    (void)state;
    hand_clock_use();
    eprof_init();
    for (int i = 0; i < INSTANCES; i++)
        ids[i] = eprof_alloc("instance");
    hand_ticks += UINT64_C(1) << 45;
    for (int i = 0; i < THREADS; i++) {
        worker_begin(&workers[i]);
        worker_do(&workers[i], warm_up, NULL);
        worker_do(&workers[i], record, NULL);
    }
    /* a difference that is longer than all before is stored once, for all threads */
    eprof_record(ids[0], hand_ticks - (UINT64_C(1) << 44), hand_ticks);
    return 0;
}

static int end_test(void **state)
{
    (void)state;
    forget_all();
    for (int i = 0; i < THREADS; i++)
        worker_end(&workers[i]);
    return 0;
}

TEST(threads_that_record_write_no_line_of_each_other)
{
    watch_all();
    for (int round = 0; round < 5; round++)
        for (int i = 0; i < THREADS; i++) {
            look_before();
            worker_do(&workers[i], record, NULL);
            if (mark_written_by(i) < INSTANCES)
                fail_msg("thread %d wrote next to nothing", i);
        }
    assert_no_line_of_two_threads();
}

/* All threads write here only under the lock: it records the owner of each block. */
TEST(threads_that_take_new_cells_share_only_locked_data)
{
    size_t image = 0;
    watch_all();
    for (int i = 0; i < THREADS; i++) {
        look_before();
        worker_do(&workers[i], record_longer, NULL);
        mark_written_by(i);
    }
    assert_ptr_equal(stretches[image].start, ep_process.image.cells);
    assert_int_equal(written[image][EP_CELL_ROOT], 3); /* each thread took blocks */
    assert_int_equal(written[image][EP_CELL_LOCK], 3);
    written[image][EP_CELL_ROOT] = written[image][EP_CELL_LOCK] = 0;
    size_t process = stretch_count - 1;
    memset(written[process], 0, stretches[process].lines); /* the part of it that is in memory */
    assert_no_line_of_two_threads();
}

TEST(recording_writes_nothing_that_threads_share)
{
    watch_all();
    look_before();
    worker_do(&workers[0], record, NULL);
    mark_written_by(0);
    for (int cell = 0; cell < EP_HEADER_CELLS; cell++)
        if (written[0][cell])
            fail_msg("cell %d of the header is written", cell);
    size_t process = stretch_count - 1;
    for (size_t line = 0; line < stretches[process].lines; line++)
        if (written[process][line])
            fail_msg("line %zu of ep_process is written", line);
}

/* ------------------------------------------------------- owners of the lines -- */

enum { OWNERS = 1 << 16 };
static ep_ref owner_of_block[OWNERS]; /* the cell of a thread; 0: no thread yet */

static void own(ep_ref thread, ep_ref first, uint32_t count)
{
    for (ep_ref ref = first; ref < first + count; ref++) {
        ep_ref *owner = &owner_of_block[ref / EP_BLOCK_CELLS];
        assert_in_range(ref / EP_BLOCK_CELLS, 1, OWNERS - 1);
        if (*owner && *owner != thread)
            fail_msg("cell %u is of the thread at %u, in a block of the thread at %u", ref, thread,
                     *owner);
        *owner = thread;
    }
}

static void own_pair(ep_ref thread, ep_ref ref)
{
    const union ep_cell *cells = ep_process.image.cells;
    const struct ep_instance_cells *pair = (const struct ep_instance_cells *)&cells[ref];
    own(thread, ref, sizeof *pair / EP_CELL_BYTES);
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++)
        if (ep_cell_octave(cells, &pair->stats, octave))
            own(thread, ep_cell_octave(cells, &pair->stats, octave), 1);
    for (int i = 0; i < EP_FAR_CELLS; i++)
        if (pair->stats.far[i])
            own(thread, pair->stats.far[i], 1);
}

static void own_thread(ep_ref owner)
{
    const union ep_cell *cells = ep_process.image.cells;
    const struct ep_thread_cell *thread = &cells[owner].thread;
    own(owner, owner, 1);
    own(owner, thread->diagnostics, 1);
    own(owner, thread->more, 1);
    own(owner, cells[thread->more].more.note, 1);
    for (ep_ref pair = thread->pairs; pair;
         pair = ((const struct ep_instance_cells *)&cells[pair])->next)
        own_pair(owner, pair);
}

/* Only the holder of the lock writes to these cells. */
static void assert_not_owned(ep_ref first, uint32_t count)
{
    for (ep_ref ref = first; ref < first + count; ref++)
        if (owner_of_block[ref / EP_BLOCK_CELLS])
            fail_msg("cell %u, of the lock, is in a block of the thread at %u", ref,
                     owner_of_block[ref / EP_BLOCK_CELLS]);
}

TEST(each_block_of_the_image_is_of_one_thread_or_of_the_lock)
{
    const struct ep_image *image = &ep_process.image;
    memset(owner_of_block, 0, sizeof owner_of_block);
    for (int i = 0; i < THREADS; i++)
        worker_do(&workers[i], record_longer, NULL);
    for (ep_ref ref = ep_image_root(image)->threads; ref; ref = image->cells[ref].thread.next)
        own_thread(ref);
    assert_not_owned(0, EP_HEADER_CELLS);
    assert_not_owned(ep_image_root(image)->directory, EP_DIRECTORY_RUNS / 16);
    for (uint32_t slot = 0; slot < ep_image_root(image)->slots_used; slot++) {
        const struct ep_instance_cell *instance = ep_image_instance(image, slot);
        assert_not_owned((ep_ref)((const union ep_cell *)instance - image->cells), 1);
        if (instance->label)
            assert_not_owned(instance->label, instance->label_cells);
    }
}

/* Each hot path reads this line, so no written data may be on it. */
TEST_BETWEEN(process_has_cache_lines_of_its_own, NULL, NULL)
{
    assert_int_equal((uintptr_t)&ep_process % EP_CELL_BYTES, 0);
    assert_int_equal(sizeof ep_process % EP_CELL_BYTES, 0);
}

TEST(records_of_threads_share_no_line)
{
    for (const struct ep_thread *a = ep_thread_pool.made; a; a = a->made_before) {
        assert_int_equal((uintptr_t)a % EP_CELL_BYTES, 0);
        for (const struct ep_thread *b = a->made_before; b; b = b->made_before)
            if ((const char *)a < (const char *)b + record_bytes(b) &&
                (const char *)b < (const char *)a + record_bytes(a))
                fail_msg("the records at %p and %p overlap", (const void *)a, (const void *)b);
    }
}

TEST_EACH(begin_test, end_test)
