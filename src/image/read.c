#include "image/read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/platform.h"
#include "clock/source.h"
#include "image/check.h"
#include "image/copy.h"
#include "image/moves.h"

struct ep_image_moment ep_image_read_moment_take(void)
{
    return (struct ep_image_moment){.monotonic_ns = ep_platform_monotonic_ns(),
                                    .counter_ticks = ep_counter_read(),
                                    .day_us = ep_platform_clock_ns(CLOCK_REALTIME) / 1000};
}

static struct ep_scale scale_of(const struct ep_image *image)
{
    const struct ep_scale_cell *known = &ep_image_cell(image, EP_CELL_SCALE)->scale;
    return known->scale[known->current % 2];
}

/* The moment in ticks of a built-in source; 0: another source. */
static uint64_t ticks_of(const char *source, const struct ep_image_moment *moment)
{
    if (ep_source_is_counter_name(source))
        return moment->counter_ticks;
    if (strcmp(source, "clock_gettime") == 0)
        return moment->monotonic_ns;
    if (strcmp(source, "gettimeofday") == 0)
        return moment->day_us;
    return 0;
}

/* 0 after a step back. */
static uint64_t difference(uint64_t from, uint64_t to)
{
    uint64_t ticks = to - from;
    return ticks >> 63 ? 0 : ticks;
}

/* Compares how long the program has run by its source and by CLOCK_MONOTONIC. A rate that was
 * measured in 2 ms is 50 ppm off (clock/calibrate.h), and the clocks of two machines differ by
 * hours: the tolerance is one second and 1/64. */
static bool agrees(const struct ep_image *image, uint64_t ticks,
                   const struct ep_image_moment *moment)
{
    enum { TOLERANCE_PART = 64 };
    const uint64_t tolerance_ns = 1000000000;
    const struct ep_source_cell *source = &ep_image_cell(image, EP_CELL_SOURCE)->source;
    uint64_t run_ns = difference(source->first_monotonic_ns, moment->monotonic_ns);
    uint64_t source_ns = ep_wide_scale_ns(scale_of(image), difference(source->first_ticks, ticks));
    uint64_t apart_ns = run_ns > source_ns ? run_ns - source_ns : source_ns - run_ns;
    return apart_ns <= tolerance_ns + run_ns / TOLERANCE_PART;
}

bool ep_image_read_moment_put(struct ep_image *copy, const struct ep_image_moment *moment)
{
    const struct ep_source_cell *source = &ep_image_cell(copy, EP_CELL_SOURCE)->source;
    struct ep_scale_cell *known = &ep_image_cell(copy, EP_CELL_SCALE)->scale;
    uint64_t ticks = ticks_of(source->name, moment);
    if (known->has_now) /* the program has just ended */
        return true;
    if (!ticks || source->is_per_thread || !scale_of(copy).ticks || !agrees(copy, ticks, moment))
        return false;
    known->has_now = 1;
    known->now_ticks = ticks;
    return true;
}

uint64_t ep_image_read_moment_age_ns(const struct ep_image *image,
                                     const struct ep_image_moment *moment)
{
    const struct ep_source_cell *source = &ep_image_cell(image, EP_CELL_SOURCE)->source;
    const struct ep_scale_cell *known = &ep_image_cell(image, EP_CELL_SCALE)->scale;
    struct ep_scale scale = scale_of(image);
    uint64_t reset_ticks = ep_image_control(image)->reset_ticks;
    uint64_t before_ticks = difference(source->first_ticks, reset_ticks);
    if (!ep_image_cell(image, EP_CELL_IDENTITY)->identity.process_id || !scale.ticks)
        return 0; /* a merged image has no such time */
    if (known->has_now && !source->is_per_thread)
        return ep_wide_scale_ns(scale,
                                difference(source->first_ticks + before_ticks, known->now_ticks));
    if (!moment)
        return 0;
    return difference(source->first_monotonic_ns + ep_wide_scale_ns(scale, before_ticks),
                      moment->monotonic_ns);
}

/* ---- the file as an origin of cells ---- */

struct source {
    int file;
    struct ep_mapped_file mapped; /* if it is being written */
};

/* Small parts are read from the mapping; a large part is read faster by one call. */
static int read_file(void *context, ep_ref first, uint32_t count, union ep_cell *cells)
{
    enum { LARGEST_PART = 16 };
    const struct source *source = context;
    size_t bytes = (size_t)count * EP_CELL_BYTES;
    uint64_t offset = (uint64_t)first * EP_CELL_BYTES;
    if (count <= LARGEST_PART && ep_file_map_read(&source->mapped, offset, cells, bytes))
        return 0;
    ssize_t got = ep_file_read_at(source->file, offset, cells, bytes);
    if (got >= 0 && (size_t)got < bytes)
        errno = ENODATA;
    return got == (ssize_t)bytes ? 0 : -1;
}

/* Its writer has it locked for as long as it lives. Keeps errno. */
static bool is_locked(int file)
{
    int saved_errno = errno;
    bool is_free = flock(file, LOCK_SH | LOCK_NB) == 0;
    bool is_held = !is_free && errno == EWOULDBLOCK;
    if (is_free)
        flock(file, LOCK_UN);
    errno = saved_errno;
    return is_held;
}

/* ---- opening and checking the size ---- */

static int refuse(const char **why, const char *reason)
{
    *why = reason;
    errno = EINVAL;
    return -1;
}

static int refuse_by_errno(const char **why)
{
    *why = errno == ENODATA ? "cut off: it became shorter while it was read" : strerror(errno);
    return -1;
}

/* Does not wait for the other end of a pipe, or for a device. */
static int open_file(const char *path, const char **why)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0 || fstat(file, &status) != 0)
        refuse_by_errno(why);
    else if (S_ISDIR(status.st_mode))
        refuse(why, "a directory, not an eprof image");
    else if (!S_ISREG(status.st_mode))
        refuse(why, "not a regular file, and so not an eprof image");
    else
        return file;
    ep_file_close(file);
    return -1;
}

/* How many cells to read. */
static int count_cells(const union ep_cell *header, uint64_t bytes, uint32_t *count,
                       const char **why)
{
    static char text[128];
    uint32_t used = header[EP_CELL_ROOT].root.cells_used;
    uint64_t used_bytes = (uint64_t)used * EP_CELL_BYTES;
    *count = used;
    if (bytes >= used_bytes)
        return 0;
    if (ep_image_check_is_cut_short(header)) {
        *count = (uint32_t)(bytes / EP_CELL_BYTES / EP_BLOCK_CELLS * EP_BLOCK_CELLS);
        if (*count >= EP_HEADER_CELLS)
            return 0;
    }
    snprintf(text, sizeof text, "cut off: %llu of %llu bytes are there", (unsigned long long)bytes,
             (unsigned long long)used_bytes);
    return refuse(why, text);
}

/* The size is read after the header, because a file grows before more cells are used. */
static int look_at(int file, uint32_t *count, const char **why)
{
    union ep_cell header[EP_HEADER_CELLS];
    struct stat status;
    ssize_t got = ep_file_read_at(file, 0, header, sizeof header);
    if (got < 0 || fstat(file, &status) != 0)
        return refuse_by_errno(why);
    const char *fault = ep_image_check_header(header, (size_t)got);
    return fault ? refuse(why, fault) : count_cells(header, (uint64_t)status.st_size, count, why);
}

/* ---- what became of the process ---- */

static enum ep_image_life life_of(const struct ep_identity_cell *identity, bool is_being_written)
{
    if (is_being_written)
        return EP_LIFE_RUNNING;
    if (!identity->process_id || identity->state == EP_STATE_SAVED)
        return EP_LIFE_SAVED;
    return identity->state == EP_STATE_RUNNING || identity->not_closed ? EP_LIFE_KILLED
                                                                       : EP_LIFE_ENDED;
}

enum ep_image_life ep_image_read_life(const struct ep_image *image, bool is_being_written)
{
    return life_of(&ep_image_cell(image, EP_CELL_IDENTITY)->identity, is_being_written);
}

/* Looks for the lock first: a process that ends meanwhile has closed the image before. */
int ep_image_read_glance(int file, struct ep_image_glance *glance, const char **why)
{
    union ep_cell header[EP_HEADER_CELLS];
    const struct ep_identity_cell *identity = &header[EP_CELL_IDENTITY].identity;
    bool is_being_written = is_locked(file);
    ssize_t got = ep_file_read_at(file, 0, header, sizeof header);
    glance->is_image = got >= (ssize_t)sizeof identity->magic &&
                       memcmp(identity->magic, EP_IMAGE_MAGIC, sizeof identity->magic) == 0;
    if (got < 0)
        return refuse_by_errno(why);
    const char *fault = ep_image_check_header(header, (size_t)got);
    if (fault)
        return refuse(why, fault);
    glance->process_id = identity->process_id;
    glance->realtime_ns = identity->realtime_ns;
    glance->life = life_of(identity, is_being_written);
    return 0;
}

/* ---- reading ---- */

static int read_once(int file, struct ep_image *image, struct ep_image_file_state *state,
                     const char **why)
{
    uint32_t count;
    state->is_being_written = is_locked(file);
    if (look_at(file, &count, why) != 0)
        return -1;
    struct source source = {.file = file};
    struct ep_image_origin origin = {.read = read_file, .context = &source};
    if (state->is_being_written) {
        origin.writer = EP_WRITER_OTHER;
        ep_file_map_begin(&source.mapped, file, (size_t)count * EP_CELL_BYTES);
    }
    int result = ep_image_copy_sound(image, &origin, count, why);
    int error = errno;
    ep_file_map_end(&source.mapped);
    errno = error;
    if (state->is_being_written && !is_locked(file)) {
        /* its process has ended, perhaps during a write; nothing changes any more */
        ep_image_destroy(image);
        errno = EAGAIN;
        return -1;
    }
    return result == 0 || errno == EINVAL || errno == EAGAIN ? result : refuse_by_errno(why);
}

static int read_open(int file, struct ep_image *image, struct ep_image_file_state *state,
                     const char **why)
{
    enum { MOST_TRIES = 100, SHORTEST_NS = 50000, LONGEST_NS = 2000000, DOUBLED = 6 };
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        ep_moves_hold_off(file);
        int result = read_once(file, image, state, why);
        int error = errno;
        ep_moves_let(file);
        errno = error;
        if (result == 0 || error != EAGAIN)
            return result;
        /* long enough for the program to move the figures of joined threads, which it does when a
         * thread ends, begins or takes a name: else the next attempt meets the moves that this one
         * held off */
        long ns = SHORTEST_NS << (tries < DOUBLED ? tries : DOUBLED);
        nanosleep(&(struct timespec){.tv_nsec = ns < LONGEST_NS ? ns : LONGEST_NS}, NULL);
    }
    return refuse(why, "its program changes it faster than it can be read, or is stopped in the "
                       "midst of a change: try again");
}

/* Counts the keeps and moves that were in progress, because the process was killed or the thread
 * was stopped during all attempts, and marks them as ended: no reader waits for their end. Each
 * figure contains what was added before. */
static uint32_t end_interrupted(struct ep_image *image)
{
    struct ep_lock_cell *lock = &ep_image_cell(image, EP_CELL_LOCK)->lock;
    uint32_t count = lock->moves % 2;
    lock->moves += count;
    for (EP_EACH(ep_thread_cell, thread, image->cells, &ep_image_root(image)->threads)) {
        count += thread->keeps % 2;
        thread->keeps += thread->keeps % 2;
    }
    return count;
}

int ep_image_read(const char *path, struct ep_image *image, struct ep_image_file_state *state,
                  const char **why)
{
    *image = (struct ep_image){.cells = NULL};
    *state = (struct ep_image_file_state){.is_being_written = false};
    int file = open_file(path, why);
    if (file < 0)
        return -1;
    int result = read_open(file, image, state, why);
    ep_file_close(file);
    if (result != 0)
        return -1;
    struct ep_identity_cell *identity = &ep_image_cell(image, EP_CELL_IDENTITY)->identity;
    if (!state->is_being_written && identity->state == EP_STATE_RUNNING)
        identity->not_closed = 1;
    ep_image_cell(image, EP_CELL_LOCK)->lock.interrupted += end_interrupted(image);
    return 0;
}
