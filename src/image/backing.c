#include "image/backing.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/platform.h"

#define LONGEST_WAIT_NS UINT64_C(1000000000) /* for a parent's lock, once */

static size_t bytes_of(uint32_t cells)
{
    return (size_t)cells * EP_CELL_BYTES;
}

static off_t offset_of(uint32_t cell)
{
    return (off_t)cell * EP_CELL_BYTES;
}

/* Beyond RLIMIT_FSIZE the kernel would also send SIGXFSZ, which ends the program. */
static bool is_allowed(off_t end)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           (rlim_t)end <= limit.rlim_cur;
}

static bool is_open_as(const struct ep_backing *backing, int file)
{
    struct stat status;
    return fstat(file, &status) == 0 && status.st_dev == backing->device &&
           status.st_ino == backing->inode;
}

void ep_backing_close(struct ep_backing *backing)
{
    if (backing->cells && is_open_as(backing, backing->file))
        close(backing->file);
}

/* 0 or an error number. */
static int allocate(int file, uint32_t first, uint32_t count)
{
    if (!is_allowed(offset_of(first + count)))
        return EFBIG;
    int error;
    do
        error = posix_fallocate(file, offset_of(first), (off_t)bytes_of(count));
    while (error == EINTR);
    return error;
}

static int map(union ep_cell *cells, int file, uint32_t first, uint32_t count)
{
    void *at = mmap(&cells[first], bytes_of(count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                    file, offset_of(first));
    return at == MAP_FAILED ? errno : 0;
}

/* A daemon closes all open descriptors. The lock stays with the mapped pages. */
static bool open_again(struct ep_backing *backing)
{
    int file =
        backing->path ? open(backing->path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (file < 0)
        return false;
    int closed = backing->file;
    backing->file = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(file);
    if (is_open_as(backing, backing->file)) {
        /* it was open; only fstat() had failed */
        if (closed != backing->file && is_open_as(backing, closed))
            close(closed);
        return true;
    }
    if (backing->file >= 0)
        close(backing->file);
    backing->file = closed;
    return false;
}

bool ep_backing_is_open(struct ep_backing *backing)
{
    return is_open_as(backing, backing->file) || open_again(backing);
}

/* After a failure the file is truncated to its former size, because readers would take the zeroed
 * room for cells. */
int ep_backing_grow(struct ep_backing *backing, union ep_cell *cells, uint32_t first,
                    uint32_t count)
{
    int error = EBADF;
    if (ep_backing_is_open(backing)) {
        error = allocate(backing->file, first, count);
        if (!error)
            error = map(cells, backing->file, first, count);
        if (error && ftruncate(backing->file, offset_of(first)) != 0)
            error = errno;
    }
    if (!error)
        ep_store(&backing->cells, first + count);
    errno = error;
    return error ? -1 : 0;
}

/* ---- moving an image into a file ---- */

int ep_backing_write(int file, const union ep_cell *cells, size_t bytes)
{
    if (!is_allowed((off_t)bytes)) {
        errno = EFBIG;
        return -1;
    }
    return ep_file_write_at_start(file, cells, bytes);
}

int ep_backing_begin(struct ep_backing *backing, union ep_cell *cells, uint32_t used,
                     uint32_t count, int file)
{
    struct stat status;
    int error = fstat(file, &status) != 0 ? errno : allocate(file, 0, count);
    if (!error && ep_backing_write(file, cells, bytes_of(used)) != 0)
        error = errno;
    if (!error)
        error = map(cells, file, 0, count);
    if (!error)
        *backing = (struct ep_backing){
            .cells = count, .file = file, .device = status.st_dev, .inode = status.st_ino};
    errno = error;
    return error ? -1 : 0;
}

/* ---- fork ---- */

/* Word by word: threads may write them meanwhile, and each word is copied as it was or as it is.
 * Hidden from the thread sanitizer, because an owner writes plainly where only it reads. */
__attribute__((no_sanitize("thread"))) static void
copy_cells(union ep_cell *to, const union ep_cell *from, uint32_t count)
{
    uint64_t *words = (uint64_t *)to;
    const uint64_t *source = (const uint64_t *)from;
    for (size_t i = 0; i < bytes_of(count) / sizeof *words; i++)
        words[i] = ep_load(&source[i]);
}

void ep_backing_copy(struct ep_backing *backing, const union ep_cell *cells, uint32_t used)
{
    union ep_cell *copy = ep_platform_allocate(bytes_of(used));
    if (!copy)
        return;
    copy_cells(copy, cells, used);
    backing->copy_cells = used;
    /* complete before it is published: a child of _Fork() in another thread may use it */
    ep_store_release(&backing->copy, copy);
}

void ep_backing_forget_copy(struct ep_backing *backing)
{
    if (backing->copy)
        ep_platform_release(backing->copy, bytes_of(backing->copy_cells));
    backing->copy = NULL;
}

/* The current contents of the parent's file, at a moment when its lock is free. */
static bool copy_live(struct ep_backing *backing, const union ep_cell *cells)
{
    const uint32_t *changes = &cells[EP_CELL_LOCK].lock.changes;
    uint32_t before = ep_load_acquire(changes);
    if (before % 2 != 0)
        return false;
    backing->copy_cells = ep_backing_round_up(ep_load(&cells[EP_CELL_ROOT].root.cells_used));
    backing->copy = ep_platform_allocate(bytes_of(backing->copy_cells));
    size_t bytes = bytes_of(backing->copy_cells);
    if (backing->copy &&
        ep_file_read_at(backing->file, 0, backing->copy, bytes) == (ssize_t)bytes &&
        ep_load_acquire(changes) == before)
        return true;
    ep_backing_forget_copy(backing);
    return false;
}

/* Without such a moment, the parent was killed while it held the lock, or its threads hold it all
 * the time. A holder that waits for a processor gets one within a second, even on a loaded machine.
 * The next call tries again, but does not wait again. */
static bool has_copy(struct ep_backing *backing, const union ep_cell *cells)
{
    uint64_t begin_ns = ep_platform_monotonic_ns();
    bool may_wait = !backing->was_tried;
    /* a file that was cut short cannot be copied: it lacks cells that it refers to */
    while (!backing->copy && is_open_as(backing, backing->file) &&
           !ep_load(&cells[EP_CELL_IDENTITY].identity.cut_short) && !copy_live(backing, cells) &&
           may_wait) {
        sched_yield();
        may_wait = ep_platform_monotonic_ns() - begin_ns < LONGEST_WAIT_NS;
    }
    backing->was_tried = true;
    return backing->copy != NULL;
}

int ep_backing_leave(struct ep_backing *backing, union ep_cell *cells, uint32_t *end)
{
    void *at = MAP_FAILED;
    bool is_there = has_copy(backing, cells);
    uint32_t count = backing->copy_cells;
    *end = count > backing->cells ? count : backing->cells;
    /* cells of the file beyond the copy become zeroed memory */
    if (is_there &&
        (count == *end || mmap(&cells[count], bytes_of(*end - count), PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED))
        at = mremap(backing->copy, bytes_of(count), bytes_of(count), MREMAP_MAYMOVE | MREMAP_FIXED,
                    cells);
    if (at == MAP_FAILED) {
        errno = ENOMEM;
        return -1;
    }
    if (is_open_as(backing, backing->file))
        close(backing->file);
    *backing = (struct ep_backing){.cells = 0};
    return 0;
}
