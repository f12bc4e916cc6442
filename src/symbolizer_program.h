/*
 * symbolizer_program.h - where the program is that knows what functions are called
 */
#ifndef EP_SYMBOLIZER_PROGRAM_H
#define EP_SYMBOLIZER_PROGRAM_H

/* Sets its path, which is copied; it is looked for nowhere else then. 0, or -1 and ENOMEM. */
int ep_symbolizer_program_set(const char *path);

/* What was set; else `eprof` in the folder of this library, in the `bin` beside that or above it,
 * or on PATH. To be freed. NULL: there is none, or no memory. */
char *ep_symbolizer_program_find(void);

#endif /* EP_SYMBOLIZER_PROGRAM_H */
