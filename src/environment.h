/*
 * environment.h - the items of EPROF= and eprof_setup()
 *
 * The grammar: item,item,... where `\,` is a comma, `\\` a backslash, `%p` the
 * process id and `%%` a percent sign. What items there are is told in item.h.
 */
#ifndef EP_ENVIRONMENT_H
#define EP_ENVIRONMENT_H

/*
 * Carries the items out. What EPROF named itself (the same format, the source, the limit)
 * stays. Writes one line to stderr for each item that it did not understand or
 * could not carry out. 0, or -1 and EINVAL or ENOMEM. The caller holds the
 * process lock.
 */
int ep_environment_setup(const char *items);

#endif /* EP_ENVIRONMENT_H */
