/*
 * path_pattern.h - the paths of files that are named before it is known whose they are
 *
 * `%p` stands for the process id and `%%` for a percent sign; a relative path is from the
 * directory at first use.
 */
#ifndef EP_PATH_PATTERN_H
#define EP_PATH_PATTERN_H

#include <stdbool.h>

/* At first use: notes the process and its directory. */
void ep_path_pattern_begin(void);
/* Whether this is not that process, but a forked child of it. */
bool ep_path_pattern_is_child(void);

/* The pattern as an absolute path, `-` as it is; to be freed. NULL and ENOMEM. */
char *ep_path_pattern_absolute(const char *path);
/* The path of this process: a forked child's that has no `%p` gets its id behind a dot. To be
 * freed; NULL and ENOMEM. */
char *ep_path_pattern_expand(const char *pattern);

#endif /* EP_PATH_PATTERN_H */
