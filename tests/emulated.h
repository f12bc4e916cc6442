/*
 * emulated.h - what qemu-user 7.2 does not do as a kernel does: a test that needs it is not built
 * for another processor, so that no test passes that did not run
 *
 * What is left out as a whole stands in tests/CMakeLists.txt and those below it, each with its
 * reason, under CMAKE_CROSSCOMPILING.
 */
#ifndef EMULATED_H
#define EMULATED_H

#ifdef EPROF_TEST_EMULATED
#define EMULATED 1
#else
#define EMULATED 0
#endif

/* madvise(MADV_WIPEONFORK) succeeds, and wipes nothing. The handlers of pthread_atfork() do, after
 * fork(); after clone() and _Fork() nobody does. */
#define FORKS_WIPE_MEMORY (!EMULATED)

/* vfork() is fork(): posix_spawn() does not learn from its child that there is no such program. */
#define CHILDREN_OF_VFORK_SHARE_MEMORY (!EMULATED)

/* Of an address space that is bounded (cmake/run_by_qemu.sh) mprotect(2) takes what is not mapped.
 */
#define PAGES_ARE_MAPPED_FIRST (!EMULATED)

#endif /* EMULATED_H */
