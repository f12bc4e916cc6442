/*
 * scarce.h - memory that is refused: each request of an act, one after the other
 *
 * The linker puts these in the place of the C library's, and of what hands out a part of what it
 * has: an element of an array, a text, a cell (--wrap). These mostly have some left, and are asked
 * to refuse all the same. An act is done once with all that it asks for, and then without its first
 * request, without its second, and so on; and without all from each of them on. It comes to the
 * same result, or fails with ENOMEM; and in both cases gives back what it took.
 */
#ifndef SCARCE_H
#define SCARCE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arena.h"
#include "array.h"
#include "image.h"
#include "map.h"
#include "snapshot_rows.h"
#include "thread.h"

#define SCARCE_FILE_ERROR EIO /* what calls for files fail with: scarce_files.h */

static struct scarce {
    long requests; /* so far */
    long refused;  /* this one, from 0; -1: none */
    bool and_later;
    bool is_thinned;   /* of parts that are asked for in one place not each counts */
    long held;         /* pieces that were handed out and not given back */
    long mapped_bytes; /* the same of pages */
} scarce = {.refused = -1};

static inline bool scarce_refuses_with(int error)
{
    long at = scarce.requests++;
    if (scarce.refused < 0 || at < scarce.refused || (at > scarce.refused && !scarce.and_later))
        return false;
    errno = error;
    return true;
}

static inline bool scarce_refuses(void)
{
    return scarce_refuses_with(ENOMEM);
}

/* ---- in the place of the C library's ---- */

static inline void *scarce_hand_out(void *start)
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

/* ---- in the place of those that hand out parts ---- */

/* From one place a program asks for thousands, each like the one before: of these it may be refused
 * the first, the second, the fourth, and so on. */
enum { SCARCE_PLACES = 64 };
static struct {
    const void *place;
    unsigned count;
} scarce_places[SCARCE_PLACES];

static inline bool scarce_counts_of_place(const void *place)
{
    size_t i = 0;
    while (scarce_places[i].place && scarce_places[i].place != place)
        if (++i == SCARCE_PLACES)
            abort();
    scarce_places[i].place = place;
    unsigned count = ++scarce_places[i].count;
    return (count & (count - 1)) == 0;
}

/* The next one is the first again. */
static inline void scarce_forget_places(void)
{
    memset(scarce_places, 0, sizeof scarce_places);
}

static inline bool scarce_refuses_part(const void *place)
{
    return (!scarce.is_thinned || scarce_counts_of_place(place)) && scarce_refuses();
}

#define SCARCE_PART(type, nothing, name, parameters, arguments)                                    \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return scarce_refuses_part(__builtin_return_address(0)) ? (nothing)                        \
                                                                : __real_##name arguments;         \
    }

SCARCE_PART(void *, NULL, ep_array_room, (void *at, size_t count, size_t *room, size_t bytes),
            (at, count, room, bytes))
SCARCE_PART(int, -1, ep_map_reserve, (struct ep_map * map, size_t count), (map, count))
SCARCE_PART(char *, NULL, ep_arena_take, (struct ep_arena * arena, size_t bytes), (arena, bytes))
SCARCE_PART(char *, NULL, ep_arena_text, (struct ep_arena * arena, const char *text, size_t bytes),
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

/* ---- acts ---- */

/* Writes what it has come to. 0, or -1 and errno. */
typedef int (*scarce_act)(FILE *out);

enum { SCARCE_TEXT_BYTES = 1 << 20 };

struct scarce_outcome {
    int result, error;
    char text[SCARCE_TEXT_BYTES];
};

static inline void scarce_do(scarce_act act, struct scarce_outcome *outcome)
{
    memset(outcome->text, 0, sizeof outcome->text);
    FILE *out = fmemopen(outcome->text, sizeof outcome->text - 1, "w");
    assert_non_null(out);
    setvbuf(out, NULL, _IONBF, 0); /* so that it asks for nothing itself */
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

static inline void scarce_try_without(scarce_act act, long refused, bool and_later,
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

static inline void scarce_try(scarce_act act)
{
    static struct scarce_outcome plain;
    scarce_do(act, &plain); /* what is made once for all acts is made */
    scarce_do(act, &plain);
    assert_int_equal(plain.result, 0);
    long requests = scarce.requests;
    assert_int_not_equal(requests, 0);
    for (long i = 0; i < requests; i++) {
        scarce_try_without(act, i, false, &plain);
        scarce_try_without(act, i, true, &plain);
    }
}

#endif /* SCARCE_H */
