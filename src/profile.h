/*
 * profile.h - the profile file: EPROF=image=PATH
 *
 * The image is moved into it when it is asked for, before anything else can record; a forked
 * child gets a file of its own when it first uses the library; the end of the program closes it.
 */
#ifndef EP_PROFILE_H
#define EP_PROFILE_H

#include <stdbool.h>

/* Asks for it; what the environment asked for stays. Lock. 0; -1 and errno: *why says what is
 * in the way. */
int ep_profile_ask(const char *path, bool is_of_environment, const char **why);
/* The path as it was asked for; NULL: none is. Lock. */
const char *ep_profile_asked(void);
/* Begins what was asked for, if it has not begun. Lock. 0; -1: it cannot be, and *why says
 * why. */
int ep_profile_begin(const char **why);

/* At exit: what is open has run until now. */
void ep_profile_close(void);
/* Whether there is a file, and everything is in it. */
bool ep_profile_is_whole(void);

/* eprof_save(): 0, or -1 and errno. */
int ep_profile_save(const char *path);

#endif /* EP_PROFILE_H */
