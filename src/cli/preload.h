/*
 * preload.h - LD_PRELOAD, by which a program that is linked with nothing of ours gets the library
 * that its compiler's hooks call
 */
#ifndef EP_CLI_PRELOAD_H
#define EP_CLI_PRELOAD_H

/*
 * The absolute path of libeprof-auto, as it was installed or built with this command, and behind it
 * what is preloaded anyway (NULL: nothing). The caller's; NULL: it is not there, or cannot be named
 * in LD_PRELOAD, or there is no memory, which a line on stderr says.
 */
char *ep_preload_with(const char *before);

#endif /* EP_CLI_PRELOAD_H */
