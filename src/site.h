/*
 * site.h - the sites of a program: file, line and label, or a function, each with a number
 *
 * Equal contents are one site, wherever they lie: the copies of an inline function in
 * two files, a plug-in that was closed and opened again. They are found by a trie in the
 * image (Wellons: Hash-trie, nullprogram.com, 2023) that only grows, so that looking one up
 * takes no lock.
 */
#ifndef EP_SITE_H
#define EP_SITE_H

#include "process.h"

/*
 * The number of a site, given at its first visit; what is given is copied. label: NULL is "".
 * file: NULL where it has none. 0 and ENOMEM: no memory. Takes the mutex for a new one; the
 * thread is busy.
 */
uint32_t ep_site_number(const char *file, uint32_t line, const char *label);

/* The same of a function: by its module, and its address in the module's file. */
uint32_t ep_site_of_function(ep_ref module, uint64_t function);

/* The same where it is known already, without a lock; else 0. */
uint32_t ep_site_known(const char *file, uint32_t line, const char *label);

#endif /* EP_SITE_H */
