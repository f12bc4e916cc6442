/*
 * eprof/scopes.h - the scopes of libeprof; include <eprof.h>
 *
 * A scope ends with its block, by return, goto, break or an exception. Scopes build the call tree:
 * a scope that is entered inside another is its child; entering a scope that is already open on the
 * thread is recursion, whose time counts once.
 *
 *     EPROF_FUNC;                     this function, from here
 *     EPROF_SCOPE("label");           this block, from here
 *     EPROF_BLOCK("label") { ... }    the statements in the braces
 *     EPROF_SLOW("label", ns);        this block; it counts, with everything recorded in it,
 *                                     only if it took at least that many ns
 *
 * Labels are string literals. A site is identified by file, line and label. Copies of a site, such
 * as those of an inline function in a header, are one row; two lines with one label are two rows.
 *
 * EPROF_BLOCK is a loop that runs once: `break` and `continue` inside it leave the block, not the
 * loop around it.
 *
 * A longjmp() out of a scope is detected at the next enter or leave, by the address of the frame.
 * The scope then ends and is counted as an unwound scope (forced_closes). A jump within one
 * function, or between functions inlined into one, cannot be detected in this way: later scopes are
 * shown below the scope that was left, until that scope is entered again or the scope around it
 * ends. A `case` or `goto` must not jump over a scope into its block. In C a function that is
 * `inline` but not `static` must not contain a scope (C11 6.7.4: it must not define a static
 * object).
 *
 * HOT: most calls are only counted, inline on x86-64: some 40 instructions. Those that are timed
 * cost at most 2 % of the thread's time (EPROF=budget=, eprof_setup()). With budget=off each call
 * is timed: enter and leave together cost about as much as two clock reads. While recording is off:
 * a load and a branch each. The first entry of a site takes a lock.
 */
#ifndef EPROF_SCOPES_H
#define EPROF_SCOPES_H

/* Internal, not to be used by programs: the parts of the macros. */
struct eprof_site {
    uint32_t number; /* set by the library at the first entry; 0 before */
    uint32_t line;
    const char *file;
    const char *label;
    uint32_t offset; /* of its edges; EPROF_NO_OFFSET: it is not entered inline */
    uint32_t unused;
};

/* The address of a token identifies the scope and its frame. */
struct eprof_token {
    struct eprof_open *open; /* if it was entered inline */
};

/* Automatic instrumentation skips these functions, because they do not belong to the program. */
#define EPROF_PROBE __attribute__((always_inline, no_instrument_function))

/*
 * The inline part of a scope under a budget, where most calls are only counted. The call path of a
 * thread is a state; a state and a site lead to the next state by an edge. An enter finds the edge,
 * counts, and pushes the state. Anything unusual is out of line: no edge yet, a call that is timed,
 * a frame that shows a longjmp() out of the innermost scope. The library moves `top` to an entry
 * that matches nothing while it is at work itself, for the sake of signal handlers.
 *
 * States and sites are offsets in bytes, and the edge lies at their sum. No two states have the
 * same offset, so an edge that belongs to the site also belongs to the state.
 */
#if defined(__x86_64__) && !defined(__ILP32__) && !defined(__SANITIZE_THREAD__) &&                 \
    !defined(EPROF_NOT_INLINE)
#if !defined(__has_feature)
#define EPROF_IS_INLINE 1
#elif !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)
#define EPROF_IS_INLINE 1
#endif
#endif

/* An open scope. */
struct eprof_open {
    uint64_t state; /* 0: it is being entered or left, or no edge begins here */
    uint64_t frame; /* canonical frame address */
    const void *token;
    uint32_t return_address; /* the lower half; stored together with `cell` */
    uint32_t cell;           /* of the library; 0: none yet */
};

struct eprof_edge {
    uint64_t *calls;        /* EPROF_UNTIL_TIMED bytes after it: calls until the next timed one */
    uint64_t state;         /* the state after */
    uint64_t site;          /* its offset; 0: no edge */
    uint32_t is_same_frame; /* the site may be in the frame of the scope around it */
    uint32_t unused;        /* 0 */
} __attribute__((packed, aligned(4))); /* the edge of EPROF_NO_OFFSET is not aligned */

enum {
    EPROF_EDGE_BYTES = 32,
    EPROF_NO_OFFSET = 4, /* parts of two fields are compared, and are not equal */
    EPROF_UNTIL_TIMED = 72
};

struct eprof_hot {
    struct eprof_open *top;        /* the innermost open scope */
    const char *edges;             /* set by other threads too, to none, when figures are reset */
    const struct eprof_open *last; /* there is no entry above it */
};

#ifdef EPROF_IS_INLINE

#ifdef __cplusplus
extern "C" {
#endif
__extension__ extern __thread
    __attribute__((visibility("default"), tls_model("initial-exec"))) struct eprof_hot eprof_hot;
#ifdef __cplusplus
}
#endif

typedef uint64_t __attribute__((may_alias)) eprof_word; /* two fields at once */

#define EPROF_SIGNAL_FENCE() __asm__ volatile("" ::: "memory")

/* Enters a scope if its call is only counted; else returns NULL. A signal handler may come between
 * any two instructions, and the library may put another edge in the place of this one: the edge is
 * read before it is compared. The entry is filled after `top` is moved, its state last: before, the
 * handler finds no state there, and its own entries are above. */
static inline EPROF_PROBE struct eprof_open *eprof_open_inline(const struct eprof_site *site,
                                                               const void *token, eprof_frame frame)
{
    struct eprof_open *top = eprof_hot.top, *open = top + 1;
    uint64_t offset = __atomic_load_n(&site->offset, __ATOMIC_RELAXED);
    const char *edges = __atomic_load_n(&eprof_hot.edges, __ATOMIC_RELAXED) + top->state;
    const struct eprof_edge *edge = (const struct eprof_edge *)(const void *)(edges + offset);
    uint64_t *calls = edge->calls, state = edge->state;
    __asm__ volatile("" : "+r"(frame) : : "memory"); /* the fence; one register for the frame */
    if (__builtin_expect(edge->site != offset, 0) || __builtin_expect(top == eprof_hot.last, 0))
        return NULL;
    if (__builtin_expect(top->frame <= (uint64_t)frame, 0) &&
        (__atomic_load_n(&top->frame, __ATOMIC_RELAXED) != (uint64_t)frame || !edge->is_same_frame ||
         top->return_address != ((const uint32_t *)frame)[-2]))
        return NULL;
    int *until_timed = (int *)((char *)calls + EPROF_UNTIL_TIMED), is_due;
    /* single instructions: the counts of a signal handler are not lost */
    __asm__ volatile("subl $1, %0" : "+m"(*until_timed), "=@ccle"(is_due));
    if (__builtin_expect(is_due, 0)) {
        __asm__ volatile("addl $1, %0" : "+m"(*until_timed) : : "cc");
        return NULL;
    }
    __asm__ volatile("addq $1, %0" : "+m"(*calls) : : "cc", "memory");
    eprof_hot.top = open;
    EPROF_SIGNAL_FENCE();
    open->frame = (uint64_t)frame;
    open->token = token;
    __atomic_store_n((eprof_word *)(void *)&open->return_address, ((const uint32_t *)frame)[-2],
                     __ATOMIC_RELAXED);
    EPROF_SIGNAL_FENCE();
    open->state = state;
    EPROF_SIGNAL_FENCE();
    return open;
}

/* Leaves a scope that was entered inline; returns 0 if the library has a cell for it now. A signal
 * handler gives a cell only to an entry with a state. */
static inline EPROF_PROBE int eprof_close_inline(struct eprof_open *open)
{
    if (__builtin_expect(eprof_hot.top != open, 0))
        return 0;
    int has_cell;
    open->state = 0;
    __asm__ volatile("cmpl $0, %1" : "=@ccne"(has_cell) : "m"(open->cell) : "memory");
    if (__builtin_expect(has_cell, 0))
        return 0;
    eprof_hot.top = open - 1;
    EPROF_SIGNAL_FENCE();
    return 1;
}

#else

static inline EPROF_PROBE struct eprof_open *eprof_open_inline(const struct eprof_site *site,
                                                               const void *token, eprof_frame frame)
{
    (void)site, (void)token, (void)frame;
    return NULL;
}

static inline EPROF_PROBE int eprof_close_inline(struct eprof_open *open)
{
    (void)open;
    return 0;
}

#endif

static inline EPROF_PROBE struct eprof_token
eprof_token_enter(struct eprof_site *site, struct eprof_token *token, eprof_frame frame)
{
    struct eprof_token inside = {NULL};
    int recording = __atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE);
    if (__builtin_expect(recording & 4, 4))
        inside.open = eprof_open_inline(site, token, frame);
    if (recording & 2 && __builtin_expect(!inside.open, 0))
        eprof_scope_enter(site, token, frame);
    return inside;
}

static inline EPROF_PROBE struct eprof_token eprof_token_enter_slow(struct eprof_site *site,
                                                                    struct eprof_token *token,
                                                                    eprof_frame frame,
                                                                    uint64_t least_ns)
{
    struct eprof_token inside = {NULL};
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & 2)
        eprof_scope_enter_slow(site, token, frame, least_ns);
    return inside;
}

/* While recording is being switched off, leaves are out of line: the last one completes that. */
static inline EPROF_PROBE void eprof_token_leave(struct eprof_token *token)
{
    if (__builtin_expect(!eprof_close_inline(token->open), 0) &&
        (token->open || __atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE)))
        eprof_scope_leave(token);
}

#ifdef __cplusplus
#define EPROF_FUNC_NAME __PRETTY_FUNCTION__
#else
#define EPROF_FUNC_NAME __func__
#endif

/* The canonical frame address is the same for all scopes of a function and does not change when
 * the function pushes values. */
#if defined(__x86_64__) || defined(__i386__)
#define EPROF_FRAME __builtin_dwarf_cfa()
#else
static inline EPROF_PROBE eprof_frame eprof_frame_of(void *address, void *caller)
{
    eprof_frame frame = {address, caller};
    return frame;
}
#define EPROF_FRAME eprof_frame_of(__builtin_dwarf_cfa(), __builtin_return_address(0))
#endif

#define EPROF_PASTE_NOW(a, b) a##b
#define EPROF_PASTE(a, b) EPROF_PASTE_NOW(a, b)

#define EPROF_SITE(name, label)                                                                    \
    static struct eprof_site name = {0, __LINE__, __FILE__, label, EPROF_NO_OFFSET, 0}
#define EPROF_TOKEN(name)                                                                          \
    __attribute__((unused, cleanup(eprof_token_leave))) struct eprof_token name

#define EPROF_SCOPE_NUMBERED(label, n)                                                             \
    EPROF_SITE(EPROF_PASTE(eprof_site_, n), label);                                                \
    EPROF_TOKEN(EPROF_PASTE(eprof_token_, n)) = eprof_token_enter(                                 \
        &EPROF_PASTE(eprof_site_, n), &EPROF_PASTE(eprof_token_, n), EPROF_FRAME)

#define EPROF_SLOW_NUMBERED(label, least_ns, n)                                                    \
    EPROF_SITE(EPROF_PASTE(eprof_site_, n), label);                                                \
    EPROF_TOKEN(EPROF_PASTE(eprof_token_, n)) = eprof_token_enter_slow(                            \
        &EPROF_PASTE(eprof_site_, n), &EPROF_PASTE(eprof_token_, n), EPROF_FRAME, (least_ns))

/* The outer loop runs once, also after a `break`. */
#define EPROF_BLOCK_NUMBERED(label, n)                                                             \
    for (int EPROF_PASTE(eprof_inside_, n) = 1; EPROF_PASTE(eprof_inside_, n);                     \
         EPROF_PASTE(eprof_inside_, n) = 0)                                                        \
        for (EPROF_TOKEN(EPROF_PASTE(eprof_token_, n)) = __extension__({                           \
                 EPROF_SITE(EPROF_PASTE(eprof_site_, n), label);                                   \
                 eprof_token_enter(&EPROF_PASTE(eprof_site_, n), &EPROF_PASTE(eprof_token_, n),    \
                                   EPROF_FRAME);                                                   \
             });                                                                                   \
             EPROF_PASTE(eprof_inside_, n); EPROF_PASTE(eprof_inside_, n) = 0)

#define EPROF_FUNC EPROF_SCOPE_NUMBERED(EPROF_FUNC_NAME, __COUNTER__)
#define EPROF_SCOPE(label) EPROF_SCOPE_NUMBERED("" label, __COUNTER__)
#define EPROF_SLOW(label, ns) EPROF_SLOW_NUMBERED("" label, ns, __COUNTER__)
#define EPROF_BLOCK(label) EPROF_BLOCK_NUMBERED("" label, __COUNTER__)

#endif /* EPROF_SCOPES_H */
