#include "image/moves.h"

#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

static struct flock range_of(short type)
{
    return (struct flock){.l_type = type,
                          .l_whence = SEEK_SET,
                          .l_start = (off_t)EP_CELL_LOCK * EP_CELL_BYTES,
                          .l_len = EP_CELL_BYTES};
}

/* Open file description locks belong to the open file and not to the process, so fork() and close()
 * of another descriptor do not release them. Linux has them since 3.15. */
static bool is_held_off(struct ep_backing *backing)
{
#ifdef F_OFD_GETLK
    struct flock asked = range_of(F_WRLCK);
    return backing->cells && ep_backing_is_open(backing) &&
           fcntl(backing->file, F_OFD_GETLK, &asked) == 0 && asked.l_type != F_UNLCK;
#else
    (void)backing;
    return false;
#endif
}

/* In a child of _Fork() that has not been set up yet it may begin odd. */
bool ep_moves_begin(struct ep_image *image, bool is_forced)
{
    uint32_t *moves = &ep_image_cell(image, EP_CELL_LOCK)->lock.moves;
    uint32_t before = *moves;
    ep_store(moves, before | 1);
    ep_full_fence(); /* pairs with the one in begin_between_moves() */
    if (is_forced || !is_held_off(&image->backing))
        return true;
    ep_store_release(moves, before);
    return false;
}

void ep_moves_end(struct ep_image *image)
{
    uint32_t *moves = &ep_image_cell(image, EP_CELL_LOCK)->lock.moves;
    ep_store_release(moves, (*moves | 1) + 1);
}

static void set_lock(int file, short type)
{
#ifdef F_OFD_SETLK
    struct flock range = range_of(type);
    fcntl(file, F_OFD_SETLK, &range);
#else
    (void)file, (void)type;
#endif
}

void ep_moves_hold_off(int file)
{
    set_lock(file, F_RDLCK);
}

void ep_moves_let(int file)
{
    set_lock(file, F_UNLCK);
}
