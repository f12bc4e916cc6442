/*
 * api/path_pattern.h - paths of files with `%p` for the process id and `%%` for a percent sign
 *
 * A pattern is expanded when a process writes the file. Relative paths start at the directory that
 * was current at first use.
 */
#ifndef EP_API_PATH_PATTERN_H
#define EP_API_PATH_PATTERN_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* At first use: stores the current directory. */
void ep_path_pattern_begin(void);

/* Makes a relative path or pattern absolute; in a pattern the percent signs of the directory are
 * doubled. `-` is kept. To be freed. NULL and ENOMEM. */
char *ep_path_pattern_absolute(const char *path, bool is_pattern);
/* The process that a path belongs to: for a path of the environment the process that loaded the
 * library, for a path of the program the calling process. */
pid_t ep_path_pattern_owner(bool is_of_environment);
/* Expands the pattern for this process. In a forked child of `owner` ".PID" is appended if the
 * pattern has no `%p`. of_rank: 0; otherwise 1 more than the rank in a job, for a file that each
 * process of the job writes: ".RANK" is appended, since processes on several hosts may have equal
 * process ids. Allocates no memory. Returns 0, or -1 and ENAMETOOLONG. */
int ep_path_pattern_expand(const char *pattern, pid_t owner, uint64_t of_rank, char path[PATH_MAX]);

#endif /* EP_API_PATH_PATTERN_H */
