/* The profile file of a process that cannot give the file its name. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eprof.h"
#include "record/process.h"
#include "support/test.h"

int renameat2(int oldfd, const char *old, int newfd, const char *new, unsigned flags)
{
    (void)oldfd, (void)old, (void)newfd, (void)new, (void)flags;
    errno = EACCES;
    return -1;
}

static char folder[] = P_tmpdir "/eprof-profile-XXXXXX";

static int enter(void **state)
{
    (void)state;
    unsetenv("EPROF");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    return chdir("/") == 0 ? rmdir(folder) : -1; /* no file was left in the directory */
}

static uint64_t calls_of_first_row(void)
{
    struct eprof_row row = {.size = sizeof row};
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_row(snapshot, 0, &row), 0);
    eprof_snapshot_free(snapshot);
    return row.calls;
}

TEST(recording_is_in_memory_as_if_no_file_had_been_asked_for)
{
    int id = eprof_alloc("a");
    for (int i = 0; i < 3; i++) {
        eprof_start(id);
        eprof_stop(id);
    }
    int next = dup(0);
    close(next);
    assert_int_equal(eprof_setup("image=place"), -1);
    assert_int_equal(ep_process.image.backing.cells, 0);
    assert_int_equal(calls_of_first_row(), 3);
    /* in pages that were not in the file before */
    for (int i = 0; i < 5000; i++) {
        char label[16];
        snprintf(label, sizeof label, "%d", i);
        eprof_enter(label);
        eprof_leave();
    }
    eprof_start(id);
    eprof_stop(id);
    assert_int_equal(calls_of_first_row(), 4);
    int after = dup(0); /* the descriptor was closed */
    close(after);
    assert_int_equal(after, next);
}

TEST_ALL(enter, leave)
