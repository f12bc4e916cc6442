/* signals.c - functions that run in signal handlers */
#include "subjects.h"

SUBJECTS_BEGIN

void signal_work(void)
{
    STAY();
}

void on_signal(int signal)
{
    (void)signal;
    signal_work();
    signal_work();
}

void raises(int signal)
{
    leaf();
    raise(signal);
    leaf();
}

void visits(int depth)
{
    leaf();
    if (depth)
        visits(depth - 1);
    leaf();
}

SUBJECTS_END
