/*
 * emulated.h - the kernel functions that qemu-user 7.2 does not provide correctly: a test that
 * needs one is not built for another processor, so that no test passes without having run
 *
 * Test programs that are not built at all are listed in tests/CMakeLists.txt and in the
 * CMakeLists.txt below it, each with its reason, under CMAKE_CROSSCOMPILING.
 */
#ifndef EMULATED_H
#define EMULATED_H

#ifdef EPROF_TEST_EMULATED
#define EMULATED 1
#else
#define EMULATED 0
#endif

/* madvise(MADV_WIPEONFORK) succeeds, but wipes nothing. After fork() the handlers of
 * pthread_atfork() wipe the memory; after clone() and _Fork() nothing does. */
#define FORKS_WIPE_MEMORY (!EMULATED)

/* If the address space is limited (cmake/run_by_qemu.sh), mprotect(2) succeeds on memory that is
 * not mapped. */
#define PAGES_ARE_MAPPED_FIRST (!EMULATED)

/* prctl(2) refuses PR_SET_SECCOMP: a filter would also apply to the emulator's own system calls. */
#define CALLS_CAN_BE_REFUSED (!EMULATED)

/* Unmapped addresses are not used again, so a library is never loaded where another one was. */
#define ADDRESSES_ARE_USED_AGAIN (!EMULATED)

/* execve(2) is the system call of the real kernel. It cannot run programs of another processor, but
 * it can run a script that starts qemu with one. So a test cannot start a copy of itself, nor one
 * with other rights. */
#define COPIES_CAN_BE_STARTED (!EMULATED)

/* The emulator writes /proc/self/cmdline into a file when a program opens it, and so the limit of
 * the process for file sizes applies to it: if the limit is lower than these few bytes, SIGXFSZ
 * ends the emulator. */
#define PROC_IS_NO_FILE_OF_THE_PROCESS (!EMULATED)

#endif /* EMULATED_H */
