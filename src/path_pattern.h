/*
 * path_pattern.h - the paths of files that are named before it is known whose they are
 *
 * `%p` stands for the process id and `%%` for a percent sign; a relative path is from the
 * directory at first use.
 */
#ifndef EP_PATH_PATTERN_H
#define EP_PATH_PATTERN_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* At first use: notes the directory. */
void ep_path_pattern_begin(void);

/* The pattern as an absolute path, `-` as it is; to be freed. NULL and ENOMEM. */
char *ep_path_pattern_absolute(const char *path);
/* Whose path it is, without more: of the environment's the process that loaded the library, of
 * the program's own the one that asked. */
pid_t ep_path_pattern_owner(bool is_of_environment);
/* The path of this process: where it is a forked child of `owner`, one without `%p` gets its id
 * behind a dot. Needs no memory. 0; -1 and ENAMETOOLONG. */
int ep_path_pattern_expand(const char *pattern, pid_t owner, char path[PATH_MAX]);

#endif /* EP_PATH_PATTERN_H */
