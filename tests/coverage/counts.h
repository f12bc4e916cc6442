/*
 * counts.h - counts of lines and branches that are written before a process ends
 *
 * exit() writes the counts of gcc. A process that ends by _exit(), by abort() or by a SIGKILL that
 * it sends to itself would lose them, and so would one that executes another program. Here they are
 * written first. A process that is killed by another one, or by another signal of its own, still
 * loses them.
 */
#ifndef COUNTS_H
#define COUNTS_H

/* The counts of one program or library: gcc's functions for them. */
struct counts {
    void (*write)(void); /* adds them to the files */
    void (*clear)(void); /* sets them to zero */
};

/* `counts` must stay valid until counts_end(), which writes them for exit() or dlclose(). */
void counts_add(const struct counts *counts);
void counts_end(const struct counts *counts);

#endif /* COUNTS_H */
