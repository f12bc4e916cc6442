/*
 * image/layout.h - the layout of the image, cell by cell: its threads, and how a cell is found
 *
 * The cells of the header are in cells_header.h, those of instances in cells_region.h, those of the
 * call tree in cells_tree.h.
 *
 * The image is an array of 64-byte cells, a cache line each. A reference is a cell's number, so the
 * bytes have the same meaning in memory, in a file and in another process. Reference 0 is the
 * image's own header and means "none". Bytes of a cell without a name are zero. Cells marked "lock"
 * are written by the holder of the process lock; those marked "owner" by one thread alone, and
 * others read them at any time.
 *
 * Validity. The image has one generation number, which is raised by reset, init, free, a change of
 * source, fork, and when recording is switched. A cell of an owner carries the generation of the
 * owner's last visit (its generation), and is valid only if that is not older than
 * `reset_generation` of the image and `born` of the instance. The owner detects an old one
 * with one comparison and, off the hot path, sets it to zero, clears the cell and writes a new
 * generation; a reader compares the generation before and after its read. So no thread clears
 * another's cell, and a reset raises one number.
 *
 * Lists go from the oldest to the newest member, and a new member is linked to the last one by one
 * release store. So the beginning of an image, as in a file that could not grow, has every list as
 * it was at that time.
 */
#ifndef EP_IMAGE_LAYOUT_H
#define EP_IMAGE_LAYOUT_H

#include "image/cells_tree.h"

enum ep_thread_state {
    EP_THREAD_LIVING = 1,
    EP_THREAD_ENDED = 2,
    EP_THREAD_ORPHANED = 3, /* in a forked child: a thread of the parent, not taken over yet */
    EP_THREAD_JOINED = 4,   /* ended; in the row of another thread, which will move its figures */
    EP_THREAD_BLANK = 5     /* without figures, free for the next thread of any name */
};

/* One for each thread record, at the start of its first block. Lock. */
struct ep_thread_cell {
    ep_ref next;     /* the next newer one; release */
    uint32_t number; /* 0: the main thread; else in order of appearance */
    uint32_t state;  /* enum ep_thread_state */
    ep_ref name;     /* a run of cells; 0: no name */
    uint32_t name_bytes;
    ep_ref more;        /* its struct ep_more_cell */
    ep_ref diagnostics; /* its struct ep_diagnostics_cell */
    ep_ref pairs;       /* the oldest of its struct ep_instance_cells; release */
    uint64_t self;      /* its pthread_self(), by which a forked child finds its record */
    union {
        uint32_t is_off; /* in a living record: it has switched itself off */
        ep_ref row;      /* in a joined record: the thread of its row, which may have joined too */
    };
    ep_ref nodes;         /* the oldest of its struct ep_node_cell, which is the root; release */
    ep_ref frames;        /* the lowest scope of its stack, which is always open; release */
    uint32_t keeps;       /* raised before and after each keep: odd during a keep; release */
    ep_ref scratch_cells; /* instance cells of holds, which are not shown; release */
    uint32_t holds;       /* open holds: in a forked child their keeps are no error */
};

/* Further fields of a thread, for which struct ep_thread_cell has no room. Written once; lock. */
struct ep_more_cell {
    uint64_t unused[5]; /* older versions had a journal of moved figures here */
    ep_ref note;        /* the thread's struct ep_note_cell; 0: none, in images of older versions */
};

union ep_cell {
    struct ep_identity_cell identity;
    struct ep_control_cell control;
    struct ep_source_cell source;
    struct ep_probe_cell probe;
    struct ep_function_probe_cell function_probe;
    struct ep_sampled_probe_cell sampled_probe;
    struct ep_cpu_cell cpu;
    struct ep_cpu_sums cpu_sums;
    struct ep_run_cell run;
    struct ep_processes_cell processes;
    struct ep_balance_cell balance;
    struct ep_group_cells groups;
    struct ep_root_cell root;
    struct ep_diagnostics_cell diagnostics;
    struct ep_note_cell note;
    struct ep_instance_cell instance;
    struct ep_far_octaves_cell far;
    struct ep_octave_cell octave;
    struct ep_thread_cell thread;
    struct ep_more_cell more;
    struct ep_tree_cell tree;
    struct ep_scale_cell scale;
    struct ep_lock_cell lock;
    struct ep_sum_cell sum;
    struct ep_site_cell site;
    struct ep_module_cell module;
    struct ep_open_scope_cell frame;
    ep_ref refs[EP_CELL_REFS];
    char text[EP_CELL_BYTES];
};

_Static_assert(sizeof(union ep_cell) == EP_CELL_BYTES, "a cell is a cache line");
_Static_assert(sizeof(struct ep_instance_cells) == 4 * EP_CELL_BYTES,
               "instance cells are four cells");
_Static_assert(sizeof(struct ep_node_cell) == 4 * EP_CELL_BYTES, "a node is four cells");
_Static_assert(sizeof(struct ep_sampling_cells) == 3 * EP_CELL_BYTES, "sampling cells are three");
_Static_assert(offsetof(struct ep_statistics, until_timed) == EP_UNTIL_TIMED &&
                   offsetof(struct ep_sampling_cells, nested_until_timed) -
                           offsetof(struct ep_sampling_cells, nested_calls) ==
                       EP_UNTIL_TIMED &&
                   offsetof(struct ep_sampling_cells, own_until_timed) -
                           offsetof(struct ep_sampling_cells, own_calls) ==
                       EP_UNTIL_TIMED,
               "each number of calls has its number until the next timed one");
_Static_assert(EP_OCTAVES == EP_NEAR_OCTAVES + EP_CELL_REFS * EP_FAR_CELLS,
               "all octaves are reached");

/* The member of a list that *link refers to; NULL: none. Acquire: pairs with the release by which
 * it was linked. */
EP_INLINE void *ep_cell_linked(const union ep_cell *cells, const ep_ref *link)
{
    ep_ref ref = ep_load_acquire(link);
    return ref ? (void *)(uintptr_t)&cells[ref] : NULL;
}

/* for (EP_EACH(ep_thread_cell, thread, cells, &root->threads)): the members of a list in turn. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type and a name */
#define EP_EACH(type, member, cells, link)                                                         \
    struct type *member = ep_cell_linked(cells, link);                                             \
    member;                                                                                        \
    member = ep_cell_linked(cells, &member->next)
/* NOLINTEND(bugprone-macro-parentheses) */

EP_INLINE ep_ref ep_cell_ref(const union ep_cell *cells, const void *cell)
{
    return (ep_ref)((const union ep_cell *)cell - cells);
}

/* The reference to the counts of an octave; 0: none. */
EP_INLINE ep_ref ep_cell_octave(const union ep_cell *cells, const struct ep_statistics *stats,
                                unsigned octave)
{
    if (octave < EP_NEAR_OCTAVES)
        return ep_load_acquire(&stats->octave[octave]);
    unsigned far = octave - EP_NEAR_OCTAVES;
    ep_ref cell = ep_load_acquire(&stats->far[far / EP_CELL_REFS]);
    return cell ? ep_load_acquire(&cells[cell].far.octave[far % EP_CELL_REFS]) : 0;
}

#endif /* EP_IMAGE_LAYOUT_H */
