#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"

/* ---- whole reads and writes ---- */

ssize_t ep_file_read_at(int file, uint64_t offset, void *to, size_t bytes)
{
    size_t done = 0;
    while (done < bytes) {
        ssize_t got = pread(file, (char *)to + done, bytes - done, (off_t)(offset + done));
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR)
            return -1;
        done += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)done;
}

int ep_file_write_at_start(int file, const void *from, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t written = pwrite(file, (const char *)from + done, bytes - done, (off_t)done);
        if (written < 0 && errno != EINTR)
            return -1;
        done += written > 0 ? (size_t)written : 0;
    }
    return 0;
}

void ep_file_close(int file)
{
    EP_KEEP_ERRNO;
    if (file >= 0)
        close(file);
}

/* ---- a mapping of a file that may become shorter ---- */

/* Where a read continues after SIGBUS; NULL: there is no read. */
static sigjmp_buf *volatile guard;

static void leave(int number)
{
    if (guard)
        siglongjmp(*guard, 1);
    signal(number, SIG_DFL); /* not from a read: raised again at the same instruction */
}

void ep_file_map_begin(struct ep_mapped_file *mapped, int file, size_t bytes)
{
    struct sigaction action = {.sa_flags = SA_NODEFER};
    *mapped = (struct ep_mapped_file){.words = NULL};
    void *words = mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, 0);
    if (words == MAP_FAILED)
        return;
    action.sa_handler = leave;
    if (sigaction(SIGBUS, &action, &mapped->former) != 0) {
        munmap(words, bytes);
        return;
    }
    mapped->words = words;
    mapped->bytes = bytes;
}

void ep_file_map_end(struct ep_mapped_file *mapped)
{
    if (!mapped->words)
        return;
    sigaction(SIGBUS, &mapped->former, NULL);
    munmap((void *)(uintptr_t)mapped->words, mapped->bytes);
    mapped->words = NULL;
}

/* Not seen by the thread sanitizer: this process may be the one that writes there, plainly. */
__attribute__((no_sanitize("thread"))) static void copy_words(uint64_t *to, const uint64_t *from,
                                                              size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = ep_load_acquire(&from[i]);
}

bool ep_file_map_read(const struct ep_mapped_file *mapped, uint64_t offset, void *to, size_t bytes)
{
    sigjmp_buf here;
    if (!mapped->words || offset > mapped->bytes || bytes > mapped->bytes - offset)
        return false;
    if (sigsetjmp(here, 0) != 0) {
        /* The jump does not restore the mask, which would be a system call in each read; and a
         * sanitizer blocks all signals in its own handler in spite of SA_NODEFER. */
        sigset_t fault;
        guard = NULL;
        sigemptyset(&fault);
        sigaddset(&fault, SIGBUS);
        pthread_sigmask(SIG_UNBLOCK, &fault, NULL);
        return false;
    }
    guard = &here;
    copy_words(to, mapped->words + offset / sizeof(uint64_t), bytes / sizeof(uint64_t));
    guard = NULL;
    return true;
}

/* ---- a new file in the folder of another ---- */

/* Names contain the process id, so few collide: those of other threads, of a killed process with
 * that number, and of processes in another container. */
enum { TRIES = 1000 };

/* A name in the directory of `path` that does not depend on the length of the file's name. */
static int name_beside(char name[PATH_MAX], const char *path, unsigned try)
{
    const char *slash = strrchr(path, '/');
    int directory_bytes = slash ? (int)(slash + 1 - path) : 0;
    int bytes = snprintf(name, PATH_MAX, "%.*seprof-%ld-%u.tmp", directory_bytes, path,
                         (long)getpid(), try);
    if (bytes < PATH_MAX)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

/* In a program that was started without stdin, stdout or stderr, the file must not take that
 * number, because the program's output would be written into it. */
static int create(const char *name, mode_t mode)
{
    int descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor < 0 || descriptor > STDERR_FILENO)
        return descriptor;
    int above = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ep_file_close(descriptor);
    if (above < 0)
        unlink(name);
    return above;
}

int ep_file_create_beside(const char *path, mode_t mode, char name[PATH_MAX])
{
    for (unsigned try = 0; try < TRIES && name_beside(name, path, try) == 0; try++) {
        int descriptor = create(name, mode);
        if (descriptor >= 0)
            return descriptor;
        if (errno != EEXIST)
            break;
    }
    name[0] = '\0';
    return -1;
}

/* ---- signals of writes ---- */

static const int both[] = {SIGPIPE, SIGXFSZ};
enum { BOTH = sizeof both / sizeof both[0] };

void ep_file_signals_hold(struct ep_write_signals *signals)
{
    sigset_t held;
    sigemptyset(&held);
    for (int i = 0; i < BOTH; i++)
        sigaddset(&held, both[i]);
    pthread_sigmask(SIG_BLOCK, &held, &signals->mask);
    sigpending(&signals->pending);
}

void ep_file_signals_release(const struct ep_write_signals *signals)
{
    static const struct timespec at_once = {.tv_sec = 0};
    EP_KEEP_ERRNO;
    for (int i = 0; i < BOTH; i++) {
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, both[i]);
        if (!sigismember(&signals->pending, both[i]))
            sigtimedwait(&one, NULL, &at_once);
    }
    pthread_sigmask(SIG_SETMASK, &signals->mask, NULL);
}

/* ---- replacing a file ---- */

static void remove_temporary(const struct ep_replace *file)
{
    EP_KEEP_ERRNO;
    unlink(file->temporary);
}

static int open_beside(struct ep_replace *file, const struct stat *old)
{
    /* nobody else may open it before it has the permissions of the old one */
    file->temporary = malloc(PATH_MAX);
    if (!file->temporary)
        return -1;
    int descriptor = ep_file_create_beside(file->path, old ? 0600 : 0666, file->temporary);
    if (descriptor < 0)
        return -1;
    if (!old || fchmod(descriptor, old->st_mode & 0777) == 0)
        file->stream = fdopen(descriptor, "w");
    if (file->stream)
        return 0;
    remove_temporary(file);
    ep_file_close(descriptor);
    return -1;
}

static void forget(struct ep_replace *file)
{
    EP_KEEP_ERRNO;
    free(file->path);
    free(file->temporary);
    *file = (struct ep_replace){.stream = NULL};
}

/* Removes the file at the descriptor again, unless something was written into it. */
static void remove_if_empty(int descriptor, const char *path)
{
    struct stat made, there;
    if (fstat(descriptor, &made) == 0 && made.st_size == 0 && lstat(path, &there) == 0 &&
        made.st_dev == there.st_dev && made.st_ino == there.st_ino)
        unlink(path);
}

/* The target of a dangling symbolic link. The kernel may refuse to follow another user's link in a
 * world-writable folder (proc(5), protected_symlinks). To be freed. NULL and errno. */
static char *end_of_link(const char *path)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_NOCTTY | O_NONBLOCK | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return NULL;
    char *end = realpath(path, NULL);
    if (end)
        remove_if_empty(descriptor, end);
    ep_file_close(descriptor);
    return end;
}

static int open_new(struct ep_replace *file, const char *path)
{
    struct stat link;
    bool is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    file->path = is_link ? end_of_link(path) : strdup(path);
    return file->path ? open_beside(file, NULL) : -1;
}

static int open_path(struct ep_replace *file, const char *path)
{
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (!exists)
        return errno == ENOENT && *path ? open_new(file, path) : -1;
    /* the target of /dev/stdout or /proc/self/fd/1 belongs to the user who redirected the output,
     * even if it is a regular file */
    bool replaces =
        S_ISREG(old.st_mode) && strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0;
    /* a pipe to which /dev/stdout refers has no other path; a symbolic link to a file stays a
     * link */
    file->path = replaces ? realpath(path, NULL) : strdup(path);
    if (!file->path)
        return -1;
    if (replaces)
        return faccessat(AT_FDCWD, file->path, W_OK, AT_EACCESS) == 0 ? open_beside(file, &old)
                                                                      : -1;
    /* append: /dev/stdout may be a file that already has the program's own output */
    file->stream = fopen(file->path, "ae");
    return file->stream ? 0 : -1;
}

int ep_file_replace_open(struct ep_replace *file, const char *path)
{
    *file = (struct ep_replace){.stream = NULL};
    if (open_path(file, path) == 0)
        return 0;
    forget(file);
    return -1;
}

int ep_file_replace_close(struct ep_replace *file, int keep)
{
    int errno_before = errno;
    bool failed = ferror(file->stream) != 0; /* of earlier writes, which fclose() does not report */
    int result = fclose(file->stream);
    if (failed && result == 0) {
        errno = EIO;
        result = -1;
    }
    if (!keep)
        result = 0; /* a discarded file need not be whole */
    if (keep && result == 0 && file->temporary)
        result = rename(file->temporary, file->path);
    if (file->temporary && (!keep || result != 0))
        remove_temporary(file);
    if (result == 0)
        errno = errno_before;
    forget(file);
    return result;
}
