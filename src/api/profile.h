/*
 * api/profile.h - the profile file: EPROF=image=PATH
 *
 * The image is moved into the file when the file is requested, before anything else can record. A
 * forked child gets a file of its own at its first use of the library. The end of the program
 * closes the file. "Lock": the caller holds the process lock.
 */
#ifndef EP_API_PROFILE_H
#define EP_API_PROFILE_H

#include <stdbool.h>

struct ep_image;

/* Requests a file. NULL, or why there can be none. Lock. */
const char *ep_profile_ask(const char *path, bool is_of_environment);
/* Withdraws the request. Lock. */
void ep_profile_forget(void);
/* The requested path, or NULL. Lock. */
const char *ep_profile_asked(void);
/* Creates the requested file, unless it exists already. NULL, or why not. Lock. */
const char *ep_profile_begin(void);

/* At exit: open scopes end now. */
void ep_profile_close(void);
/* Whether there is a file, and it contains everything. */
bool ep_profile_is_whole(void);

/* eprof_save(): 0, or -1 and errno. */
int ep_profile_save(const char *path);
/* The copy that eprof_save() writes, to be destroyed. 0, or -1 and errno. */
int ep_profile_copy(struct ep_image *copy);

/* For ep_upward: gives a forked child that has been set up a file of its own. Lock. */
void ep_profile_renewed(void);
/* For ep_upward: says on stderr that the file cannot grow any more. Needs no lock, no memory. */
void ep_profile_cut_short(int error);

#endif /* EP_API_PROFILE_H */
