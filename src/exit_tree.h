/*
 * exit_tree.h - the call tree that a program gets at its end without asking
 */
#ifndef EP_EXIT_TREE_H
#define EP_EXIT_TREE_H

/* The program has written a report of its own: it gets no other. */
void ep_exit_tree_reported(void);

/* Writes the tree to stderr, where there is one to be shown, and nobody has asked for
 * anything else. */
void ep_exit_tree_write(void);

#endif /* EP_EXIT_TREE_H */
