/*
 * environment.h - the items of EPROF= and eprof_setup()
 *
 * The grammar: item,item,... where `\,` is a comma, `\\` a backslash, `%p` the
 * process id and `%%` a percent sign. Items:
 *
 *     FORMAT[:OPTION]...        to stderr at exit
 *     FORMAT[:OPTION]...=PATH   to a file at exit; `-` is stdout
 *     source=NAME               also one that the program adds later
 *     off
 */
#ifndef EP_ENVIRONMENT_H
#define EP_ENVIRONMENT_H

/*
 * Carries the items out. What EPROF named itself (the same format, the source)
 * stays. Writes one line to stderr for each item that it did not understand or
 * could not carry out. 0, or -1 and EINVAL or ENOMEM. The caller holds the
 * process lock.
 */
int ep_environment_setup(const char *items);

/* The program added a source: the one, perhaps, that EPROF named. Lock. */
void ep_environment_source_added(const char *name);

#endif /* EP_ENVIRONMENT_H */
