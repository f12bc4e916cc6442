#include "judge.h"

#include <stdio.h>

void judge_print_head(void)
{
    printf("%-10s %5s %12s %12s %9s\n", "region", "calls", "true ns", "reported ns", "off by");
}

bool judge(const char *what, unsigned calls, struct measured measured, double least_ns)
{
    double off_ns = measured.reported_ns - measured.true_ns;
    double allowed_ns = measured.true_ns * 0.03;
    if (allowed_ns < least_ns)
        allowed_ns = least_ns;
    bool is_honest = off_ns <= allowed_ns && off_ns >= -allowed_ns;
    printf("%-10s %5u %12.1f %12.1f %+9.1f %+8.2f %%  %s\n", what, calls, measured.true_ns,
           measured.reported_ns, off_ns, off_ns / measured.true_ns * 100,
           is_honest ? "" : "too far off");
    return is_honest;
}
