/*
 * items.h - what EPROF= says to the program that is run
 */
#ifndef EP_CLI_ITEMS_H
#define EP_CLI_ITEMS_H

/*
 * The items that there are already (NULL: none), and behind them image=`image` and, but for
 * NULL, source=`source`, escaped by the grammar of EPROF. The caller's; NULL with ENOMEM.
 */
char *ep_items_with(const char *before, const char *image, const char *source);

#endif /* EP_CLI_ITEMS_H */
