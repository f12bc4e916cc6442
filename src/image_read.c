#include "image_read.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image_check.h"
#include "image_copy.h"
#include "image_mend.h"
#include "read_at.h"

/* ---- from a file ---- */

static int read_file(void *context, ep_ref first, uint32_t count, union ep_cell *cells)
{
    size_t bytes = (size_t)count * EP_CELL_BYTES;
    ssize_t got = ep_read_at(*(const int *)context, (uint64_t)first * EP_CELL_BYTES, cells, bytes);
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

/* ---- what it is ---- */

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

/* Opened without waiting for the other end of a pipe, or for what a device does. */
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
    if (file >= 0) {
        int error = errno;
        close(file);
        errno = error;
    }
    return -1;
}

/* How many cells there are to be read. */
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

/* The size after the header: a file grows first, and then more of it is in use. */
static int look_at(int file, uint32_t *count, const char **why)
{
    union ep_cell header[EP_HEADER_CELLS];
    struct stat status;
    ssize_t got = ep_read_at(file, 0, header, sizeof header);
    if (got < 0 || fstat(file, &status) != 0)
        return refuse_by_errno(why);
    const char *fault = ep_image_check_header(header, (size_t)got);
    return fault ? refuse(why, fault) : count_cells(header, (uint64_t)status.st_size, count, why);
}

/* ---- read ---- */

static int read_once(int file, struct ep_image *image, struct ep_image_file_state *state,
                     const char **why)
{
    uint32_t count;
    state->is_being_written = is_locked(file);
    if (look_at(file, &count, why) != 0)
        return -1;
    struct ep_image_origin origin = {.read = read_file,
                                     .context = &file,
                                     .writer = state->is_being_written ? EP_WRITER_OTHER
                                                                       : EP_WRITER_NONE};
    int result = ep_image_copy_sound(image, &origin, count, why);
    if (state->is_being_written && !is_locked(file)) {
        /* it has ended meanwhile, in the midst of something maybe, and stands still now */
        ep_image_destroy(image);
        errno = EAGAIN;
        return -1;
    }
    return result == 0 || errno == EINVAL || errno == EAGAIN ? result : refuse_by_errno(why);
}

static int read_open(int file, struct ep_image *image, struct ep_image_file_state *state,
                     const char **why)
{
    enum { MOST_TRIES = 100 };
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        if (read_once(file, image, state, why) == 0)
            return 0;
        if (errno != EAGAIN)
            return -1;
        sched_yield();
    }
    return refuse(why, "its program changes it faster than it can be read: try again");
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
    int error = errno;
    close(file);
    errno = error;
    if (result != 0)
        return -1;
    struct ep_identity_cell *identity = &ep_image_cell(image, EP_CELL_IDENTITY)->identity;
    if (!state->is_being_written && identity->state == EP_STATE_RUNNING)
        identity->not_closed = 1;
    if (ep_image_mend(image) == 0)
        return 0;
    ep_image_destroy(image);
    *why = strerror(ENOMEM);
    return -1;
}
