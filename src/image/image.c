#include "image/image.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/platform.h"

/* 64 GiB of address space cost nothing, because page tables are made only for used pages. If the
 * address space is limited, the size is halved until it fits. */
#define RESERVE_LARGEST_BYTES (sizeof(void *) == 8 ? UINT64_C(1) << 36 : UINT64_C(1) << 29)
#define RESERVE_SMALLEST_BYTES (UINT64_C(1) << 21)
/* RLIMIT_MEMLOCK is often 8 MiB: a small image leaves more of it to the program. */
#define RESERVE_SMALLEST_LOCKED_BYTES (UINT64_C(1) << 18)

/* Memory is added in steps, so that a program of many threads does not need a system call for each
 * block. A step doubles the image up to this size, so that small programs have small files. */
enum { LARGEST_STEP_CELLS = (1 << 20) / EP_CELL_BYTES };

static int reserve(struct ep_image *image)
{
    /* if it is limited, seven eighths are left to the program */
    uint64_t share = ep_platform_address_space() / 8, smallest = RESERVE_SMALLEST_BYTES;
    bool is_locked = false;
    for (uint64_t bytes = RESERVE_LARGEST_BYTES; bytes >= smallest; bytes /= 2) {
        if (bytes > share && bytes > RESERVE_SMALLEST_BYTES)
            continue;
        image->cells = ep_platform_reserve((size_t)bytes);
        if (!image->cells) {
            is_locked |= errno == EAGAIN;
            smallest = is_locked ? RESERVE_SMALLEST_LOCKED_BYTES : RESERVE_SMALLEST_BYTES;
            continue;
        }
        /* With mlockall(MCL_FUTURE) a mapping counts against RLIMIT_MEMLOCK at once, used or not.
         * These bytes fit, but not twice as many: seven eighths or more are left to the program */
        uint64_t kept = is_locked ? bytes / 8 : bytes;
        if (is_locked && kept < RESERVE_SMALLEST_LOCKED_BYTES)
            kept = RESERVE_SMALLEST_LOCKED_BYTES;
        if (kept < bytes)
            ep_platform_release((char *)image->cells + kept, (size_t)(bytes - kept));
        image->reserved = (uint32_t)(kept / EP_CELL_BYTES);
        return 0;
    }
    errno = ENOMEM;
    return -1;
}

static int commit_step(struct ep_image *image, uint32_t count, bool in_file)
{
    uint32_t start = image->committed;
    int result = in_file ? ep_backing_grow(&image->backing, image->cells, start, count)
                         : ep_platform_commit(&image->cells[start], (size_t)count * EP_CELL_BYTES);
    if (result == 0)
        image->committed = start + count;
    return result;
}

/* New cells are in memory only from now on; the file says so before it refers to one. */
static void cut_short(struct ep_image *image)
{
    image->backing.error = errno;
    ep_store_release(&ep_image_cell(image, EP_CELL_IDENTITY)->identity.cut_short, 1);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Makes sure that the first `cells` cells have memory. */
static int commit(struct ep_image *image, uint32_t cells)
{
    if (cells <= image->committed)
        return 0;
    uint32_t rest = image->reserved - image->committed;
    uint32_t least = smaller(ep_backing_round_up(cells - image->committed), rest);
    uint32_t step = smaller(smaller(image->committed, LARGEST_STEP_CELLS), rest);
    bool in_file = image->backing.cells && !image->backing.error;
    for (;; in_file = false) {
        /* if memory is short, the smaller step may still succeed */
        if ((step > least && commit_step(image, step, in_file) == 0) ||
            commit_step(image, least, in_file) == 0)
            return 0;
        if (!in_file)
            return -1;
        cut_short(image);
    }
}

static ep_ref take_blocks(struct ep_image *image, uint32_t count)
{
    uint32_t used = ep_image_root(image)->cells_used;
    if (count > image->reserved - used) {
        errno = ENOMEM;
        return 0;
    }
    if (commit(image, used + count) != 0)
        return 0;
    ep_store(&ep_image_root(image)->cells_used, used + count);
    return used;
}

ep_ref ep_image_take(struct ep_image *image, uint32_t count)
{
    if (count % EP_BLOCK_CELLS == 0)
        return take_blocks(image, count);
    if (image->shared_end - image->shared_next < count) {
        ep_ref block = take_blocks(image, EP_BLOCK_CELLS);
        if (!block)
            return 0;
        image->shared_next = block;
        image->shared_end = block + EP_BLOCK_CELLS;
    }
    ep_ref run = image->shared_next;
    image->shared_next += count;
    return run;
}

int ep_image_allocate(struct ep_image *image, uint64_t cells)
{
    *image = (struct ep_image){.cells = NULL};
    if (cells <= UINT32_MAX && cells <= SIZE_MAX / EP_CELL_BYTES)
        image->cells = ep_platform_allocate((size_t)cells * EP_CELL_BYTES);
    if (!image->cells) {
        errno = ENOMEM;
        return -1;
    }
    image->reserved = image->committed = (uint32_t)cells;
    return 0;
}

/* The lists of free cells of such an image are not trusted, and become empty. */
int ep_image_extend(struct ep_image *image, uint32_t cells)
{
    uint64_t used =
        ((uint64_t)image->committed + EP_BLOCK_CELLS - 1) / EP_BLOCK_CELLS * EP_BLOCK_CELLS;
    struct ep_image larger;
    if (ep_image_allocate(&larger, used + cells) != 0)
        return -1;
    memcpy(larger.cells, image->cells, (size_t)image->committed * EP_CELL_BYTES);
    ep_platform_release(image->cells, (size_t)image->reserved * EP_CELL_BYTES);
    *image = larger;
    struct ep_root_cell *root = ep_image_root(image);
    root->cells_used = (uint32_t)used;
    memset(root->free_texts, 0, sizeof root->free_texts);
    return 0;
}

ep_ref ep_image_take_limited(struct ep_image *image)
{
    const uint64_t block_bytes = EP_BLOCK_CELLS * EP_CELL_BYTES;
    struct ep_tree_cell *tree = ep_image_tree(image);
    ep_ref block = 0;
    if (tree->taken_bytes + block_bytes <= tree->limit_bytes)
        block = take_blocks(image, EP_BLOCK_CELLS);
    else
        errno = ENOMEM;
    if (block)
        ep_store(&tree->taken_bytes, tree->taken_bytes + block_bytes);
    return block;
}

void ep_image_describe(struct ep_image *image)
{
    struct ep_identity_cell *identity = &image->cells[EP_CELL_IDENTITY].identity;
    memcpy(identity->magic, EP_IMAGE_MAGIC, sizeof identity->magic);
    identity->version = EP_FORMAT_VERSION;
    identity->byte_order = EP_BYTE_ORDER;
    identity->cell_bytes = EP_CELL_BYTES;
    identity->header_cells = EP_HEADER_CELLS;
    identity->process_id = (uint64_t)getpid();
    identity->realtime_ns = ep_platform_clock_ns(CLOCK_REALTIME);
    identity->cut_short = 0;
    identity->state = EP_STATE_RUNNING;
    image->cells[EP_CELL_SCALE].scale.has_now = 0;
    image->cells[EP_CELL_PROCESSES].processes.rank =
        0; /* a forked child is no process of the job */
}

int ep_image_create(struct ep_image *image)
{
    memset(image, 0, sizeof *image);
    if (reserve(image) != 0)
        return -1;
    if (commit(image, EP_BLOCK_CELLS) == 0) {
        ep_image_describe(image);
        ep_image_control(image)->generation = 1;
        ep_image_control(image)->reset_generation = 1;
        ep_image_tree(image)->limit_bytes = EP_TREE_LIMIT_BYTES;
        ep_image_tree(image)->site_count = EP_SITE_FIRST - 1;
        ep_image_root(image)->cells_used = EP_BLOCK_CELLS;
        image->shared_next = EP_HEADER_CELLS;
        image->shared_end = EP_BLOCK_CELLS;
        ep_image_root(image)->directory = ep_image_take(image, EP_DIRECTORY_RUNS / EP_CELL_REFS);
        if (ep_image_root(image)->directory)
            return 0;
    }
    ep_image_destroy(image);
    errno = ENOMEM;
    return -1;
}

void ep_image_destroy(struct ep_image *image)
{
    if (image->cells)
        ep_platform_release(image->cells, (size_t)image->reserved * EP_CELL_BYTES);
    ep_backing_close(&image->backing);
    memset(image, 0, sizeof *image);
}

/* ---- in a file ---- */

int ep_image_move_to_file(struct ep_image *image, int file)
{
    return ep_backing_begin(&image->backing, image->cells, ep_image_root(image)->cells_used,
                            image->committed, file);
}

void ep_image_before_fork(struct ep_image *image)
{
    uint32_t used = ep_backing_round_up(ep_image_root(image)->cells_used);
    if (image->backing.cells)
        ep_backing_copy(&image->backing, image->cells, smaller(used, image->backing.cells));
}

int ep_image_leave_file(struct ep_image *image)
{
    uint32_t end;
    bool is_of_fork = image->backing.copy != NULL;
    if (!image->backing.cells)
        return 0;
    if (ep_backing_leave(&image->backing, image->cells, &end) != 0)
        return -1;
    if (!is_of_fork) /* the parent may have handed out the rest of that block meanwhile */
        image->shared_next = image->shared_end = 0;
    image->committed = end > image->committed ? end : image->committed;
    return 0;
}

/* ---- texts: runs of 1, 2, 4 ... 64 cells, with a free list for each size ---- */

static unsigned run_class(uint32_t bytes)
{
    unsigned n = 0;
    while (((uint32_t)EP_CELL_BYTES << n) < bytes + 1)
        n++;
    return n;
}

uint32_t ep_image_text_cells(uint32_t bytes)
{
    return UINT32_C(1) << run_class(bytes);
}

ep_ref ep_image_text(struct ep_image *image, const char *text, uint32_t bytes, uint32_t *cells)
{
    unsigned n = run_class(bytes);
    ep_ref *first_free = &ep_image_root(image)->free_texts[n];
    ep_ref run = *first_free;
    if (run)
        *first_free = image->cells[run].refs[0];
    else
        run = ep_image_take(image, UINT32_C(1) << n);
    if (!run)
        return 0;
    char *copy = (char *)&image->cells[run]; /* longer than the text of one cell */
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    *cells = UINT32_C(1) << n;
    return run;
}

void ep_image_text_free(struct ep_image *image, ep_ref text, uint32_t cells)
{
    ep_ref *first_free = &ep_image_root(image)->free_texts[__builtin_ctz(cells)];
    image->cells[text].refs[0] = *first_free;
    *first_free = text;
}

/* ---- instances: a slot is found in two steps, by a directory of runs ---- */

static ep_ref *directory_entry(const struct ep_image *image, uint32_t slot)
{
    uint32_t run = slot / EP_RUN_CELLS;
    ep_ref directory = ep_image_root(image)->directory;
    return &image->cells[directory + run / EP_CELL_REFS].refs[run % EP_CELL_REFS];
}

struct ep_instance_cell *ep_image_instance(const struct ep_image *image, uint32_t slot)
{
    ep_ref run = slot < EP_SLOTS ? ep_load_acquire(directory_entry(image, slot)) : 0;
    return run ? &image->cells[run + slot % EP_RUN_CELLS].instance : NULL;
}

int ep_image_instance_add(struct ep_image *image, uint32_t slot)
{
    if (ep_image_instance(image, slot))
        return 0;
    ep_ref run = ep_image_take(image, EP_RUN_CELLS);
    if (!run)
        return -1;
    ep_store_release(directory_entry(image, slot), run);
    return 0;
}

/* ---- rows ---- */

/* The chain ends, because a thread only joins a living one, and a copy was checked. */
const struct ep_thread_cell *ep_image_row_of(const struct ep_image *image,
                                             const struct ep_thread_cell *thread)
{
    while (ep_load_acquire(&thread->state) == EP_THREAD_JOINED && ep_load(&thread->row))
        thread = &ep_image_cell(image, ep_load(&thread->row))->thread;
    return thread;
}

uint32_t ep_image_label_hash(const char *label, uint32_t bytes)
{
    uint32_t hash = 2166136261u; /* FNV-1a, 32 bits */
    for (uint32_t i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)label[i]) * 16777619u;
    return hash;
}
