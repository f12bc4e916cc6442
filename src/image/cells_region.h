/*
 * image/cells_region.h - the layout of the image: instances, and the figures of one region on one
 * thread
 */
#ifndef EP_IMAGE_CELLS_REGION_H
#define EP_IMAGE_CELLS_REGION_H

#include "base/histogram.h"
#include "image/cells_header.h"

/* One for each slot, in the directory's runs; lock. */
struct ep_instance_cell {
    uint64_t born;   /* the generation at which its figures begin; 0: not alive, or being written */
    uint32_t handle; /* of this use, or of the next one if not alive */
    ep_ref label;    /* a run of cells with the label and a NUL */
    uint32_t label_bytes; /* without the NUL */
    uint32_t label_cells; /* of the run: a power of two */
    uint32_t label_hash;
    uint32_t smaller, larger; /* the tree by label: slot + 1, 0: none */
    uint32_t next_free;       /* slot + 1 of the next freed one */
    uint32_t unused[2];       /* the second aligns the next field to 8 bytes on 32-bit x86 too */
    uint64_t birth;           /* its number in the order of all allocs */
};

/* The processor time of the outermost timed calls of one region on one thread. Owner. Nodes have it
 * in their sampling cells, instance cells in a cell of its own, both only if processor time is
 * recorded. Calls that began before that are not in it: so it is that of all calls only if `weight`
 * is their number. */
struct ep_cpu_sums {
    uint64_t cpu_ns;       /* of each call times its weight */
    uint64_t weight;       /* the calls that these represent; in a merged image with open ones */
    uint64_t start_cpu_ns; /* of the call that is open, + 1; 0: unknown */
};

/*
 * The figures of one region on one thread: in the instance cells below, and in a node of the call
 * tree. Owner. A stop writes the pending difference, total, min, max, then calls. After a kill, and
 * for a reader, the fields may differ by one call.
 *
 * The next start adds the pending difference to the histogram and the sum of squares: at the stop,
 * the next clock read would wait for everything that depends on the new timestamp
 * (docs/internals/performance.md). A reader adds the pending one.
 */
struct ep_statistics {
    uint64_t calls;
    uint64_t total_ticks;
    uint64_t min_ticks; /* UINT64_MAX: none yet */
    uint64_t max_ticks;
    uint64_t pending; /* the last difference + 1, not yet in the histogram; 0: none */
    uint64_t square_low, square_high; /* sum of the squares, without the pending difference */
    uint64_t nested;                  /* calls that were not outermost */
    uint64_t errors;                  /* calls that were rejected */
    union {                           /* older images have another number here */
        uint32_t until_timed; /* of a node: calls until the next timed one, which is the last of
                                 them; 0: each call is timed (record/sampling.h) */
        ep_ref cpu; /* of instance cells: a struct ep_cpu_sums; 0: none. Of a node in a hold: with
                       EP_CPU_IN_HOLD, otherwise it is as above */
    };
    uint32_t abandoned; /* added to the open calls: those left open by a thread that ended, less
                           those dropped with a hold */
    ep_ref octave[EP_NEAR_OCTAVES]; /* its counts; 0: none yet */
    ep_ref far[EP_FAR_CELLS];       /* cells with the references to the other octaves; 0: none */
};

/* As a number of calls it is negative: the next call is timed, as each one in a hold is. */
#define EP_CPU_IN_HOLD (UINT32_C(1) << 31)

/* The instance cells: what one thread recorded for one instance, four cells together. Owner. */
struct ep_instance_cells {
    uint64_t generation; /* of the owner's last visit, with its owner_tag in the upper bits */
    union {
        struct {
            uint32_t handle; /* of the instance */
            uint32_t depth;  /* open pairs; lowered last: a handler that interrupts a stop is
                                nested in it */
        };
        uint64_t state; /* both: a start and a stop compare them at once */
    };
    uint64_t start_ticks; /* of the outermost open pair */
    struct ep_statistics stats;
    uint64_t pardon_below_calls; /* while `calls` is below this, every pair that has ended began
                                    before recording was switched: unbalanced stops are no error */
    ep_ref next;                 /* the owner's next newer instance cells; release */
    uint32_t ignored;            /* expected stops whose pair began before a reset */
    uint32_t former_handle;      /* of the former instance, which eprof_init() released */
    uint32_t former_open;        /* its pairs that were open: their stops are no error */
};

/* The upper 16 bits of a generation are the owner_tag. Its lower ten bits count how often the
 * thread switched itself on, 1 to 1023 and again from 1, so that its cells are inspected once after
 * each time (record/thread.c). Its upper six bits are the depth of holds, so that only the cells of
 * the hold are recorded into. */
#define EP_GENERATION_NUMBER ((UINT64_C(1) << 48) - 1)
#define EP_OWNER_TAG_SWITCH (UINT64_C(1) << 48)
#define EP_OWNER_TAG_SWITCHES (UINT64_C(0x3FF) << 48)
#define EP_OWNER_TAG_LEVEL (UINT64_C(1) << 58)
#define EP_OWNER_TAG_LEVELS (UINT64_C(0x3F) << 58)
enum { EP_LEVELS = 63 };

/* References to the octaves of long durations. */
struct ep_far_octaves_cell {
    ep_ref octave[EP_CELL_REFS];
};

/* One octave: eight buckets of 64 bits, so that none ever wraps. */
struct ep_octave_cell {
    uint64_t count[EP_OCTAVE_BUCKETS];
};

#endif /* EP_IMAGE_CELLS_REGION_H */
