#include "image_backing.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform.h"
#include "read_at.h"

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

/* ---- room in the file ---- */

static bool is_open_as(const struct ep_backing *backing, int file)
{
    struct stat status;
    return fstat(file, &status) == 0 && status.st_dev == backing->device &&
           status.st_ino == backing->inode;
}

static bool is_ours(const struct ep_backing *backing)
{
    return is_open_as(backing, backing->file);
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

/* A daemon closes what it finds open. The lock stays with the mapped pages. */
static bool open_again(struct ep_backing *backing)
{
    int file =
        backing->path ? open(backing->path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (file < 0)
        return false;
    int closed = backing->file;
    backing->file = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(file);
    if (is_ours(backing)) {
        /* it was open, and only fstat() had failed */
        if (closed != backing->file && is_open_as(backing, closed))
            close(closed);
        return true;
    }
    if (backing->file >= 0)
        close(backing->file);
    backing->file = closed;
    return false;
}

/* A file that has the room, or a part of it, and is not mapped there is as short as before: to its
 * readers what lies there would be cells, and all zero. 0 or an error number. */
static int extend(int file, union ep_cell *cells, uint32_t first, uint32_t count)
{
    int error = allocate(file, first, count);
    if (!error)
        error = map(cells, file, first, count);
    if (error && ftruncate(file, offset_of(first)) != 0)
        error = errno;
    return error;
}

int ep_backing_grow(struct ep_backing *backing, union ep_cell *cells, uint32_t first,
                    uint32_t count)
{
    int error = EBADF;
    if (is_ours(backing) || open_again(backing))
        error = extend(backing->file, cells, first, count);
    if (!error)
        ep_store(&backing->cells, first + count);
    errno = error;
    return error ? -1 : 0;
}

/* ---- begun ---- */

int ep_backing_write(int file, const union ep_cell *cells, size_t bytes)
{
    if (!is_allowed((off_t)bytes)) {
        errno = EFBIG;
        return -1;
    }
    for (size_t done = 0; done < bytes;) {
        ssize_t written = pwrite(file, (const char *)cells + done, bytes - done, (off_t)done);
        if (written < 0 && errno != EINTR)
            return -1;
        done += written > 0 ? (size_t)written : 0;
    }
    return 0;
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

/* Word by word: threads write them meanwhile, and each word is seen as it was or as it is. The
 * thread sanitizer is not asked: an owner writes plainly what only it reads. */
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
    /* whole before it is there: a child of a bare _Fork() in another thread looks at it */
    ep_store_release(&backing->copy, copy);
}

void ep_backing_forget_copy(struct ep_backing *backing)
{
    if (backing->copy)
        ep_platform_release(backing->copy, bytes_of(backing->copy_cells));
    backing->copy = NULL;
}

/* What a parent that goes on has in its file at a moment at which it does not hold its lock. */
static bool copy_live(struct ep_backing *backing, const union ep_cell *cells)
{
    const uint32_t *changes = &cells[EP_CELL_LOCK].lock.changes;
    uint32_t before = ep_load_acquire(changes);
    if (before % 2 != 0)
        return false;
    backing->copy_cells = ep_backing_round_up(ep_load(&cells[EP_CELL_ROOT].root.cells_used));
    backing->copy = ep_platform_allocate(bytes_of(backing->copy_cells));
    size_t bytes = bytes_of(backing->copy_cells);
    if (backing->copy && ep_read_at(backing->file, 0, backing->copy, bytes) == (ssize_t)bytes &&
        ep_load_acquire(changes) == before)
        return true;
    ep_backing_forget_copy(backing);
    return false;
}

/* Where the parent's is cut short there is no such copy: what it refers to beyond is not there. */
static bool can_copy(const struct ep_backing *backing, const union ep_cell *cells)
{
    return is_ours(backing) && !ep_load(&cells[EP_CELL_IDENTITY].identity.cut_short);
}

/*
 * If there comes no such moment, the parent was killed in the midst of something, or its threads
 * have the lock all the time. One that waits for a processor, with the lock, gets it: in a second,
 * though others want it as well. The next call tries again, but does not wait again.
 */
static bool has_copy(struct ep_backing *backing, const union ep_cell *cells)
{
    uint64_t begin_ns = ep_platform_monotonic_ns();
    bool may_wait = !backing->was_tried;
    while (!backing->copy && can_copy(backing, cells) && !copy_live(backing, cells) && may_wait) {
        sched_yield();
        may_wait = ep_platform_monotonic_ns() - begin_ns < LONGEST_WAIT_NS;
    }
    backing->was_tried = true;
    return backing->copy != NULL;
}

/* What the file has beyond the copy becomes zeroed memory. */
static int put_copy_in_place(struct ep_backing *backing, union ep_cell *cells, uint32_t end)
{
    uint32_t count = backing->copy_cells;
    void *at = MAP_FAILED;
    if (count == end || mmap(&cells[count], bytes_of(end - count), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
        at = mremap(backing->copy, bytes_of(count), bytes_of(count), MREMAP_MAYMOVE | MREMAP_FIXED,
                    cells);
    return at == MAP_FAILED ? -1 : 0;
}

int ep_backing_leave(struct ep_backing *backing, union ep_cell *cells, uint32_t *end)
{
    bool is_done = has_copy(backing, cells);
    *end = backing->copy_cells > backing->cells ? backing->copy_cells : backing->cells;
    if (!is_done || put_copy_in_place(backing, cells, *end) != 0) {
        errno = ENOMEM;
        return -1;
    }
    if (is_ours(backing))
        close(backing->file);
    *backing = (struct ep_backing){.cells = 0};
    return 0;
}
