/*
 * exit_tree.h - the call tree that a program gets at its end without asking
 */
#ifndef EP_EXIT_TREE_H
#define EP_EXIT_TREE_H

#include <stdbool.h>

/* The program has written a report of its own: it gets no other. */
void ep_exit_tree_reported(void);

/* Whether it gets the tree: it has one, and nobody has asked for anything else. */
bool ep_exit_tree_is_wanted(void);

/* Writes the tree to stderr, where there is something to be shown in it; whether there was. */
bool ep_exit_tree_write(void);

#endif /* EP_EXIT_TREE_H */
