/*
 * counts.h - counts of lines and branches that are written before a process ends
 *
 * gcc's counts are written by exit(). A process that ends by _exit(), abort() or a SIGKILL that it
 * sends to itself would take them with it, and so would one that becomes another program. Here
 * they are written first. Who is killed by another process, or by
 * another signal of its own, still loses them.
 */
#ifndef COUNTS_H
#define COUNTS_H

/* The counts of one program or library: gcc's calls for them. */
struct counts {
    void (*write)(void); /* adds them to the files */
    void (*clear)(void); /* they begin at zero */
};

/* `counts` stay the caller's, until their end: they are written, for exit() or dlclose(). */
void counts_add(const struct counts *counts);
void counts_end(const struct counts *counts);

#endif /* COUNTS_H */
