/*
 * disk.h - a disk of any size, as the current directory of a test
 *
 * It is in a mount namespace of this process: no other process sees it, and it disappears with the
 * process.
 */
#ifndef DISK_H
#define DISK_H

#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

/* Root can make it; other users can, if the kernel permits user namespaces. */
static inline bool disk_may_be_had(void)
{
    int flags = geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER;
    return unshare(flags) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("tmpfs", "/mnt", "tmpfs", 0, "size=64k") == 0 && umount("/mnt") == 0;
}

/* Makes an empty disk of this size; it replaces the one before. */
static inline void disk_make(size_t bytes)
{
    char size[32];
    assert_return_code(chdir("/"), errno);
    umount2("/mnt", MNT_DETACH);
    snprintf(size, sizeof size, "size=%zu", bytes);
    assert_return_code(mount("tmpfs", "/mnt", "tmpfs", 0, size), errno);
    assert_return_code(chdir("/mnt"), errno);
}

static inline int disk_leave(void **state)
{
    (void)state;
    int result = chdir("/");
    umount2("/mnt", MNT_DETACH);
    return result;
}

/* Fills the disk to the last page. It asserts nothing, so that programs may call it. */
static inline void disk_fill(void)
{
    static const char page[4096];
    int file = open("filler", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    while (write(file, page, sizeof page) > 0)
        ;
    close(file);
}

/* Makes the disk read-only; its files remain. */
static inline void disk_make_read_only(void)
{
    assert_return_code(mount(NULL, "/mnt", NULL, MS_REMOUNT | MS_RDONLY, NULL), errno);
}

#endif /* DISK_H */
