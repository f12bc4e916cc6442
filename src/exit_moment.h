/*
 * exit_moment.h - the moment at which the program came to its end
 *
 * What is open at the end has run until then, and not until its report is written: who reports may
 * have waited for the names of functions.
 */
#ifndef EP_EXIT_MOMENT_H
#define EP_EXIT_MOMENT_H

#include <stdint.h>

/* Between the two, this thread's reports are of the moment of the first. Lock. */
void ep_exit_moment_begin(void);
void ep_exit_moment_end(void);

/* The moment that a report of this thread is of, in ticks of the source in use. Lock. */
uint64_t ep_exit_moment_of_report(void);

#endif /* EP_EXIT_MOMENT_H */
