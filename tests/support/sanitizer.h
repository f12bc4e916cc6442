/*
 * sanitizer.h - which sanitizer a test is built with: what one of them cannot
 * bear is not built, so that no test passes that did not run
 */
#ifndef SANITIZER_H
#define SANITIZER_H

#include "emulated.h"

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER 1
#endif
#if defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZER 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define THREAD_SANITIZER 1
#endif
#if __has_feature(memory_sanitizer)
#define MEMORY_SANITIZER 1
#include <sanitizer/msan_interface.h>
#endif
#endif

#ifndef ADDRESS_SANITIZER
#define ADDRESS_SANITIZER 0
#endif
#ifndef THREAD_SANITIZER
#define THREAD_SANITIZER 0
#endif
#ifndef MEMORY_SANITIZER
#define MEMORY_SANITIZER 0
#endif
#ifdef EPROF_TEST_VALGRIND
#define VALGRIND 1
#else
#define VALGRIND 0
#endif
#define ANY_SANITIZER (ADDRESS_SANITIZER || THREAD_SANITIZER || MEMORY_SANITIZER)
#define IS_WATCHED (ANY_SANITIZER || VALGRIND)

/* What was freed is kept by what watches a program; an emulator's memory is there as well. */
#define RESIDENT_MEMORY_IS_THE_PROGRAMS (!IS_WATCHED && !EMULATED)

/* Those of threads and of memory do not see a fork but by fork(): its child may wait for their
 * locks for ever. Nor does a child of it find wiped what is to be (emulated.h). */
#define BARE_FORKS_ARE_SAFE (!THREAD_SANITIZER && !MEMORY_SANITIZER && FORKS_WIPE_MEMORY)
/* The lock of all memory may be held for ever in a child, by a thread that is not there. */
#define CHILDREN_CAN_ALLOCATE (!ADDRESS_SANITIZER && !MEMORY_SANITIZER)
/* For valgrind and qemu-user vfork() is fork(), another call of the kernel, and shares no memory:
 * posix_spawn() does not learn from its child that there is no such program. */
#define VFORK_IS_NO_FORK (!VALGRIND && !EMULATED)

/* For valgrind a jump from one stack up to another that is near is a return: it takes what lies
 * between for undefined. */
#define STACKS_MAY_BE_NEAR (!VALGRIND)

/* Valgrind's own memory is the program's: without any it ends. */
#define MEMORY_CAN_BE_FORBIDDEN (!VALGRIND)

/* A script starts them by their paths: tests/valgrind/link.sh, cmake/run_by_qemu.sh. */
#define PROGRAMS_ARE_CALLED_AS_THEY_WERE_STARTED (!VALGRIND && !EMULATED)
/* Of mappings side by side, of one file by two names, valgrind 3.19 makes one and counts the names
 * wrong: when they go, or more are added, it ends by an assertion of its own ("is_freeslot"). An
 * image has been renamed when it grows. */
#define RENAMED_FILES_MAY_GROW (!VALGRIND)

/* Ten times as long as without, or more; that of threads is the quickest of them. */
#define TAKES_LONG (THREAD_SANITIZER || TAKES_VERY_LONG)
#define TAKES_VERY_LONG (MEMORY_SANITIZER || VALGRIND || EMULATED)

/* Padding is compared as well, which nobody writes; what is not compiled for it writes unseen. */
#if MEMORY_SANITIZER
#define take_as_written(start, bytes) __msan_unpoison((start), (bytes))
#else
#define take_as_written(start, bytes) ((void)0)
#endif

#endif /* SANITIZER_H */
