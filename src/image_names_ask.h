/*
 * image_names_ask.h - has the names of functions looked up, by a program that is started for it
 *
 * What it answers is not trusted: the files that it reads may be anybody's, and it may be another
 * program.
 *
 * Its standard input and output are texts with a NUL behind each:
 *
 *     "M" path build-id modified_ns    begins a module; "" is no build-id, and 0 an unknown time
 *     "A" address                      asks for a function of it: the address in its file
 *
 *     "M" fault                        answers the same, in the same order; "" is no fault
 *     "A" name file line               "" is not known
 *     "E"                              the end, without which it is not whole
 */
#ifndef EP_IMAGE_NAMES_ASK_H
#define EP_IMAGE_NAMES_ASK_H

#include "image_names.h"

/*
 * Asks for all that have not been asked for yet. `arguments` are the program's, its path first, as
 * in symbolizer.h. 0; -1 and errno: it could not be started; EPROTO: it did not come to the end, or
 * is another program; ETIMEDOUT. What it has answered by then is kept.
 */
int ep_image_names_ask(struct ep_image_names *names, char *const *arguments);

#endif /* EP_IMAGE_NAMES_ASK_H */
