/*
 * image/cells_tree.h - the layout of the image: modules, call sites, nodes of the call tree and
 * open scopes
 */
#ifndef EP_IMAGE_CELLS_TREE_H
#define EP_IMAGE_CELLS_TREE_H

#include "base/wide.h"
#include "image/cells_region.h"

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
    uint32_t changes; /* odd: a timed call is being added; release */
    union {
        uint32_t rest;  /* calls of the present block after its timed call */
        uint32_t begun; /* in a merged image: open calls that a row counts */
    };
    uint8_t shift;        /* a block has 2^shift calls */
    uint8_t nested_shift; /* these for nested calls that other nodes make */
    uint16_t since;       /* timed calls since `shift` changed; saturates */
    union {
        uint32_t nested_rest;
        uint32_t begun_nested; /* the nested ones among them */
    };
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

#endif /* EP_IMAGE_CELLS_TREE_H */
