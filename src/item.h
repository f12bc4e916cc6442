/*
 * item.h - an item of EPROF= or eprof_setup() is carried out
 *
 *     FORMAT[:OPTION]...        to stderr at exit
 *     FORMAT[:OPTION]...=PATH   to a file at exit; `-` is stdout
 *     source=NAME               also one that the program adds later
 *     limit=BYTES               of the call trees; K, M, G
 *     image=PATH                a file that what is recorded is in
 *     auto=, depth=, throttle=  item_function.h
 *     off
 *
 * What the environment named itself (the same format, the source, the limit, the image) stays. The
 * callers hold the process lock.
 */
#ifndef EP_ITEM_H
#define EP_ITEM_H

#include <stdbool.h>

/* At first use, before the first item. */
void ep_item_begin(void);

/* An image is begun when all items were looked at. */
int ep_item_begin_image(void);

/* 0; -1: it was not understood, or could not be carried out, and a line on stderr says so. */
int ep_item_carry_out(const char *item, bool is_of_environment);

/* Counts the item as one that was not carried out, and says why. */
void ep_item_complain(const char *item, const char *why);

/* The program added a source: the one, perhaps, that EPROF named. */
void ep_item_source_added(const char *name);

#endif /* EP_ITEM_H */
