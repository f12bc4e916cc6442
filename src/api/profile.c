#include "api/profile.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/path_pattern.h"
#include "api/stderr_line.h"
#include "image/copy.h"
#include "image/file.h"
#include "instrument/probe_cost.h"
#include "record/cpu.h"
#include "record/process_life.h"
#include "record/rate.h"

static char *asked;              /* the requested path; NULL: none */
static char *pattern;            /* the same path, absolute */
static pid_t owner;              /* of the path */
static char path_here[PATH_MAX]; /* of this process's file; "": there is none yet */

/* The scale and what the probe costs: a reader of the file cannot measure them. Lock. */
static void write_scale(void)
{
    ep_rate_scale_write();
    ep_probe_calibrate();
    ep_rate_run_write();
}

/* ---- requested ---- */

void ep_profile_forget(void)
{
    free(asked);
    free(pattern);
    asked = pattern = NULL;
}

const char *ep_profile_ask(const char *path, bool is_of_environment)
{
    if (ep_process.image.backing.cells)
        return "there is an image already";
    ep_profile_forget();
    asked = strdup(path);
    pattern = ep_path_pattern_absolute(path, true);
    owner = ep_path_pattern_owner(is_of_environment);
    if (asked && pattern)
        return NULL;
    ep_profile_forget();
    return "no memory";
}

const char *ep_profile_asked(void)
{
    return asked;
}

/* ---- begun ---- */

/* Whether no other thread records: its writes would be lost while cells are moved. */
static bool is_alone(void)
{
    const struct ep_thread_cell *thread;
    ep_ref ref = ep_image_root(&ep_process.image)->threads;
    for (; ref; ref = thread->next) {
        thread = &ep_image_cell(&ep_process.image, ref)->thread;
        if (thread->state == EP_THREAD_LIVING && thread->self != (uint64_t)pthread_self())
            return false;
    }
    return true;
}

/* Stores the command line, cut to the longest text of an image. Lock. */
static void note_command(void)
{
    static char words[EP_LABEL_BYTES]; /* too long for the smallest stack of a thread */
    struct ep_identity_cell *identity = &ep_image_cell(&ep_process.image, 0)->identity;
    int file = identity->command ? -1 : open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t bytes = read(file, words, sizeof words);
    close(file);
    while (bytes > 0 && !words[bytes - 1])
        bytes--;
    for (ssize_t i = 0; i < bytes; i++)
        words[i] = words[i] ? words[i] : ' ';
    uint32_t cells;
    if (bytes > 0) {
        identity->command_bytes = (uint32_t)bytes;
        ep_store_release(&identity->command,
                         ep_image_text(&ep_process.image, words, identity->command_bytes, &cells));
    }
}

/* Moves the cells back into memory, as if they had never been in the file. */
static void take_back(struct ep_image_file *file)
{
    struct ep_image *image = &ep_process.image;
    ep_image_before_fork(image);
    if (ep_image_leave_file(image) == 0) {
        file->descriptor = -1; /* it was closed */
        return;
    }
    /* no memory: recorded into a file without a name, which is as good as memory */
    image->backing.error = ENOMEM;
    image->backing.is_reported = true;
}

static const char *move_into(struct ep_image_file *file)
{
    const char *why;
    if (ep_image_move_to_file(&ep_process.image, file->descriptor) != 0)
        return strerror(errno);
    if (ep_image_file_publish(file, &why) == 0)
        return NULL;
    take_back(file);
    return why;
}

const char *ep_profile_begin(void)
{
    static struct ep_image_file file; /* too large for the smallest stack of a thread */
    sigset_t all, before;
    const char *why;
    if (!pattern || ep_process.is_off || ep_process.image.backing.cells)
        return NULL;
    if (ep_path_pattern_expand(pattern, owner, 0, path_here) != 0)
        return strerror(errno);
    note_command();
    if (!is_alone())
        return "other threads record already";
    /* before the file exists: this takes 2 ms, and a program that dies meanwhile would leave a file
     * under another name */
    write_scale();
    if (ep_image_file_create(&file, path_here, &why) != 0)
        return why;
    sigfillset(&all); /* a signal handler of this thread must not write meanwhile */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    why = move_into(&file);
    if (why)
        ep_image_file_discard(&file);
    else
        ep_process.image.backing.path = path_here;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return why;
}

/* A child of a bare _Fork() may find malloc's lock held for ever: nothing here needs memory. */
void ep_profile_renewed(void)
{
    const char *why = ep_profile_begin();
    if (why)
        ep_stderr_line_plain("image=", path_here, ", for a forked child", why);
}

void ep_profile_cut_short(int error)
{
    const char *why = error == ENOSPC   ? "no space left on device"
                      : error == EDQUOT ? "disk quota exceeded"
                      : error == EFBIG  ? "file size limit exceeded"
                      : error == EBADF  ? "the program closed its descriptor"
                                        : "the system says no";
    ep_stderr_line_plain("image ", path_here, " does not grow any more", why);
}

/* ---- ended ---- */

/* Sets the moment up to which open scopes have run in an image that no thread will write: a closed
 * image or a copy. */
static void set_moment(struct ep_image *image, enum ep_image_state state)
{
    struct ep_scale_cell *cell = &ep_image_cell(image, EP_CELL_SCALE)->scale;
    cell->now_ticks = ep_source_now(ep_process_source());
    cell->now_self = (uint64_t)pthread_self();
    ep_image_cell(image, EP_CELL_CPU)->cpu.now_cpu_ns = ep_cpu_is_on() ? ep_cpu_now() + 1 : 0;
    ep_store_release(&cell->has_now, 1);
    ep_store_release(&ep_image_cell(image, EP_CELL_IDENTITY)->identity.state, (uint32_t)state);
}

void ep_profile_close(void)
{
    if (!ep_process.image.backing.cells || ep_process_lock() != 0)
        return;
    write_scale();
    set_moment(&ep_process.image, EP_STATE_CLOSED);
    ep_process_unlock();
}

bool ep_profile_is_whole(void)
{
    return ep_process.image.backing.cells && !ep_process.image.backing.error;
}

/* ---- saved ---- */

int ep_profile_copy(struct ep_image *copy)
{
    if (ep_process_lock() != 0)
        return -1;
    note_command();
    write_scale();
    struct ep_image_origin origin = ep_image_copy_of_memory(&ep_process.image);
    uint32_t count = ep_image_root(&ep_process.image)->cells_used;
    const char *why;
    ep_store(&ep_process.is_being_read, true);
    int result = ep_image_copy_sound(copy, &origin, count, &why);
    ep_store(&ep_process.is_being_read, false);
    if (result == 0) {
        set_moment(copy, EP_STATE_SAVED);
        ep_image_cell(copy, EP_CELL_IDENTITY)->identity.cut_short = 0;
    }
    EP_KEEP_ERRNO;
    ep_process_unlock();
    return result;
}

int ep_profile_save(const char *path)
{
    struct ep_image copy = {.cells = NULL};
    const char *why;
    int cancel_state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    int result = ep_profile_copy(&copy);
    if (result == 0)
        result = ep_image_file_save(&copy, path, &why);
    EP_KEEP_ERRNO;
    ep_image_destroy(&copy);
    pthread_setcancelstate(cancel_state, NULL);
    return result;
}
