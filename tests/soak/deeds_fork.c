/* Forks in the middle of other deeds of the parent: the child has its own ledger. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "clock.h"
#include "deeds.h"
#include "moment.h"

enum { CHILD_DEEDS = 20, CHILD_SECONDS = 60 /* more than a child needs, with a sanitizer too */ };

/* In a storm the source may be about to change, so the child chooses its own. */
static void live(struct soak_worker *worker)
{
    char why[1024];
    struct ledger *ledger = &worker->soak->ledger;
    alarm(CHILD_SECONDS);
    moment_leave_out();
    worker->is_child = true;
    ledger_fork(ledger, worker->book);
    if (moment_is_storm())
        clock_change(0);
    moment_storm(false);
    for (int i = 0; i < CHILD_DEEDS; i++)
        deed_next(worker);
    enum rows_measure measure = clock_is_by_hand() ? ROWS_EXACT : ROWS_COUNTS;
    if (check_snapshots(ledger, measure, why, sizeof why) != 0)
        soak_fail(worker, "%s", why);
    _exit(0);
}

static pid_t begin(void)
{
    if (FORKS_ALONE)
        moment_begin_alone();
    else
        moment_begin();
    return fork();
}

void deed_fork(struct soak_worker *worker)
{
    int status = 0;
    if (FORKS_ALONE && moment_is_storm())
        return;
    pid_t child = begin();
    if (child == 0)
        live(worker);
    moment_end();
    if (child < 0)
        soak_fail(worker, "there is no process to be had: %s", strerror(errno));
    else if (waitpid(child, &status, 0) != child || status != 0)
        soak_fail(worker, "a child ended with status %#x", (unsigned)status);
}
