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
 * HOT: enter and leave together cost about as much as two clock reads; while recording is off, a
 * load and a branch each. The first entry of a site takes a lock.
 */
#ifndef EPROF_SCOPES_H
#define EPROF_SCOPES_H

/* Internal, not to be used by programs: the parts of the macros. The address of a token identifies
 * the scope and its frame; its contents are not used. */
struct eprof_site {
    uint32_t number; /* set by the library at the first entry; 0 before */
    uint32_t line;
    const char *file;
    const char *label;
};

struct eprof_token {
    char is_inside; /* of EPROF_BLOCK */
};

/* Automatic instrumentation skips these functions, because they do not belong to the program. */
#define EPROF_PROBE __attribute__((always_inline, no_instrument_function))

static inline EPROF_PROBE struct eprof_token
eprof_token_enter(struct eprof_site *site, struct eprof_token *token, eprof_frame frame)
{
    struct eprof_token inside = {1};
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & 2)
        eprof_scope_enter(site, token, frame);
    return inside;
}

static inline EPROF_PROBE struct eprof_token eprof_token_enter_slow(struct eprof_site *site,
                                                                    struct eprof_token *token,
                                                                    eprof_frame frame,
                                                                    uint64_t least_ns)
{
    struct eprof_token inside = {1};
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & 2)
        eprof_scope_enter_slow(site, token, frame, least_ns);
    return inside;
}

static inline EPROF_PROBE void eprof_token_leave(struct eprof_token *token)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & 1)
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

#define EPROF_SITE(name, label) static struct eprof_site name = {0, __LINE__, __FILE__, label}
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

#define EPROF_BLOCK_NUMBERED(label, n)                                                             \
    for (EPROF_TOKEN(EPROF_PASTE(eprof_token_, n)) = __extension__({                               \
             EPROF_SITE(EPROF_PASTE(eprof_site_, n), label);                                       \
             eprof_token_enter(&EPROF_PASTE(eprof_site_, n), &EPROF_PASTE(eprof_token_, n),        \
                               EPROF_FRAME);                                                       \
         });                                                                                       \
         EPROF_PASTE(eprof_token_, n).is_inside; EPROF_PASTE(eprof_token_, n).is_inside = 0)

#define EPROF_FUNC EPROF_SCOPE_NUMBERED(EPROF_FUNC_NAME, __COUNTER__)
#define EPROF_SCOPE(label) EPROF_SCOPE_NUMBERED("" label, __COUNTER__)
#define EPROF_SLOW(label, ns) EPROF_SLOW_NUMBERED("" label, ns, __COUNTER__)
#define EPROF_BLOCK(label) EPROF_BLOCK_NUMBERED("" label, __COUNTER__)

#endif /* EPROF_SCOPES_H */
