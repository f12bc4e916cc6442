/*
 * top_keys.h - what a key does to the view
 */
#ifndef EP_CLI_TOP_KEYS_H
#define EP_CLI_TOP_KEYS_H

#include "top_view.h"

/* For the bottom line. */
#define EP_TOP_KEYS_HELP "q quit  p pause  / filter  < > sort  b by path  arrows scroll"

enum ep_top_wish {
    EP_TOP_WISH_NOTHING,
    EP_TOP_WISH_DRAW, /* the view is another */
    EP_TOP_WISH_QUIT
};

/* Takes what came from the terminal, of one key or several. A sequence of a key that is not known,
 * or that is not whole, is nothing. */
enum ep_top_wish ep_top_keys_take(struct ep_top_view *view, const char *bytes, size_t count);

#endif /* EP_CLI_TOP_KEYS_H */
