/*
 * sanitizer.h - which sanitizer a test is built with: a test that does not work with it is not
 * built, so that no test passes without having run
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

/* Sanitizers and valgrind keep freed memory; with an emulator, its own memory is counted too. */
#define RESIDENT_MEMORY_IS_THE_PROGRAMS (!IS_WATCHED && !EMULATED)

/* The sanitizers of threads and of memory notice a fork only if it is made by fork(): after another
 * fork the child may wait for their locks for ever. Memory is also not wiped there (emulated.h). */
#define BARE_FORKS_ARE_SAFE (!THREAD_SANITIZER && !MEMORY_SANITIZER && FORKS_WIPE_MEMORY)
/* In a child, the lock of the allocator may be held for ever, by a thread that does not exist
 * there. */
#define CHILDREN_CAN_ALLOCATE (!ADDRESS_SANITIZER && !MEMORY_SANITIZER)
/* Valgrind and qemu-user run vfork() as fork(), which is another system call and shares no memory:
 * posix_spawn() is not notified by its child that there is no such program. */
#define VFORK_IS_NO_FORK (!VALGRIND && !EMULATED)

/* Valgrind takes a jump from one stack up to another one near it for a return, and then treats the
 * memory between them as undefined. */
#define STACKS_MAY_BE_NEAR (!VALGRIND)

/* Valgrind's own memory is memory of the program: valgrind ends when it gets none. The thread
 * sanitizer maps memory now and then for the stacks of calls, and sets errno if it gets none. */
#define MEMORY_CAN_BE_FORBIDDEN (!VALGRIND && !THREAD_SANITIZER)

/* A script starts the programs by their paths: tests/valgrind/link.sh, cmake/run_by_qemu.sh. */
#define PROGRAMS_ARE_CALLED_AS_THEY_WERE_STARTED (!VALGRIND && !EMULATED)
/* Valgrind 3.19 joins adjacent mappings of one file with two names, and then counts the names
 * wrong: when the mappings go, or more are added, it ends by its own assertion ("is_freeslot"). An
 * image file has been renamed before it grows. */
#define RENAMED_FILES_MAY_GROW (!VALGRIND)

/* These make a program at least ten times as slow; the thread sanitizer is the fastest of them. */
#define TAKES_LONG (THREAD_SANITIZER || TAKES_VERY_LONG)
#define TAKES_VERY_LONG (MEMORY_SANITIZER || VALGRIND || EMULATED)

/* Tests also compare padding, which no code writes, and memory written by code that is not compiled
 * with the sanitizer, which does not see these writes. */
#if MEMORY_SANITIZER
#define take_as_written(start, bytes) __msan_unpoison((start), (bytes))
#else
#define take_as_written(start, bytes) ((void)0)
#endif

#endif /* SANITIZER_H */
