/*
 * host_check.h - checks that all recorded calls are reported at the end, and that no resource is
 * left over
 */
#ifndef FAULTS_HOST_CHECK_H
#define FAULTS_HOST_CHECK_H

#include <stdbool.h>

/* To be called before the first call. */
void host_check_begin(void);
/* From now on no call fails: recorded calls must be reported, or be counted as lost. */
void host_check(void);

/* While faults are paused, no call fails. */
void host_pause_faults(bool is_paused);

#endif /* FAULTS_HOST_CHECK_H */
