/*
 * demangle.h - names as the linker has them become names as the source has them
 */
#ifndef EP_CLI_DEMANGLE_H
#define EP_CLI_DEMANGLE_H

#include <stddef.h>

/* The bytes of a linker's name without what compilers add to that of a copy or part of a
 * function: of "foo.constprop.0.cold" those of "foo". */
size_t ep_demangle_stem(const char *linkage);

/* The name of a C++ function with its parameters, to be freed; NULL: it is no name of C++, or
 * there is no memory. The stem must end where the text does. */
char *ep_demangle(const char *stem);

/* The name of a C++ function without its parameters, without what they are followed by and
 * without the type that it returns, to be freed; NULL: no memory. */
char *ep_demangle_bare(const char *name);

#endif /* EP_CLI_DEMANGLE_H */
