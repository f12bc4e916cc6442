/*
 * cell.h - the layouts of the image, cell by cell
 *
 * The image is an array of 64-byte cells (a cache line each); a reference is a
 * cell's number, so that the bytes mean the same in memory, in a file and in
 * another process. Reference 0 is the image's own header and means "none".
 *
 * Who writes what:
 *   - "lock":  whoever holds the process lock.
 *   - "owner": the one thread that owns the block; nobody else, ever. Other
 *              threads and other processes read it at any moment.
 *
 * Validity. The image has one generation number, which goes up at reset, init,
 * free, a change of source, fork, and when recording is switched. A cell of an
 * owner carries the generation of the owner's last visit (its stamp). What it
 * holds counts only if the stamp is not older than `reset_generation` of the
 * image and `born` of the instance. The owner finds the stamp old with one
 * compare and, off the hot path, sets it to zero, clears the cell and stamps it
 * anew; a reader looks at the stamp before and after. So nobody ever clears
 * another thread's cell, and a reset is one raise of one number.
 *
 * Lists go from the oldest to the newest, and a new member is linked to the last one by one
 * release store. So the beginning of an image, which is what is there of a file that could not
 * grow, has every list as it was then.
 */
#ifndef EP_CELL_H
#define EP_CELL_H

#include "compiler.h"
#include "histogram.h"
#include "scale.h"

enum {
    EP_CELL_BYTES = 64,
    EP_BLOCK_CELLS = 64, /* 4 KiB: a thread takes whole blocks */
    EP_SLOT_BITS = 20,   /* 1,048,576 instances alive at once */
    EP_SLOTS = 1 << EP_SLOT_BITS,
    EP_SLOT_USES = 1 << (31 - EP_SLOT_BITS), /* a handle is an int that is not negative */
    EP_LABEL_BYTES = 4095,                   /* of a label, without its NUL: 64 cells with it */
    EP_DIRECTORY_RUNS = EP_SLOTS / 1024,     /* runs of 1,024 instance cells */
    /* Octaves that are reached by one reference: up to 2^32 ticks, 1.9 s at 2.3 GHz. With 11 of
     * them (a factor of 1,000) a pair is 15 cells: 1 KiB with its places in the thread's tables. */
    EP_NEAR_OCTAVES = 30,
    EP_FAR_CELLS = 2,               /* for the rest, of 16 references each */
    EP_TREE_LIMIT_BYTES = 64 << 20, /* some 130,000 nodes with their histograms */
    EP_FORMAT_OLDEST = 1,           /* that is read: it has no functions */
    EP_FORMAT_VERSION = 2           /* that is written */
};

typedef uint32_t ep_ref;

/* ------------------------------------------------------------- the header -- */

/* Begins every image, without a NUL; shows a file that was mangled as text. */
#define EP_IMAGE_MAGIC "eprof\r\n\032"

/* Cell 0. Written once, when the image is made, but for the last three; lock. */
struct ep_identity_cell {
    char magic[8];         /* EP_IMAGE_MAGIC */
    uint32_t version;      /* EP_FORMAT_VERSION */
    uint32_t byte_order;   /* 0x01020304 as the writer stores it */
    uint32_t cell_bytes;   /* EP_CELL_BYTES */
    uint32_t header_cells; /* EP_HEADER_CELLS */
    uint64_t process_id;
    uint64_t realtime_ns; /* CLOCK_REALTIME when it was made */
    ep_ref command;       /* a run of cells with the command line, the words separated by blanks;
                             0: not known */
    uint32_t command_bytes;
    uint32_t not_closed; /* in a file 0. A reader sets 1 in its own copy of one whose process is
                            gone without having closed it; of images added up, their sum */
    uint32_t cut_short;  /* 1: the file could not grow; what came new after that is not in it, and
                            a reference beyond its end is none. Of images added up, their sum */
    uint32_t state;      /* enum ep_image_state */
    uint32_t items_not_understood; /* of EPROF= and eprof_setup() */
};

enum ep_image_state {
    EP_STATE_RUNNING = 1, /* a process records into it, or was killed */
    EP_STATE_CLOSED = 2,  /* its process came to its end by itself */
    EP_STATE_SAVED = 3    /* a copy, of one moment */
};

/* Cell 1. What every hot call reads; lock. Nothing else stands on this line. */
struct ep_control_cell {
    uint64_t generation;        /* goes up; first is 1. Release: pairs with the acquire of a hot
                                   call, which then sees the source that belongs to it */
    uint64_t horizon_ticks;     /* a difference up to this has been seen to be possible; ones alone */
    uint64_t reset_ticks;       /* when that last reset was */
    uint64_t reset_generation;  /* of the last reset, init, change of source or fork */
    uint64_t init_generation;   /* of the last init */
    uint64_t switch_generation; /* of the last time recording was switched; 0: never */
    uint64_t on_ticks;          /* when recording was last switched on */
    uint64_t unused;
};

/* Cell 2. The source in use; lock. */
struct ep_source_cell {
    char name[32];
    uint64_t ticks_per_second;   /* as the source knows it; 0: to be measured */
    uint64_t first_ticks;        /* when this source was first used, */
    uint64_t first_monotonic_ns; /* on the two clocks */
    uint32_t is_per_thread;
    uint32_t apart; /* 1: since the last reset it has run for another time than CLOCK_MONOTONIC
                       (process_clock.h); of images added up, their sum */
};

/* 18 minutes at 1 MHz: no probe takes that. */
#define EP_PROBE_MOST_MILLITICKS (UINT64_C(1) << 40)

/* Cell 3. What the probe costs under this source; lock. */
struct ep_probe_cell {
    uint64_t inside_milliticks; /* what a pair of an instance reads too much */
    uint64_t pair_milliticks;   /* what it costs around it */
    uint64_t resolution_ticks;  /* the greatest step that all steps seen are multiples of; 0: it
                                   was not seen to move */
    uint64_t is_known;          /* 1: measured */
    uint64_t scope_inside_milliticks; /* the same of a scope */
    uint64_t scope_pair_milliticks;
    uint64_t nested_pair_milliticks; /* what one inside another of its site costs around it */
    uint64_t unused;
};

/* Cell 10. What the probe of a function costs under this source, by the compiler's hooks; lock. */
struct ep_function_probe_cell {
    uint64_t inside_milliticks; /* as of a scope */
    uint64_t pair_milliticks;
    uint64_t nested_pair_milliticks;
    uint64_t untimed_pair_milliticks; /* of a call that is only counted */
    uint64_t is_known;                /* 1: measured */
    uint64_t unused[3];
};

/* Cell 4. Where everything begins; lock. */
struct ep_root_cell {
    uint32_t cells_used; /* cells handed out */
    ep_ref threads;      /* the oldest struct ep_thread_cell; release */
    ep_ref directory;    /* EP_DIRECTORY_RUNS references to runs of 1,024 ep_instance_cell */
    uint32_t slots_used; /* slots that were ever used */
    uint32_t thread_count;
    uint32_t slots_alive;
    uint32_t free_first; /* freed slots, oldest first, as slot + 1; 0: none */
    uint32_t free_last;
    uint32_t index_root;  /* of the tree by label, as slot + 1 */
    ep_ref free_texts[7]; /* freed runs of 2^n cells, n = 0 to 6 */
};

/* What can go wrong and is only counted. "clock" is the sum of the rows' errors. */
enum ep_trouble {
    EP_TROUBLE_UNBALANCED,     /* a stop without a start on its thread */
    EP_TROUBLE_BAD_HANDLES,    /* a hot call with a handle that is stale or was never one */
    EP_TROUBLE_UNKNOWN_LABELS, /* eprof_free() of a label that is not there */
    EP_TROUBLE_LOST,           /* a call that could not be recorded */
    EP_TROUBLE_OUT_OF_CELLS,   /* memory that could not be had: for a call, or a bucket */
    EP_TROUBLE_FORCED_CLOSES,
    EP_TROUBLE_STRAY_KEEPS,
    EP_TROUBLE_KINDS
};

/* Cell 5 for what belongs to no thread (atomic additions, off the hot path),
 * and one with each thread (owner). */
struct ep_trouble_cell {
    uint64_t stamp;
    uint64_t count[EP_TROUBLE_KINDS];
};

/* Cell 6. The call trees: what bounds them, and the sites that they are made of; lock. */
struct ep_tree_cell {
    uint64_t limit_bytes; /* of the blocks taken for call trees in the whole process */
    uint64_t taken_bytes;
    ep_ref sites;        /* the oldest struct ep_site_cell; release */
    ep_ref site_index;   /* of the trie by contents; release */
    uint32_t site_count; /* the highest number of a site */
    ep_ref last_site;    /* where the next one is linked to */
    ep_ref modules;      /* the oldest struct ep_module_cell; release */
    ep_ref last_module;
    uint32_t unused[6];
};

/*
 * Cell 7. How long a tick is, for those who cannot ask the source any more, and which moment
 * the image is of; lock. Two scales, so that a kill finds one of them whole.
 */
struct ep_scale_cell {
    struct ep_scale scale[2]; /* ns and ticks; ticks 0: not known yet */
    uint32_t current;         /* the one that counts; release */
    uint32_t has_now;         /* 1: this is the image of a moment (saved, closed): */
    uint64_t now_ticks;       /* that one, up to which open scopes have run; */
    uint64_t now_self;        /* by the source of this thread, where each has its own */
    uint64_t unused;
};

/* Cell 8. For those who read while another process writes; lock. */
struct ep_lock_cell {
    uint32_t changes; /* raised when the lock is taken and when it is given back: odd, what the
                         lock guards may be half done. Of a killed process it may stay odd */
    uint32_t unused[15];
};

/* Cell 9. Of images added up; lock. */
struct ep_sum_cell {
    uint64_t is_net; /* 1: of each what its probe cost is off already; cell 3 tells the highest */
    uint64_t unused[7];
};

enum {
    EP_CELL_IDENTITY,
    EP_CELL_CONTROL,
    EP_CELL_SOURCE,
    EP_CELL_PROBE,
    EP_CELL_ROOT,
    EP_CELL_TROUBLE,
    EP_CELL_TREE,
    EP_CELL_SCALE,
    EP_CELL_LOCK,
    EP_CELL_SUM,
    EP_CELL_FUNCTION_PROBE,
    EP_HEADER_CELLS = 16
};

/* -------------------------------------------------------------- instances -- */

/* One for each slot, in the directory's runs; lock. */
struct ep_instance_cell {
    uint64_t born;   /* generation at which its figures begin; 0: not alive, or being written */
    uint32_t handle; /* of this use; of the next one when not alive */
    ep_ref label;    /* a run of cells with the label and a NUL */
    uint32_t label_bytes; /* without the NUL */
    uint32_t label_cells; /* of the run: a power of two */
    uint32_t label_hash;
    uint32_t smaller, larger; /* the tree by label: slot + 1, 0: none */
    uint32_t next_free;       /* slot + 1 of the next freed one */
    uint32_t unused[2];       /* the second: 64-bit fields stand at multiples of 8, as they do not
                                 by themselves on 32-bit x86 */
    uint64_t birth;           /* its number in the order of all allocs */
    uint64_t more_unused;
};

/*
 * What the calls of one region came to on one thread: the figures of a pair of cells
 * below, and of a node of the call tree. Owner.
 *
 * A stop writes the pending difference, total, min, max, then calls. A reader or a
 * kill finds the fields apart by one call.
 *
 * The difference of a stop is put into the histogram and the sum of squares by
 * the next start: at the stop itself, everything that hangs on the fresh time
 * stamp is waited for by the next clock read (docs/performance.md). A reader
 * adds the pending one.
 */
struct ep_statistics {
    uint64_t calls;
    uint64_t total_ticks;
    uint64_t min_ticks; /* UINT64_MAX: none yet */
    uint64_t max_ticks;
    uint64_t pending; /* the last difference + 1, not yet in the histogram; 0: none */
    uint64_t square_low, square_high; /* sum of the squares of the differences but the pending */
    uint64_t nested;                  /* calls that were not outermost */
    uint64_t errors;                  /* calls that were rejected */
    uint32_t pending_bucket;          /* of the last difference: octave * 8 + step */
    uint32_t abandoned; /* what there is to add to those that are open: calls left open by a thread
                           that ended; below zero by those that are nothing, dropped with a hold */
    ep_ref octave[EP_NEAR_OCTAVES]; /* its counts; 0: none yet */
    ep_ref far[EP_FAR_CELLS];       /* cells with the references to the rest; 0: none */
};

/* What one thread recorded of one instance: four cells together. Owner. */
struct ep_pair_cell {
    uint64_t stamp; /* generation of the owner's last visit, with the owner's salt above it */
    union {
        struct {
            uint32_t handle; /* of the instance it belongs to */
            uint32_t depth;  /* pairs open on this thread; lowered last of all, so that a
                                handler that interrupts a stop is seen as nested in it */
        };
        uint64_t state; /* both: a start and a stop look at them with one compare */
    };
    uint64_t start_ticks; /* of the outermost open one */
    struct ep_statistics stats;
    uint64_t pardon_below_calls; /* an unbalanced stop is pardoned while `calls` is below this:
                                    recording was switched, and every pair that has ended since
                                    began before; 0: never */
    ep_ref next;                 /* the owner's next newer pair; release */
    uint32_t ignored;            /* stops to come whose pair began before a reset */
    uint32_t former_handle;      /* of the instance before, which eprof_init() released, */
    uint32_t former_open;        /* and its pairs that were open: their stops are no error */
};

/* The stamp's upper 16 bits are the owner's salt: in the lower ten how often it switched
 * itself on, so that its cells are looked at once after each time; in the upper six how deep in
 * holds it is, so that none but a hold's own cells are recorded into. */
#define EP_STAMP_GENERATION ((UINT64_C(1) << 48) - 1)
#define EP_STAMP_SWITCH (UINT64_C(1) << 48)
#define EP_STAMP_SWITCHES (UINT64_C(0x3FF) << 48)
#define EP_STAMP_LEVEL (UINT64_C(1) << 58)
enum { EP_LEVELS = 63 };

/* The references to 16 octaves that long durations fall into. */
struct ep_far_octaves_cell {
    ep_ref octave[16];
};

/* One octave: eight buckets. 64 bits each, so that none ever wraps. */
struct ep_octave_cell {
    uint64_t count[EP_OCTAVE_BUCKETS];
};

/* --------------------------------------------------------------- call tree -- */

enum { EP_BUILD_ID_BYTES = 20 };

/* What functions lie in: the program, or a shared library. Written once, so that what was unloaded
 * since has names too; one that is loaded again is the same. Lock. */
struct ep_module_cell {
    ep_ref next; /* the module seen after it; release */
    ep_ref path; /* a run of cells with a NUL at the end, absolute; 0: it is not known */
    uint32_t path_bytes;
    uint32_t build_id_bytes;             /* that count; 0: it has none */
    uint8_t build_id[EP_BUILD_ID_BYTES]; /* its beginning, where it is longer */
    uint32_t pages;                      /* of 4 KiB, from `begin` on */
    uint64_t begin;                      /* where it lay when it was first seen */
    uint64_t bias;                       /* what its addresses were more than those in its file */
    uint64_t modified_ns;                /* when its file was last changed; 0: it is not known */
};

/* Of the calls of a function that is throttled one in so many is timed, at random. */
enum { EP_SAMPLE_WEIGHT = 64 };

enum ep_site_naming {
    EP_NAMING_NONE = 0,
    EP_NAMING_DYNAMIC = 1, /* the name is that of a dynamic symbol, as the linker has it */
    EP_NAMING_WHOLE = 2    /* it has been looked up in the debug information, or symbol table */
};

/*
 * A site: file, line and label of a scope; the label alone, of eprof_enter(); or a function, of
 * automatic instrumentation, by its module and address, whose file, line and label come
 * afterwards, if they can be found. Else written once. Never freed: a program has as many as it
 * has lines. Lock.
 */
struct ep_site_cell {
    uint32_t number; /* EP_SITE_FIRST and up, in order of first use */
    uint32_t line;   /* 0: none */
    ep_ref label;    /* runs of cells with a NUL at the end */
    uint32_t label_bytes;
    ep_ref file; /* 0: none */
    uint32_t file_bytes;
    uint32_t hash;
    ep_ref next;         /* the site registered after it; release */
    ep_ref child[4];     /* of the trie: by the hash, two bits a level; release */
    uint64_t function;   /* its address in the module's file */
    ep_ref module;       /* 0: this is no function */
    uint16_t naming;     /* enum ep_site_naming, of a function; release */
    uint16_t is_thinned; /* of a function: only some of its calls are timed */
};

/* Numbers of what is no line of a program. */
enum {
    EP_SITE_NONE = 0,  /* of a thread's root node */
    EP_SITE_OTHER = 1, /* paths for which there was no room: "(other)" */
    EP_SITE_HOLD = 2,  /* the root of what is recorded in a hold, not shown */
    EP_SITE_FIRST = 3
};

/*
 * A scope at one place of the call tree of one thread: four cells together. Owner.
 *
 * A parent is older than its children. A leave writes total, self, min, max,
 * the pending difference, then calls.
 */
struct ep_node_cell {
    uint64_t stamp; /* as a pair's */
    union {
        struct {
            uint32_t site; /* its number */
            ep_ref parent; /* 0: this is the root */
        };
        uint64_t key; /* both */
    };
    uint64_t self_ticks; /* of all its calls, nested ones too */
    struct ep_statistics stats;
    ep_ref next;    /* the owner's next newer node; release */
    uint16_t level; /* of the hold it is for; 0: of the tree that is shown */
    uint16_t depth; /* nodes above it, but roots; as many as this can tell */
    ep_ref base;    /* in a hold: the node one level down that it goes to if it is kept */
    union {
        ep_ref next_touched; /* in a hold: the node touched before; itself: the last */
        uint32_t samples;    /* at level 0: calls that each stand for EP_SAMPLE_WEIGHT; no more than
                                this can tell */
    };
    uint64_t owed_ticks; /* in a hold: what goes back to the self time of `base` if it is dropped.
                            Else, in images added up: the time so far of calls that were open,
                            + 1; 0: of no such image */
};

enum {
    EP_FRAME_CLAIMED = 1, /* an enter is under way */
    EP_FRAME_OPEN = 2,
    EP_FRAME_TIMED = 4,  /* outermost of its site: its time counts */
    EP_FRAME_NESTED = 8, /* inside another of its site */
    EP_FRAME_VOID = 16,  /* began while recording was off, or in a hold that was dropped: nothing */
    EP_FRAME_DETACHED = 32,  /* a signal handler's, in the midst of an enter or a leave */
    EP_FRAME_MANUAL = 64,    /* of eprof_enter(): of no frame of the program's stack */
    EP_FRAME_SLOW = 128,     /* of EPROF_SLOW: its end decides a hold */
    EP_FRAME_FOLDED = 256,   /* timed inside another of its site, which is nothing */
    EP_FRAME_FUNCTION = 512, /* of automatic instrumentation */
    EP_FRAME_SAMPLE = 1024,  /* stands for EP_SAMPLE_WEIGHT calls of a throttled function */
    EP_FRAME_UNTIMED = 2048  /* a call of one that is only counted */
};

/*
 * An open scope: an entry of a thread's stack. Owner. What was left stays in the chain, and the
 * next enter at that depth takes it again.
 */
struct ep_frame_cell {
    uint64_t start_ticks;
    uint64_t child_ticks; /* spent in scopes that were entered and left inside */
    uint64_t stamp;       /* as at the enter */
    uint64_t frame;       /* the canonical frame address of the function that holds the scope, or
                             that is entered; odd: an estimate, below it */
    ep_ref node;
    ep_ref next;        /* the entry above; 0: not made yet */
    ep_ref below;       /* the entry that was open at the enter */
    ep_ref open_before; /* the open entry of the same site; 0: none. Of one that is nested, if that
                           is being entered, and this is of a signal handler that came between */
    uint32_t state;     /* EP_FRAME_...; 0: left. Release, when all that a reader takes is there */
    uint32_t token;     /* the lower half of the address of its token; of a function, of the code
                           that enters it, which each copy that was inlined has its own of */
    union {
        struct {
            uint32_t return_address; /* the lower half of that of `frame` */
            uint32_t tokens;         /* of the entries below in this frame, as a set of bits */
        };
        uint64_t caller; /* both */
    };
};

/* ---------------------------------------------------------------- threads -- */

enum ep_thread_state {
    EP_THREAD_LIVING = 1,
    EP_THREAD_ENDED = 2,
    EP_THREAD_ORPHANED = 3 /* in a forked child: the parent's, not taken over yet */
};

/* One for each record of a thread, at the start of its first block. Lock. */
struct ep_thread_cell {
    ep_ref next;     /* the next newer one; release */
    uint32_t number; /* 0: the main thread; else in order of appearance */
    uint32_t state;  /* enum ep_thread_state */
    ep_ref name;     /* a run of cells; 0: no name */
    uint32_t name_bytes;
    ep_ref move;          /* its struct ep_move_cell */
    ep_ref trouble;       /* its struct ep_trouble_cell */
    ep_ref pairs;         /* the oldest of its ep_pair_cells; release */
    uint64_t self;        /* its pthread_self(): by it a forked child finds the record of the
                             thread that forked, */
    uint32_t is_off;      /* and whether it had switched itself off */
    ep_ref nodes;         /* the oldest of its ep_node_cells, which is the root; release */
    ep_ref frames;        /* the lowest entry of its stack, which is always open; release */
    uint32_t keeps;       /* raised before and after each keep: odd in the midst of one; release */
    ep_ref scratch_pairs; /* of holds, which are not shown; release */
    uint32_t holds;       /* that are open: in a forked child their keeps are no error */
};

/*
 * One with each thread: what it is moving from one of its cells to another, where a kill must
 * not find it in both or in none. Words are numbered from the beginning of the image. Owner.
 */
struct ep_move_cell {
    uint64_t from; /* this word is to be 0, 0: nothing is being moved; release */
    uint64_t to;   /* and this one `sum_low`, */
    uint64_t sum_low;
    uint64_t sum_high; /* and where it is wide, the next ones as well */
    uint32_t is_wide;
    uint32_t keep_level; /* while `keeps` is odd: of the hold that is being kept */
    uint64_t unused[3];
};

union ep_cell {
    struct ep_identity_cell identity;
    struct ep_control_cell control;
    struct ep_source_cell source;
    struct ep_probe_cell probe;
    struct ep_function_probe_cell function_probe;
    struct ep_root_cell root;
    struct ep_trouble_cell trouble;
    struct ep_instance_cell instance;
    struct ep_far_octaves_cell far;
    struct ep_octave_cell octave;
    struct ep_thread_cell thread;
    struct ep_move_cell move;
    struct ep_tree_cell tree;
    struct ep_scale_cell scale;
    struct ep_lock_cell lock;
    struct ep_sum_cell sum;
    struct ep_site_cell site;
    struct ep_module_cell module;
    struct ep_frame_cell frame;
    ep_ref refs[16];
    char text[EP_CELL_BYTES];
};

_Static_assert(sizeof(union ep_cell) == EP_CELL_BYTES, "a cell is a cache line");
_Static_assert(sizeof(struct ep_pair_cell) == 4 * EP_CELL_BYTES, "a pair is four cells");
_Static_assert(sizeof(struct ep_node_cell) == 4 * EP_CELL_BYTES, "a node is four cells");
_Static_assert(EP_OCTAVES == EP_NEAR_OCTAVES + 16 * EP_FAR_CELLS, "all octaves are reached");

/* The reference to the counts of an octave; 0: there are none. */
EP_INLINE ep_ref ep_cell_octave(const union ep_cell *cells, const struct ep_statistics *stats,
                                unsigned octave)
{
    if (octave < EP_NEAR_OCTAVES)
        return ep_load_acquire(&stats->octave[octave]);
    unsigned far = octave - EP_NEAR_OCTAVES;
    ep_ref cell = ep_load_acquire(&stats->far[far / 16]);
    return cell ? ep_load_acquire(&cells[cell].far.octave[far % 16]) : 0;
}

#endif /* EP_CELL_H */
