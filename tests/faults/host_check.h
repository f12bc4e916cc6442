/*
 * host_check.h - whether what was made stands in the end, and nothing is left over
 */
#ifndef FAULTS_HOST_CHECK_H
#define FAULTS_HOST_CHECK_H

#include <stdbool.h>

/* Before the first call. */
void host_check_begin(void);
/* No call fails any more: what was recorded is reported, or counted as lost. */
void host_check(void);

/* No call fails while they are paused. */
void host_pause_faults(bool is_paused);

#endif /* FAULTS_HOST_CHECK_H */
