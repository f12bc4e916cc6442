#include "scarce.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "image/image.h"
#include "record/thread.h"
#include "snapshot/making.h"

struct scarce scarce = {.refused = -1};

static bool scarce_refuses_with(int error)
{
    long at = scarce.requests++;
    if (scarce.refused < 0 || at < scarce.refused || (at > scarce.refused && !scarce.and_later))
        return false;
    errno = error;
    return true;
}

static bool scarce_refuses(void)
{
    return scarce_refuses_with(ENOMEM);
}

/* ---- replacements of functions of the C library ---- */

static void *scarce_hand_out(void *start)
{
    scarce.held += start != NULL;
    return start;
}

#define SCARCE_CALL(type, name, parameters, arguments)                                             \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return scarce_refuses() ? NULL : scarce_hand_out(__real_##name arguments);                 \
    }

SCARCE_CALL(void *, malloc, (size_t bytes), (bytes))
SCARCE_CALL(void *, calloc, (size_t count, size_t bytes), (count, bytes))
SCARCE_CALL(char *, strdup, (const char *text), (text))
SCARCE_CALL(char *, strndup, (const char *text, size_t bytes), (text, bytes))
SCARCE_CALL(FILE *, open_memstream, (char **text, size_t *bytes), (text, bytes)) /* the text */

void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes)
{
    if (scarce_refuses())
        return NULL;
    scarce.held += !old;
    return __real_realloc(old, bytes);
}

int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **text, const char *format, ...)
{
    if (scarce_refuses())
        return -1;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(text, format, arguments);
    va_end(arguments);
    scarce.held++;
    return length;
}

/* The C library allocates the room for the line itself, and its own requests are not counted
 * here. */
ssize_t __real_getdelim(char **line, size_t *room, int end, FILE *from);
ssize_t __wrap_getdelim(char **line, size_t *room, int end, FILE *from);
ssize_t __wrap_getdelim(char **line, size_t *room, int end, FILE *from)
{
    const char *before = *line;
    ssize_t length = __real_getdelim(line, room, end, from);
    scarce.held += !before && *line;
    return length;
}

void __real_free(void *start);
void __wrap_free(void *start);
void __wrap_free(void *start)
{
    scarce.held -= start != NULL;
    __real_free(start);
}

void *__real_mmap(void *wish, size_t bytes, int how, int flags, int file, off_t from);
void *__wrap_mmap(void *wish, size_t bytes, int how, int flags, int file, off_t from);
void *__wrap_mmap(void *wish, size_t bytes, int how, int flags, int file, off_t from)
{
    if (scarce_refuses())
        return MAP_FAILED;
    void *start = __real_mmap(wish, bytes, how, flags, file, from);
    if (start != MAP_FAILED && !(flags & MAP_FIXED))
        scarce.mapped_bytes += (long)bytes;
    return start;
}

int __real_mprotect(void *start, size_t bytes, int how);
int __wrap_mprotect(void *start, size_t bytes, int how);
int __wrap_mprotect(void *start, size_t bytes, int how)
{
    return scarce_refuses() ? -1 : __real_mprotect(start, bytes, how);
}

int __real_munmap(void *start, size_t bytes);
int __wrap_munmap(void *start, size_t bytes);
int __wrap_munmap(void *start, size_t bytes)
{
    scarce.mapped_bytes -= (long)bytes;
    return __real_munmap(start, bytes);
}

/* ---- replacements of functions that hand out parts ---- */

/* A program may make thousands of requests at one place in the code, each like the one before. Of
 * these only the first, the second, the fourth, and so on, may be refused. */
enum { SCARCE_PLACES = 64 };
static struct {
    const void *place;
    unsigned count;
} scarce_places[SCARCE_PLACES];

static bool scarce_counts_of_place(const void *place)
{
    size_t i = 0;
    while (scarce_places[i].place && scarce_places[i].place != place)
        if (++i == SCARCE_PLACES)
            abort();
    scarce_places[i].place = place;
    unsigned count = ++scarce_places[i].count;
    return (count & (count - 1)) == 0;
}

void scarce_forget_places(void)
{
    memset(scarce_places, 0, sizeof scarce_places);
}

static bool scarce_refuses_part(const void *place)
{
    return (!scarce.is_sampled || scarce_counts_of_place(place)) && scarce_refuses();
}

#define SCARCE_PART(type, nothing, name, parameters, arguments)                                    \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return scarce_refuses_part(__builtin_return_address(0)) ? (nothing)                        \
                                                                : __real_##name arguments;         \
    }

SCARCE_PART(void *, NULL, ep_memory_room, (void *at, size_t count, size_t *room, size_t bytes),
            (at, count, room, bytes))
SCARCE_PART(int, -1, ep_hash_map_reserve, (struct ep_map * map, size_t count), (map, count))
SCARCE_PART(char *, NULL, ep_memory_take, (struct ep_arena * arena, size_t bytes), (arena, bytes))
SCARCE_PART(char *, NULL, ep_memory_text, (struct ep_arena * arena, const char *text, size_t bytes),
            (arena, text, bytes))
SCARCE_PART(struct eprof_row *, NULL, ep_rows_add, (struct eprof_snapshot * snapshot, size_t count),
            (snapshot, count))
SCARCE_PART(ep_ref, 0, ep_image_take, (struct ep_image * image, uint32_t count), (image, count))
SCARCE_PART(ep_ref, 0, ep_image_take_limited, (struct ep_image * image), (image))
SCARCE_PART(ep_ref, 0, ep_image_text,
            (struct ep_image * image, const char *text, uint32_t bytes, uint32_t *cells),
            (image, text, bytes, cells))
SCARCE_PART(int, -1, ep_image_instance_add, (struct ep_image * image, uint32_t slot), (image, slot))
SCARCE_PART(ep_ref, 0, ep_thread_take,
            (struct ep_thread * thread, struct ep_pool *pool, uint32_t count),
            (thread, pool, count))

/* ---- calls for files ---- */

static bool scarce_refuses_file(void)
{
    return scarce.with_files && scarce_refuses_with(SCARCE_FILE_ERROR);
}

#define SCARCE_FILE_CALL(type, nothing, name, parameters, arguments)                               \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return scarce_refuses_file() ? (nothing) : __real_##name arguments;                        \
    }

SCARCE_FILE_CALL(int, -1, stat, (const char *path, struct stat *status), (path, status))
SCARCE_FILE_CALL(int, -1, lstat, (const char *path, struct stat *status), (path, status))
SCARCE_FILE_CALL(int, -1, fstat, (int file, struct stat *status), (file, status))
SCARCE_FILE_CALL(ssize_t, -1, pread, (int file, void *to, size_t bytes, off_t from),
                 (file, to, bytes, from))
SCARCE_FILE_CALL(ssize_t, -1, pwrite, (int file, const void *from, size_t bytes, off_t to),
                 (file, from, bytes, to))
SCARCE_FILE_CALL(int, -1, flock, (int file, int how), (file, how))
SCARCE_FILE_CALL(int, -1, fsync, (int file), (file))
SCARCE_FILE_CALL(int, -1, fchmod, (int file, mode_t mode), (file, mode))
SCARCE_FILE_CALL(int, -1, rename, (const char *from, const char *to), (from, to))
SCARCE_FILE_CALL(int, -1, renameat2,
                 (int from_folder, const char *from, int to_folder, const char *to, unsigned how),
                 (from_folder, from, to_folder, to, how))
SCARCE_FILE_CALL(int, -1, faccessat, (int folder, const char *path, int mode, int how),
                 (folder, path, mode, how))
SCARCE_FILE_CALL(FILE *, NULL, fdopen, (int file, const char *how), (file, how))

/* The caller releases it by free(). */
char *__real_realpath(const char *path, char *to);
char *__wrap_realpath(const char *path, char *to);
char *__wrap_realpath(const char *path, char *to)
{
    if (scarce_refuses_file())
        return NULL;
    char *found = __real_realpath(path, to);
    scarce.held += found && !to;
    return found;
}

int __real_open(const char *path, int how, ...);
int __wrap_open(const char *path, int how, ...);
int __wrap_open(const char *path, int how, ...)
{
    va_list arguments;
    va_start(arguments, how);
    mode_t mode = how & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return scarce_refuses_file() ? -1 : __real_open(path, how, mode);
}

/* ---- acts ---- */

enum { SCARCE_TEXT_BYTES = 1 << 20 };

struct scarce_outcome {
    int result, error;
    char text[SCARCE_TEXT_BYTES];
};

static void scarce_do(scarce_act act, struct scarce_outcome *outcome)
{
    memset(outcome->text, 0, sizeof outcome->text);
    FILE *out = fmemopen(outcome->text, sizeof outcome->text - 1, "w");
    assert_non_null(out);
    setvbuf(out, NULL, _IONBF, 0); /* so that it makes no request itself */
    scarce.requests = scarce.held = scarce.mapped_bytes = 0;
    errno = 0;
    outcome->result = act(out);
    outcome->error = errno;
    long at = scarce.refused;
    scarce.refused = -1;
    fclose(out);
    if (scarce.held || scarce.mapped_bytes)
        fail_msg("request %ld: %ld pieces and %ld bytes of pages are not given back", at,
                 scarce.held, scarce.mapped_bytes);
}

static void scarce_try_without(scarce_act act, long refused, bool and_later,
                               const struct scarce_outcome *plain)
{
    static struct scarce_outcome outcome;
    scarce.refused = refused;
    scarce.and_later = and_later;
    scarce_do(act, &outcome);
    const char *which = and_later ? " and later ones" : "";
    if (outcome.result != 0 && outcome.error != ENOMEM && outcome.error != SCARCE_FILE_ERROR)
        fail_msg("request %ld%s: %s", refused, which, strerror(outcome.error));
    if (outcome.result == 0 && strcmp(outcome.text, plain->text) != 0)
        fail_msg("request %ld%s:\n%s\nis not\n%s", refused, which, outcome.text, plain->text);
}

void scarce_try(scarce_act act)
{
    static struct scarce_outcome plain;
    scarce_do(act, &plain); /* everything that is made once for all acts exists now */
    scarce_do(act, &plain);
    assert_int_equal(plain.result, 0);
    long requests = scarce.requests;
    assert_int_not_equal(requests, 0);
    for (long i = 0; i < requests; i++) {
        scarce_try_without(act, i, false, &plain);
        scarce_try_without(act, i, true, &plain);
    }
}
