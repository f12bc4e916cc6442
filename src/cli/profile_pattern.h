/*
 * profile_pattern.h - the names of profile files: %n is the run, %p the process, %% a percent
 * sign
 *
 * %p and %% are left to the library, whose grammar of paths has them too. Every text that is
 * returned is the caller's; NULL and errno, which is ENOMEM but where something else is told.
 */
#ifndef EP_CLI_PROFILE_PATTERN_H
#define EP_CLI_PROFILE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

/* Where nothing is said: PROGRAM.eprof, in the current directory. */
char *ep_profile_pattern_of_program(const char *program);
/* `letter` is n or p. */
bool ep_profile_pattern_has(const char *pattern, char letter);
/* With `.%n` before the ending .eprof, or at the end of another. */
char *ep_profile_pattern_for_several(const char *pattern);

/* With the number of the run, and absolute: the program may change its directory before it
 * first uses the library. Also the errno of getcwd(). */
char *ep_profile_pattern_of_run(const char *pattern, uint64_t run);

/* The pattern of a run as the path of one process: of the program itself, or of one that it
 * forked, where there is no %p in it; */
char *ep_profile_pattern_path(const char *pattern, uint64_t process_id, bool is_forked);
/* and for glob(3), which finds those of all, and perhaps more. */
char *ep_profile_pattern_glob(const char *pattern, bool is_forked);

#endif /* EP_CLI_PROFILE_PATTERN_H */
