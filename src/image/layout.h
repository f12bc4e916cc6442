/*
 * image/layout.h - the layout of the image, cell by cell
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

#include "base/compiler.h"
#include "base/histogram.h"
#include "base/wide.h"

enum {
    EP_CELL_BYTES = 64,
    EP_BLOCK_CELLS = 64, /* 4 KiB: a thread takes whole blocks */
    EP_SLOT_BITS = 20,   /* 1,048,576 instances alive at once */
    EP_SLOTS = 1 << EP_SLOT_BITS,
    EP_SLOT_USES = 1 << (31 - EP_SLOT_BITS), /* a handle is an int that is not negative */
    EP_LABEL_BYTES = 4095,                   /* of a label, without its NUL: 64 cells with it */
    EP_DIRECTORY_RUNS = EP_SLOTS / 1024,     /* runs of instance cells */
    EP_RUN_CELLS = EP_SLOTS / EP_DIRECTORY_RUNS,
    EP_CELL_REFS = 16,              /* references in a cell */
    EP_NEAR_OCTAVES = 30,           /* reached by one reference: up to 1.9 s at 2.3 GHz */
    EP_FAR_CELLS = 2,               /* for the other octaves, EP_CELL_REFS references each */
    EP_TREE_LIMIT_BYTES = 64 << 20, /* some 130,000 nodes with their histograms */
    EP_BYTE_ORDER = 0x01020304,     /* as the writer stores it */
    EP_FORMAT_OLDEST = 1,           /* the oldest version that is read: it has no functions */
    EP_FORMAT_SAMPLING = 3,         /* the first version with struct ep_sampling_cells */
    EP_FORMAT_VERSION = 4           /* the version that is written; the first with values */
};

typedef uint32_t ep_ref;

/* ------------------------------------------------------------- the header -- */

/* The first bytes of every image, without a NUL. They reveal a transfer as text. */
#define EP_IMAGE_MAGIC "eprof\r\n\032"

/* Cell 0. Written once, when the image is made, except for the last three fields; lock. */
struct ep_identity_cell {
    char magic[8];         /* EP_IMAGE_MAGIC */
    uint32_t version;      /* EP_FORMAT_VERSION */
    uint32_t byte_order;   /* EP_BYTE_ORDER */
    uint32_t cell_bytes;   /* EP_CELL_BYTES */
    uint32_t header_cells; /* EP_HEADER_CELLS */
    uint64_t process_id;
    uint64_t realtime_ns; /* CLOCK_REALTIME when it was made */
    ep_ref command;       /* a run of cells: the command line, separated by blanks; 0: unknown */
    uint32_t command_bytes;
    /* in a merged image, the sums of both */
    uint32_t not_closed; /* in a file 0. A reader sets 1 if the process did not close the image */
    uint32_t cut_short;  /* 1: the file could not grow; a reference beyond its end is ignored */
    uint32_t state;      /* enum ep_image_state */
    uint32_t items_not_understood; /* of EPROF= and eprof_setup() */
};

enum ep_image_state {
    EP_STATE_RUNNING = 1, /* a process records into it, or was killed */
    EP_STATE_CLOSED = 2,  /* its process ended normally */
    EP_STATE_SAVED = 3    /* a copy, of one moment */
};

/* Cell 1. Read by every hot call, so nothing else is on this cache line; lock. */
struct ep_control_cell {
    uint64_t generation;        /* only grows, from 1. Release: a hot call then sees its source */
    uint64_t horizon_ticks;     /* a difference up to this is possible */
    uint64_t reset_ticks;       /* when the last reset was */
    uint64_t reset_generation;  /* of the last reset, init, change of source or fork */
    uint64_t init_generation;   /* of the last init */
    uint64_t switch_generation; /* of the last time recording was switched; 0: never */
    uint64_t on_ticks;          /* when recording was last switched on */
};

/* Cell 2. The source in use; lock. */
struct ep_source_cell {
    char name[32];
    uint64_t ticks_per_second;   /* as the source documents it; 0: measured */
    uint64_t first_ticks;        /* the first use of this source */
    uint64_t first_monotonic_ns; /* the same moment by CLOCK_MONOTONIC */
    uint32_t is_per_thread;
    uint32_t apart; /* 1: it has disagreed with CLOCK_MONOTONIC since the last reset
                       (record/rate.h); in a merged image, the sum */
};

/* 18 minutes at 1 MHz: no probe takes that long. */
#define EP_PROBE_MOST_MILLITICKS (UINT64_C(1) << 40)

/* Cell 3. The overhead of the probe with this source; lock. */
struct ep_probe_cell {
    uint64_t inside_milliticks; /* overhead inside the measured time of an instance's pair */
    uint64_t pair_milliticks;   /* overhead of the pair in the surrounding region */
    uint64_t resolution_ticks;  /* the greatest common divisor of all steps; 0: it did not move */
    uint64_t is_known;          /* 1: measured */
    uint64_t scope_inside_milliticks; /* the same for a scope */
    uint64_t scope_pair_milliticks;
    uint64_t nested_pair_milliticks; /* of a scope inside another of its site */
    uint64_t value_milliticks;       /* of a value, in the time around it; 0: not known */
};

/* Cell 10. The overhead of a function's probe with this source; lock. */
struct ep_function_probe_cell {
    uint64_t inside_milliticks; /* as for a scope */
    uint64_t pair_milliticks;
    uint64_t nested_pair_milliticks;
    uint64_t untimed_pair_milliticks; /* of a call that is only counted */
    uint64_t is_known;                /* 1: measured */
    uint64_t has_entries; /* 1: functions are recorded by patched entries; 0: by hooks, if any */
};

/* Cell 12. What the probe of a call costs that is timed among untimed ones, or only counted, with
 * this source; and the budget. Lock. */
struct ep_sampled_probe_cell {
    uint64_t inside_milliticks[2]; /* of a scope, of a function */
    uint64_t pair_milliticks[2];
    uint64_t untimed_milliticks[2]; /* of a call that is only counted */
    uint64_t budget_millionths;     /* of each thread's time; 0: none */
    uint64_t period;                /* one call in so many is timed; 0: the budget decides */
};

enum ep_cpu_kind { EP_CPU_SCOPE, EP_CPU_FUNCTION, EP_CPU_INSTANCE, EP_CPU_KINDS };

/* Cell 13. Processor time (EPROF=cpu); lock. */
struct ep_cpu_cell {
    uint64_t is_on;   /* 1: it is read in timed calls; in a merged image, if it was in any */
    uint64_t read_ns; /* what a reading costs; 0: not measured */
    /* the processor time of a call less its time: it is read around the clock */
    uint64_t outside_ns[EP_CPU_KINDS];
    uint64_t now_cpu_ns; /* of the thread `now_self` of cell 7 at the moment of the image, + 1; 0:
                            unknown */
};

/*
 * Cell 14. How long the process has run since the last reset: when the image was closed or saved,
 * or by a timed call under a budget, for readers of the file of a program that was killed. Written
 * under the lock, and off the hot path by timed calls. In a merged image the sums. 0: not known, as
 * in older images.
 */
struct ep_run_cell {
    uint64_t wall_ns;     /* + 1 */
    uint64_t cpu_ns;      /* of all threads, + 1 */
    uint64_t overhead_ns; /* of all probes, + 1; in merged images only */
};

/* Cell 4. The roots of all lists; lock. */
struct ep_root_cell {
    uint32_t cells_used; /* cells handed out */
    ep_ref threads;      /* the oldest struct ep_thread_cell; release */
    ep_ref directory;    /* EP_DIRECTORY_RUNS references to runs of ep_instance_cell */
    uint32_t slots_used; /* slots that were ever used */
    uint32_t thread_count;
    uint32_t slots_alive;
    uint32_t free_first; /* freed slots, oldest first, as slot + 1; 0: none */
    uint32_t free_last;
    uint32_t index_root;  /* of the tree by label, as slot + 1 */
    ep_ref free_texts[7]; /* freed runs of 2^n cells, n = 0 to 6 */
};

/* Failures that are only counted. "clock" is not among them: it is the sum of the rows' errors. */
enum ep_diagnostic {
    EP_DIAGNOSTIC_UNBALANCED,     /* a stop without a start on its thread */
    EP_DIAGNOSTIC_BAD_HANDLES,    /* a hot call with a handle that is stale or was never valid */
    EP_DIAGNOSTIC_UNKNOWN_LABELS, /* eprof_free() of an unknown label */
    EP_DIAGNOSTIC_LOST,           /* a call that could not be recorded */
    EP_DIAGNOSTIC_OUT_OF_CELLS,   /* a lack of memory for a call or a bucket */
    EP_DIAGNOSTIC_FORCED_CLOSES,
    EP_DIAGNOSTIC_UNMATCHED_KEEPS,
    EP_DIAGNOSTIC_KINDS
};

/* Cell 5 for failures without a thread (atomic additions, off the hot path), and one for each
 * thread (owner). */
struct ep_diagnostics_cell {
    uint64_t generation;
    uint64_t count[EP_DIAGNOSTIC_KINDS];
};

/* How many sites with unwound scopes are named. */
enum { EP_UNENDED_SITES = 3 };

enum {
    EP_NOTE_MORE_UNENDED = 1, /* there were more sites than fit into `unended` */
    EP_NOTE_CHILD = 2,        /* in cell 11: this process is counted in `forked` of its parent */
    EP_NOTE_SUM = 4,          /* in cell 11: this is a merged image */
    /* In a merged image, of the times in cell 14. OLD: some are as of the last update, since the
     * program was killed or still ran; STALE: and that may be long ago; WHOLE: some are complete */
    EP_NOTE_RUN_OLD = 8,
    EP_NOTE_RUN_STALE = 16,
    EP_NOTE_RUN_WHOLE = 32,
    EP_NOTE_RUN = EP_NOTE_RUN_OLD | EP_NOTE_RUN_STALE | EP_NOTE_RUN_WHOLE
};

/* Facts for reports besides figures and diagnostics. One for each thread (owner), valid by its
 * generation; and cell 11 for the process (lock), without a generation. A merged image has cell 11
 * alone. */
struct ep_note_cell {
    uint64_t generation;
    uint64_t holds_kept; /* outermost holds that were kept. Before `holds_ended`, which is raised */
    uint64_t holds_ended; /* first: a reader in this order never sees more kept than ended */
    /* these three in cell 11 */
    uint64_t forked;                    /* child processes; a reset does not set it to zero */
    uint64_t forked_with_image;         /* those forked while an image file was in use */
    uint64_t added_children;            /* images of forked children in this sum */
    uint32_t unended[EP_UNENDED_SITES]; /* the first sites with unwound scopes; 0: none */
    uint32_t flags;                     /* EP_NOTE_... */
};

/* Cell 6. The limit of the call trees, their sites and modules; lock. */
struct ep_tree_cell {
    uint64_t limit_bytes; /* of all blocks taken for call trees in the process */
    uint64_t taken_bytes;
    ep_ref sites;        /* the oldest struct ep_site_cell; release */
    ep_ref site_index;   /* the root of the trie by contents; release */
    uint32_t site_count; /* the highest number of a site */
    ep_ref last_site;    /* the next one is linked to it */
    ep_ref modules;      /* the oldest struct ep_module_cell; release */
    ep_ref last_module;
};

/* Cell 7. How long a tick is, for readers that cannot ask the source, and the moment of the image;
 * lock. Two scales, so that one of them is whole after a kill. */
struct ep_scale_cell {
    struct ep_scale scale[2]; /* ns and ticks; ticks 0: unknown */
    uint32_t current;         /* the index of the valid scale; release */
    uint32_t has_now;         /* 1: the image has a moment (saved, closed) */
    uint64_t now_ticks;       /* the moment, up to which open scopes have run */
    uint64_t now_self;        /* the thread whose source it is, if each thread has its own */
};

/* Cell 8. For processes that read while another one writes; lock. */
struct ep_lock_cell {
    uint32_t changes; /* raised when the lock is taken and when it is released. Odd: data under it
                         may be half written */
    uint32_t moves;   /* raised before and after figures move between threads (image/moves.h) */
    uint32_t interrupted; /* in a file 0. A reader counts in its own copy the keeps and moves that
                             were under way; in a merged image, the sum */
};

/* Cell 9, in merged images only. Lock. */
struct ep_sum_cell {
    uint64_t is_net; /* 1: each image's overhead is already subtracted; cell 3 has the highest */
};

/*
 * Cell 15. Which process of a job this is; lock. In a merged image, how the time of each call path
 * is spread over the processes: a run of struct ep_balance_cell, a parent before its children.
 *
 * There is also the greatest time of each path in each group of processes. The key of a process is
 * its rank, or EP_KEY_UNRANKED and its process id. The processes of a group have equal keys without
 * the lowest `group_shift` bits, which is the least number of bits that leaves EP_GROUPS_MOST
 * groups. The groups are a run of struct ep_group_cells: the shifted keys in ascending order, then
 * the times in ns of the first path, and so on, each beginning with a cell; unused elements are 0.
 */
struct ep_processes_cell {
    uint64_t rank;   /* of MPI, + 1; 0: none */
    uint64_t count;  /* in a merged image: the images of processes in it */
    uint64_t ranked; /* those of them with a rank */
    ep_ref balances; /* 0: none, as in images that are not merged, and in older ones */
    uint32_t balance_count;
    ep_ref groups; /* 0: none, or not known */
    uint32_t group_count, group_shift;
};

#define EP_KEY_UNRANKED ((uint64_t)1 << 32)
enum { EP_GROUPS_MOST = 64, EP_GROUPS_IN_CELL = 8 };

struct ep_group_cells {
    uint64_t at[EP_GROUPS_IN_CELL];
};

/* One call path, in all threads. A process counts if the path has calls in it. Times are in ns. */
struct ep_balance_cell {
    uint32_t site;      /* its number */
    uint32_t parent;    /* the index of the path above, + 1; 0: none */
    uint32_t processes; /* 0: the path has calls in no process */
    uint32_t slowest;   /* the number of the process with the most time: its rank, or its process
                           id; the lowest of equal ones */
    uint64_t min_ns, max_ns;
    uint64_t total_low, total_high;   /* the sum */
    uint64_t square_low, square_high; /* the sum of the squares; all ones: too large */
};

enum {
    EP_CELL_IDENTITY,
    EP_CELL_CONTROL,
    EP_CELL_SOURCE,
    EP_CELL_PROBE,
    EP_CELL_ROOT,
    EP_CELL_DIAGNOSTICS,
    EP_CELL_TREE,
    EP_CELL_SCALE,
    EP_CELL_LOCK,
    EP_CELL_SUM,
    EP_CELL_FUNCTION_PROBE,
    EP_CELL_NOTE,
    EP_CELL_SAMPLED_PROBE,
    EP_CELL_CPU,
    EP_CELL_RUN,
    EP_CELL_PROCESSES,
    EP_HEADER_CELLS
};

/* -------------------------------------------------------------- instances -- */

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
enum { EP_LEVELS = 63 };

/* References to the octaves of long durations. */
struct ep_far_octaves_cell {
    ep_ref octave[EP_CELL_REFS];
};

/* One octave: eight buckets of 64 bits, so that none ever wraps. */
struct ep_octave_cell {
    uint64_t count[EP_OCTAVE_BUCKETS];
};

/* --------------------------------------------------------------- call tree -- */

enum { EP_BUILD_ID_BYTES = 20 };

/* A module: the program or a shared library. Written once, and stays when it is unloaded. Lock. */
struct ep_module_cell {
    ep_ref next; /* the module seen after it; release */
    ep_ref path; /* a run of cells with a NUL at the end, absolute; 0: unknown */
    uint32_t path_bytes;
    uint32_t build_id_bytes;             /* used bytes of build_id; 0: none */
    uint8_t build_id[EP_BUILD_ID_BYTES]; /* the beginning of a longer one */
    uint32_t pages;                      /* of 4 KiB, from `begin` on */
    uint64_t begin;                      /* its address when it was first seen */
    uint64_t bias;                       /* its addresses less those in its file */
    uint64_t modified_ns;                /* when its file was last changed; 0: unknown */
};

/* Older images: one call in so many of a sampled function was timed. */
enum { EP_SAMPLE_WEIGHT = 64 };

enum ep_site_naming {
    EP_NAMING_NONE = 0,
    EP_NAMING_DYNAMIC = 1, /* the name is that of a dynamic symbol, as the linker has it */
    EP_NAMING_WHOLE = 2    /* looked up in the debug information or the symbol table */
};

/* What a site without a module records. */
enum ep_site_kind {
    EP_SITE_SCOPE = 0,
    EP_SITE_VALUE = 1, /* numbers of no unit */
    EP_SITE_BYTES = 2,
    EP_SITE_FRAME = 3, /* a scope whose outermost calls are all timed */
    EP_SITE_OVER = 4   /* a value: the ticks by which frames exceeded their budget */
};

#define EP_BUDGET_VARIES UINT64_MAX

/* A site is written once and never freed, because a program has no more of them than lines. A scope
 * has file, line and label; eprof_enter() has only a label. A function of automatic instrumentation
 * has a module and an address; its file, line and label come later, if they are found. Lock. */
struct ep_site_cell {
    uint32_t number; /* EP_SITE_FIRST and up, in order of first use */
    uint32_t line;   /* 0: none */
    ep_ref label;    /* runs of cells with a NUL at the end */
    uint32_t label_bytes;
    ep_ref file; /* 0: none */
    uint32_t file_bytes;
    uint32_t hash;
    ep_ref next;     /* the site registered after it; release */
    ep_ref child[4]; /* of the trie: by the hash, two bits a level; release */
    union {
        uint64_t function; /* its address in the module's file */
        /* of EP_SITE_OVER, else 0; EP_BUDGET_VARIES is stored by any thread whose frame has
         * another budget */
        uint64_t budget_ns;
    };
    ep_ref module; /* 0: this is no function */
    union {
        uint16_t naming; /* enum ep_site_naming, of a function; release */
        uint16_t kind;   /* enum ep_site_kind, of any other site */
    };
    uint16_t is_sampled; /* older images: only some of its calls are timed */
};

/* Site numbers that are not lines of a program. */
enum {
    EP_SITE_NONE = 0,  /* of a thread's root node */
    EP_SITE_OTHER = 1, /* call paths for which there was no room: "(other)" */
    EP_SITE_HOLD = 2,  /* the root of the tree that is recorded in a hold, not shown */
    EP_SITE_FIRST = 3
};

/* Of a node of values: the number of its site has these bits, too. The node has the magnitudes of
 * the values as ticks; those of negative values are in a node of their own. It has no children and
 * no time. */
enum {
    EP_NODE_NEGATIVE = 1 << 29,
    EP_NODE_VALUE = 1 << 30,
    EP_NODE_SITE = EP_NODE_NEGATIVE - 1 /* the bits of the number */
};

/* A scope at one tree position of one thread: four cells together. A parent is older than its
 * children. A leave writes total, self, min, max, the pending difference, then calls. Owner. */
struct ep_node_cell {
    uint64_t generation; /* as in the instance cells */
    union {
        struct {
            uint32_t site; /* its number, with EP_NODE_... */
            ep_ref parent; /* 0: this is the root */
        };
        uint64_t key; /* both */
    };
    uint64_t self_ticks; /* of all its calls, including nested ones */
    struct ep_statistics stats;
    ep_ref next;    /* the owner's next newer node; release */
    uint16_t level; /* of its hold; 0: of the tree that is shown */
    uint16_t depth; /* nodes above it, without roots; saturates */
    ep_ref base;    /* in a hold: the node one level down that it is added to if it is kept */
    union {
        ep_ref next_touched; /* in a hold: the node touched before; itself: the last */
        ep_ref sampling;     /* at level 0: its struct ep_sampling_cells; 0: each call was timed. In
                                images before EP_FORMAT_SAMPLING a number. Release */
    };
    /* in a hold: time for the self time of `base` if the hold is dropped; in a merged image: the
     * time so far of open calls, + 1; 0 in another */
    uint64_t owed_ticks;
};

/*
 * Which calls of a node are timed, how far the estimates from them can be trusted, and their
 * processor time: three cells together. Owner, who raises `changes` before and after it adds a
 * timed call, here and in the figures of the node, so that a reader gets sums of the same calls.
 * "Sampled" calls are timed ones that represent more than one call.
 *
 * An untimed call counts when it begins, by one addition and one subtraction: in `calls` of the
 * statistics and `until_timed`, or, if it is nested, in `nested_calls` or `own_calls` and the
 * number EP_UNTIL_TIMED bytes after that.
 */
struct ep_sampling_cells {
    uint32_t changes;     /* odd: a timed call is being added; release */
    uint32_t rest;        /* calls of the present block after its timed call */
    uint8_t shift;        /* a block has 2^shift calls */
    uint8_t nested_shift; /* these for nested calls that other nodes make */
    uint16_t since;       /* timed calls since `shift` changed; saturates */
    uint32_t nested_rest;
    uint64_t nested_calls;   /* untimed nested calls that other nodes make, */
    uint64_t own_calls;      /* and that the node itself makes. Neither is in the statistics */
    uint64_t timed;          /* outermost calls that were timed and not rejected */
    uint64_t weight;         /* the calls that these represent */
    uint64_t timed_nested;   /* nested calls that were timed */
    uint64_t sampled;        /* of `timed`: those that represent more than one call */
    uint64_t sampled_weight; /* the calls that these represent */
    /* sums over sampled calls of weight w and time d: w^2, w^2 d, w^2 d^2 (record/sampling.h) */
    uint64_t squares;
    uint64_t largest_ticks; /* the greatest w d */
    uint32_t nested_until_timed;
    uint16_t nested_next_shift;  /* of the block after the present one */
    uint16_t nested_timed_shift; /* of the block of the last nested call that was chosen */
    uint32_t own_until_timed;    /* of calls that are never timed: raised when it is small */
    uint32_t merged;             /* in a merged image: EP_MERGED_... */
    struct ep_wide square_ticks;
    struct ep_wide square_square_ticks;
    struct ep_wide variance; /* in a merged image: of the total, in place of these sums; all ones:
                                unknown */
    struct ep_cpu_sums cpu;
    uint64_t largest_weight; /* the w of the greatest w d; 0: not known, in older images */
    uint8_t former_shift;    /* to return to after long calls; 0: none */
    uint8_t nested_former_shift;
    uint8_t unused[6];
};

/* From a number of calls to the number of calls until the next timed one, in bytes. The macros of
 * scopes contain it too (EPROF_UNTIL_TIMED). */
enum { EP_UNTIL_TIMED = 72 };

/* What a merged image states about a node with sampling cells. Its figures represent all calls, and
 * `weight` and `sampled_weight` count the calls that are represented. */
enum {
    EP_MERGED_EXACT = 1, /* no outermost call was estimated: the cells are there for nested calls
                            that went untimed, or for processor time */
    EP_MERGED_REST = 2,  /* estimates were subtracted from its self time, which may be negative */
    EP_MERGED_PARTS = 4  /* its total is the sum of its parts, with estimates in it */
};

enum {
    EP_SCOPE_ENTERING = 1, /* an enter is under way */
    EP_SCOPE_OPEN = 2,
    EP_SCOPE_TIMED = 4,  /* outermost of its site: its time counts */
    EP_SCOPE_NESTED = 8, /* inside another of its site */
    EP_SCOPE_VOID = 16,  /* ignored: began while recording was off, or in a hold that was dropped */
    EP_SCOPE_DETACHED = 32,  /* of a signal handler that interrupted an enter or a leave */
    EP_SCOPE_MANUAL = 64,    /* of eprof_enter(): belongs to no frame of the program's stack */
    EP_SCOPE_SLOW = 128,     /* of EPROF_SLOW: its end decides a hold */
    EP_SCOPE_FOLDED = 256,   /* timed inside another of its site, which is ignored */
    EP_SCOPE_FUNCTION = 512, /* of automatic instrumentation */
    EP_SCOPE_SAMPLE = 1024,  /* timed under a budget: its node's sampling cells are updated */
    EP_SCOPE_UNTIMED = 2048, /* only counted */
    EP_SCOPE_UNSURE = 4096, /* its function may have been entered again without an open scope, so an
                               exit in another frame may belong to that later call */
    EP_SCOPE_ENTRY = 8192,  /* untimed, of a function with a patched entry: nothing tells its end */
    EP_SCOPE_LOST = 16384   /* from here up, the calls of eprof_enter() right above this scope that
                              got no open scope; their leaves come */
};

/* An open scope on a thread's stack. A cell stays in the chain after the leave, and the next enter
 * at that depth uses it again. Owner. */
struct ep_open_scope_cell {
    uint64_t start_ticks;
    uint64_t child_ticks; /* spent in scopes that were entered and left inside */
    uint64_t generation;  /* at the enter */
    uint64_t frame; /* the canonical frame address of its function; odd: an estimate, below it */
    ep_ref node;
    ep_ref next;        /* the open scope above; 0: not made yet */
    ep_ref below;       /* the scope that was open at the enter */
    ep_ref open_before; /* the open scope of the same site; 0: none. In a nested one: set if this is
                           of a signal handler that interrupted the enter of the outer one */
    uint32_t state; /* EP_SCOPE_...; 0: left. Release, when all that a reader takes is written */
    uint32_t token; /* the lower half of the address of its token; of a function, of the code that
                       enters it, another one in each inlined copy */
    union {
        struct {
            uint32_t return_address; /* the lower half of the return address of `frame` */
            uint32_t tokens;         /* of the open scopes below in this frame, as a bit set */
        };
        uint64_t caller; /* both */
    };
};

/* ---------------------------------------------------------------- threads -- */

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
