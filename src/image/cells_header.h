/*
 * image/cells_header.h - the layout of the image: its sizes, and the cells of its header
 *
 * layout.h explains the image as a whole, and by whom a cell is written.
 */
#ifndef EP_IMAGE_CELLS_HEADER_H
#define EP_IMAGE_CELLS_HEADER_H

#include "base/compiler.h"

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

#endif /* EP_IMAGE_CELLS_HEADER_H */
