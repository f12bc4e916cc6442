/*
 * image/moves.h - the protocol for moving figures from the cells of one thread to those of another:
 * a reader of the file never sees them in both or in neither
 *
 * The writer is record/thread_life.c; a reader is another process (image/read.c, image/copy.c).
 *
 * Figures leave the cells in which they were recorded in one case only: a thread takes the name of
 * one that ended, and both are one row. First the ended record E joins the living thread S: its
 * cell has the state EP_THREAD_JOINED and refers to S in `row`. From then on a snapshot adds up E
 * and S as one row, so the move itself can come at any time. S moves the figures of E to its own
 * cells; then E is blank, and free for the next thread of any name.
 *
 * The writer has the process lock, and never waits for a reader:
 *   w1  moves is made odd
 *   w2  a full fence
 *   w3  asks the kernel whether a reader holds a read lock on the bytes of cell 8 (F_OFD_GETLK)
 *   w4  without a lock: moves the figures, and raises moves to the next even number;
 *       with a lock: sets moves back, and E stays joined until the next attempt
 * A reader:
 *   r1  takes a read lock on those bytes (F_OFD_SETLK)
 *   r2  a full fence
 *   r3  waits until moves is even. If it does not become even, the process may be stopped in a
 *       move: the reader starts again, and gives up in the end
 *   r4  reads all cells, some of them again (image/copy.h)
 *   r5  if moves is as in r3, the read is good; else the reader starts again
 *   r6  releases the lock. The kernel does that for a reader that is killed
 *
 * A good read is right. The reader sees the stores of the writer in their order (w2, and the
 * release that ends w4). If it saw any of the figures that a move changed, r5 sees w1 or a later
 * value: another one than in r3, which was even. If it saw none, the move has not happened for this
 * read. So no figure is seen in two cells or in none. Apart from moves each figure stays in its
 * cell and only grows, and is read once between r3 and r5: the sum lies between the sums at both.
 * (Resets, and keeps, which stay in the cells of one thread, are handled in image/reread.c.)
 *
 * A kill leaves moves odd, and a file whose readers do not wait. Before the first figure is added
 * to S, the lists of E are taken from its cell, and they come back when all generations there are
 * 0: so no figure is there twice. What was not added yet is lost, and the reader says that a move
 * was interrupted (image/read.c). Region by region would lose less, but a node whose time is in S
 * and whose children's is in E would have it twice, since a report takes the children's time for
 * that of a node without calls. A keep adds figures of scratch cells, which are not shown: a
 * kill loses the rest of that hold.
 *
 * A read is good at once if the writer asks. Either w3 comes after r1 and sees the lock: then
 * nothing is moved. Or it comes before r1: then, with the fences on both sides, r3 comes after w1
 * and waits for the end. A read that is not good has met a move that was made without asking
 * (below), or on a file system without such locks.
 *
 * Joined records take memory. When they are half of the image, or 128, the writer no longer asks,
 * so a reader that was stopped cannot make memory grow without bound. A reader releases the lock
 * and pauses between two attempts, so that joined records are moved, and does not read the cells of
 * blank records (image/copy.c). tests/unit/image/test_moves.c takes each step in every order.
 */
#ifndef EP_IMAGE_MOVES_H
#define EP_IMAGE_MOVES_H

#include "image/image.h"

/* The writer's w1 to w3. False: a reader holds moves off, nothing may be moved. `is_forced`:
 * without asking. The caller holds the process lock. */
bool ep_moves_begin(struct ep_image *image, bool is_forced);
void ep_moves_end(struct ep_image *image);

/* A reader's r1 and r6. The lock also ends when `file` is closed. Without effect on a file system
 * without such locks. */
void ep_moves_hold_off(int file);
void ep_moves_let(int file);

#endif /* EP_IMAGE_MOVES_H */
