/*
 * api/job.h - a job of several processes, whose images libeprof-mpi merges: the profile file of the
 * whole, and its reports in place of those of each process
 *
 * The calls of libeprof-mpi are in the internal header eprof/job.h. "Lock": the caller holds the
 * process lock.
 */
#ifndef EP_API_JOB_H
#define EP_API_JOB_H

#include <stdbool.h>

/* EPROF=mpi=PATH: the profile file of the job. 0, or -1 and ENOMEM. Lock. */
int ep_job_ask(const char *path, bool is_of_environment);
/* EPROF=mpi-calls=off. Lock. */
void ep_job_calls_off(void);

#endif /* EP_API_JOB_H */
