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

/* Of an address space that is bounded (cmake/run_by_qemu.sh) mprotect(2) takes what is not mapped.
 */
#define PAGES_ARE_MAPPED_FIRST (!EMULATED)

/* prctl(2) refuses PR_SET_SECCOMP: a filter would be for the emulator's own calls. */
#define CALLS_CAN_BE_REFUSED (!EMULATED)

/* What was unmapped is not handed out again: a library lies where no other lay. */
#define ADDRESSES_ARE_USED_AGAIN (!EMULATED)

/* execve(2) is the kernel's, which knows no programs of another processor, but a script that has
 * qemu run one: no copy of a test can be started, and none with other rights. */
#define COPIES_CAN_BE_STARTED (!EMULATED)

/* /proc/self/cmdline is a file that the emulator writes when it is opened, and so one that the
 * process's limit for files is for: below its few bytes SIGXFSZ ends the emulator. */
#define PROC_IS_NO_FILE_OF_THE_PROCESS (!EMULATED)

#endif /* EMULATED_H */
