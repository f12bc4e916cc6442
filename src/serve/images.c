#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "serve/serve.h"

/* ---- what the command line names ---- */

/* Splits the real path of a file: a symbolic link that the user names is followed, but not one that
 * takes its place later. */
static int split(struct ep_serve_roots *roots, struct ep_serve_root *root, const char *path)
{
    char *real = realpath(path, NULL);
    char *slash = real ? strrchr(real, '/') : NULL;
    if (slash) {
        root->file = ep_memory_text(&roots->texts, slash + 1, strlen(slash + 1));
        size_t bytes = slash == real ? 1 : (size_t)(slash - real);
        root->path = ep_memory_text(&roots->texts, real, bytes);
    }
    int error = real ? ENOMEM : errno;
    free(real);
    if (root->file && root->path)
        return 0;
    errno = error;
    return -1;
}

int ep_serve_images_add_root(struct ep_serve_roots *roots, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return -1;
    if (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode))
        return errno = EINVAL, -1;
    struct ep_serve_root *at =
        ep_memory_room(roots->at, roots->count, &roots->room, sizeof *roots->at);
    if (!at)
        return -1;
    roots->at = at;
    struct ep_serve_root root = {.path = ep_memory_text(&roots->texts, path, strlen(path))};
    root.prefix = root.path;
    if (!root.path || (S_ISREG(status.st_mode) && split(roots, &root, path) != 0))
        return -1;
    at[roots->count++] = root;
    return 0;
}

void ep_serve_images_free_roots(struct ep_serve_roots *roots)
{
    free(roots->at);
    ep_memory_free(&roots->texts);
    *roots = (struct ep_serve_roots){.at = NULL};
}

/* ---- opening: regular files of the folder, and nothing else ---- */

static struct ep_serve_version version_of(const struct stat *status)
{
    return (struct ep_serve_version){status->st_dev, status->st_ino,
                                     (uint64_t)status->st_ctim.tv_sec * 1000000000 +
                                         (uint64_t)status->st_ctim.tv_nsec};
}

/* The path by which a file is opened that was opened as a location. */
enum { LINK_BYTES = 32 };

static void link_to(int location, char path[LINK_BYTES])
{
    snprintf(path, LINK_BYTES, "/proc/self/fd/%d", location);
}

/* A location (O_PATH): the kernel does not open a device or a pipe for it, and no link is followed.
 * -1: it is no regular file. */
static int open_location(int folder, const char *file, struct stat *status)
{
    int location = openat(folder, file, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (location >= 0 && fstat(location, status) == 0 && S_ISREG(status->st_mode))
        return location;
    ep_file_close(location);
    return -1;
}

static int open_contents(int location)
{
    char path[LINK_BYTES];
    link_to(location, path);
    return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* ---- finding ---- */

struct search {
    struct ep_serve_images *images;
    struct ep_fingerprint_table seen; /* a file that two roots name is served once */
    const struct ep_serve_root *root;
    bool is_of_several;
};

static bool is_new(struct search *search, struct ep_serve_version version)
{
    size_t before = search->seen.count;
    struct ep_wide print = ep_hash_add(ep_hash_begin(), &version.device, sizeof version.device);
    print = ep_hash_add(print, &version.inode, sizeof version.inode);
    return ep_hash_table_find(&search->seen, sizeof print, print) == before;
}

static const char *name_of(struct search *search, const char *file)
{
    const struct ep_serve_root *root = search->root;
    struct ep_arena *texts = &search->images->texts;
    if (!search->is_of_several)
        return ep_memory_text(texts, file, strlen(file));
    if (root->file)
        return root->prefix;
    size_t bytes = strlen(root->prefix) + strlen(file) + 2;
    char *name = ep_memory_take(texts, bytes);
    if (name)
        snprintf(name, bytes, "%s/%s", root->prefix, file);
    return name;
}

/* 0, or -1 and ENOMEM. */
static int add(struct search *search, struct ep_serve_image image, const char *file,
               const char *fault)
{
    struct ep_serve_images *images = search->images;
    struct ep_serve_image *at =
        ep_memory_room(images->at, images->count, &images->room, sizeof *images->at);
    if (!at)
        return -1;
    images->at = at;
    image.root = search->root;
    image.file = ep_memory_text(&images->texts, file, strlen(file));
    image.name = name_of(search, file);
    image.fault = fault ? ep_memory_text(&images->texts, fault, strlen(fault)) : NULL;
    if (!image.file || !image.name || (fault && !image.fault))
        return -1;
    at[images->count++] = image;
    return 0;
}

/* A file that cannot be opened may be an image, so it is named. */
static int look_at(struct search *search, int folder, const char *file)
{
    struct stat status;
    struct ep_image_glance glance = {.is_image = false};
    const char *fault = NULL;
    int location = open_location(folder, file, &status);
    if (location < 0)
        return 0;
    int contents = open_contents(location);
    if (contents < 0)
        fault = strerror(errno);
    else if (ep_image_read_glance(contents, &glance, &fault) == 0)
        fault = NULL;
    ep_file_close(contents);
    ep_file_close(location);
    if (contents >= 0 && !glance.is_image && !search->root->file)
        return 0;
    struct ep_serve_image image = {.version = version_of(&status),
                                   .modified_ns = (uint64_t)status.st_mtim.tv_sec * 1000000000 +
                                                  (uint64_t)status.st_mtim.tv_nsec,
                                   .process_id = fault ? 0 : glance.process_id,
                                   .realtime_ns = fault ? 0 : glance.realtime_ns,
                                   .life = fault ? EP_LIFE_SAVED : glance.life};
    return is_new(search, image.version) ? add(search, image, file, fault) : 0;
}

/* Names that begin with a dot are hidden; a name in *.tmp is that of a new file that is not
 * complete (base/file.h). */
static bool may_be_image(const struct dirent *entry)
{
    size_t bytes = strlen(entry->d_name), ending = strlen(".tmp");
    return entry->d_name[0] != '.' && (entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN) &&
           (bytes < ending || strcmp(entry->d_name + bytes - ending, ".tmp") != 0);
}

static int look_in(struct search *search)
{
    int result = 0;
    DIR *folder = opendir(search->root->path);
    if (!folder)
        return errno == ENOMEM ? -1 : 0;
    if (search->root->file) {
        result = look_at(search, dirfd(folder), search->root->file);
    } else {
        const struct dirent *entry;
        while (result == 0 && (entry = readdir(folder)))
            if (may_be_image(entry))
                result = look_at(search, dirfd(folder), entry->d_name);
    }
    closedir(folder);
    return result;
}

/* Running processes first, then the newest; faulty images come last. */
static int compare(const void *a, const void *b)
{
    const struct ep_serve_image *one = a, *other = b;
    bool runs = one->life == EP_LIFE_RUNNING, other_runs = other->life == EP_LIFE_RUNNING;
    if (runs != other_runs)
        return runs ? -1 : 1;
    if (one->realtime_ns != other->realtime_ns)
        return one->realtime_ns > other->realtime_ns ? -1 : 1;
    return strcmp(one->name, other->name);
}

int ep_serve_images_find(struct ep_serve_images *images, const struct ep_serve_roots *roots)
{
    struct search search = {.images = images, .is_of_several = roots->count > 1};
    int result = 0;
    for (size_t i = 0; i < roots->count && result == 0; i++) {
        search.root = &roots->at[i];
        result = look_in(&search);
    }
    ep_hash_table_free(&search.seen);
    if (result != 0) {
        ep_serve_images_free(images);
        return errno = ENOMEM, -1;
    }
    if (images->count)
        qsort(images->at, images->count, sizeof *images->at, compare);
    return 0;
}

void ep_serve_images_free(struct ep_serve_images *images)
{
    free(images->at);
    ep_memory_free(&images->texts);
    *images = (struct ep_serve_images){.at = NULL};
}

const struct ep_serve_image *ep_serve_images_of(const struct ep_serve_images *images,
                                                const char *process)
{
    enum { MOST_DIGITS = 19 };
    size_t digits = strspn(process, "0123456789");
    uint64_t id = digits <= MOST_DIGITS && !process[digits] ? strtoull(process, NULL, 10) : 0;
    for (size_t i = 0; id && i < images->count; i++)
        if (images->at[i].process_id == id)
            return &images->at[i];
    for (size_t i = 0; i < images->count; i++)
        if (strcmp(images->at[i].name, process) == 0)
            return &images->at[i];
    return NULL;
}

struct ep_wide ep_serve_images_key(const struct ep_serve_image *image)
{
    struct ep_wide key = ep_hash_add_text(ep_hash_begin(), image->name);
    key = ep_hash_add(key, &image->process_id, sizeof image->process_id);
    return ep_hash_add(key, &image->realtime_ns, sizeof image->realtime_ns);
}

/* ---- reading ---- */

static bool is_left_out(const struct ep_serve_task *task, struct ep_serve_version version)
{
    for (size_t i = 0; i < task->left_out_count; i++)
        if (task->left_out[i].device == version.device &&
            task->left_out[i].inode == version.inode &&
            task->left_out[i].changed_ns == version.changed_ns)
            return true;
    return false;
}

/* Returns the status of HTTP. */
static int fail(int status, char why[EP_SERVE_WHY_BYTES], const char *reason)
{
    snprintf(why, EP_SERVE_WHY_BYTES, "%s", reason);
    return status;
}

static int fail_by_memory(char why[EP_SERVE_WHY_BYTES])
{
    return fail(503, why, "it takes more memory than --memory leaves for it");
}

/* A file that was opened again: since it was found it may have been replaced by another. */
struct opened {
    int location;
    struct ep_serve_version version;
    bool is_trusted; /* it belongs to this user or to root: its functions are looked up */
};

static int read_contents(struct ep_serve_task *task, const struct opened *opened,
                         struct ep_image *copy, struct ep_serve_sight *sight, char *why)
{
    struct ep_image_file_state state;
    const char *fault;
    char path[LINK_BYTES];
    struct ep_image_moment moment = ep_image_read_moment_take();
    link_to(opened->location, path);
    if (ep_image_read(path, copy, &state, &fault) != 0)
        return errno == ENOMEM ? fail_by_memory(why) : fail(500, why, fault);
    if (state.is_being_written)
        ep_image_read_moment_put(copy, &moment);
    sight->life = ep_image_read_life(copy, state.is_being_written);
    sight->age_ns = ep_image_read_moment_age_ns(copy, state.is_being_written ? &moment : NULL);
    sight->reset_generation = ep_image_control(copy)->reset_generation;
    task->look_up.is_quiet = true;
    if (!opened->is_trusted || ep_load_look_up_name(&task->look_up, copy) == 0)
        return 200;
    ep_image_destroy(copy);
    return fail_by_memory(why);
}

/* False: it is gone. */
static bool open_again(const struct ep_serve_image *image, struct opened *opened)
{
    struct stat status;
    int folder = open(image->root->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int location = folder < 0 ? -1 : open_location(folder, image->file, &status);
    ep_file_close(folder);
    if (location < 0)
        return false;
    *opened = (struct opened){location, version_of(&status),
                              status.st_uid == geteuid() || status.st_uid == 0};
    return true;
}

int ep_serve_images_take(struct ep_serve_task *task, const struct ep_serve_image *image,
                         struct ep_snapshot_options options, struct ep_serve_sight *sight,
                         char why[EP_SERVE_WHY_BYTES])
{
    struct ep_image copy;
    struct opened opened;
    if (!open_again(image, &opened))
        return fail(404, why, "its file is gone");
    int status;
    if (is_left_out(task, opened.version)) {
        status = fail(500, why, "it cannot be read: a try has crashed or taken too long");
    } else {
        task->result->reading = opened.version;
        task->result->images_begun++;
        status = read_contents(task, &opened, &copy, sight, why);
    }
    close(opened.location);
    if (status != 200)
        return status;
    sight->snapshot = ep_snapshot_take_stored(&copy, options);
    ep_image_destroy(&copy);
    return sight->snapshot ? 200 : fail_by_memory(why);
}
