#include "judge.h"

#include <math.h>
#include <stdio.h>

void judge_print_head(void)
{
    printf("%-10s %5s %7s %12s %12s %9s\n", "region", "calls", "timed", "true ns", "reported ns",
           "off by");
}

bool judge(const char *what, unsigned calls, struct measured measured, struct limit limit)
{
    double off_ns = measured.reported_ns - measured.true_ns;
    double allowed_ns =
        fmax(fmax(measured.true_ns * limit.part, limit.least_ns), measured.error_ns);
    bool is_honest = off_ns <= allowed_ns && off_ns >= -allowed_ns;
    printf("%-10s %5u %5.1f %% %12.1f %12.1f %+9.1f %+8.2f %%  %s\n", what, calls,
           measured.timed * 100, measured.true_ns, measured.reported_ns, off_ns,
           off_ns / measured.true_ns * 100, is_honest ? "" : "too far off");
    fflush(stdout);
    return is_honest;
}
