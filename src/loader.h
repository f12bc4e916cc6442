/*
 * loader.h - which process loaded the library
 *
 * Every other one is a forked child of it, also one that was forked before the library's
 * first use.
 */
#ifndef EP_LOADER_H
#define EP_LOADER_H

#include <sys/types.h>

pid_t ep_loader_id(void);

#endif /* EP_LOADER_H */
