/*
 * eprof/job.h - internal, for libeprof-mpi: a process as a part of a job
 *
 * The processes of a job, such as the ranks of MPI, merge their images before they end. One of them
 * then writes the profile file and the reports of the whole job. None of them writes its own
 * reports at its end. Its own file (EPROF=image=PATH) stays as it is.
 */
#ifndef EPROF_JOB_H
#define EPROF_JOB_H

#include <eprof.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { EPROF_JOB_CALLS = 1 }; /* the calls of MPI are to be recorded (no EPROF=mpi-calls=off) */
#define EPROF_JOB_NO_RANK UINT32_MAX

/* The process begins to be number `rank` of a job; the image states it. EPROF_JOB_NO_RANK: the
 * number is not known. Returns EPROF_JOB_CALLS or 0; -1: nothing can be recorded. */
int eprof_job_begin(uint32_t rank);
/* Calls use() once with a copy of this process's image, which is valid until it returns. Returns
 * its result; -1 and errno: there is no copy. ECANCELED: EPROF=off. */
int eprof_job_image(int (*use)(void *context, const void *cells, size_t bytes), void *context);
/* The processes have merged. cells: the merged image in the process that writes the profile file
 * and the reports; NULL in all others. Faults are reported on stderr. */
void eprof_job_end(const void *cells, size_t bytes);
/* The processes could not merge. This one saves its own profile, and writes its own reports at its
 * end. ".RANK" is appended to the paths, since all processes have the same ones; or ".PID" if the
 * rank is not known. */
void eprof_job_fail(void);
/* Writes "eprof: MPI: why" to stderr. */
void eprof_job_complain(const char *why);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* EPROF_JOB_H */
