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
 *     EPROF_FRAME("label", ns);       this block; each call is timed, unless it is recursive, and
 *                                     those longer than so many ns are a value, too
 *     EPROF_VALUE("label", number);   records a number (int64_t) below the innermost open scope
 *     EPROF_BYTES("label", bytes);    the same for bytes, with their rate in that scope
 *
 * A value is recorded at each call, under any budget. Its row has the figures of times (calls,
 * total, mean, percentiles ...), as numbers of its unit.
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
 * HOT: most calls are only counted, inline on x86-64: 34 instructions with gcc 12, 45 with
 * clang 14. Those that are timed cost at most 2 % of the thread's time (EPROF=budget=,
 * eprof_setup()). With budget=off each call is timed: enter and leave together cost about as much
 * as two clock reads. While recording is off: a load and a branch each. The first entry of a site
 * takes a lock.
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
    struct eprof_open *open; /* not NULL if the scope was entered by an edge: such a scope is left
                                even if recording is off. Of a timed call it is no entry */
};

/* Of EPROF_FRAME. */
struct eprof_frame_token {
    struct eprof_token token;
    struct eprof_site *site;
    uint64_t budget_ns;
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
    uint64_t state;          /* 0: it is being entered or left, or no edge begins here */
    uint64_t frame;          /* canonical frame address */
    uint32_t return_address; /* the lower half; stored together with `cell` */
    uint32_t cell;           /* of the library; 0: none yet */
    uint32_t token;          /* the lower half of the address of the token or of the function */
    uint32_t limit;          /* EPROF_NO_OFFSET: there is no entry above; else 0 */
    uint32_t hook;           /* of a function: the lower half of its key (eprof/hooks.h) */
    uint32_t unused;
};

struct eprof_edge {
    uint64_t *calls;        /* EPROF_UNTIL_TIMED bytes after it: calls until the next timed one */
    uint64_t state;         /* the state after */
    uint64_t site;          /* its offset, or the key of a function's hook; 0: no edge */
    uint32_t is_same_frame; /* the site may be in the frame of the scope around it; of a function
                               with a patched entry: via_bytes of struct eprof_entry_call */
    uint32_t via_return;    /* of the same; if the function around makes the call itself: the lower
                               half of the entry of that; else 0 */
};

enum {
    EPROF_EDGE_BYTES = 32,
    EPROF_NO_OFFSET = 8, /* the comparison reads the edge's end, where no offset is */
    EPROF_UNTIL_TIMED = 72
};

/* Of a thread; `eprof_hot` is the name of its variable in the assembly below. */
struct eprof_hot {
    struct eprof_open *top;        /* the innermost open scope */
    const char *edges;             /* set by other threads too, to none, when figures are reset */
    const struct eprof_open *last; /* there is no entry above it */
};

#ifdef EPROF_IS_INLINE

/*
 * Declarations of the library's calls for the code beside the assembly. They say that a call reads
 * memory and changes none of the program's. The assembly does not say that it changes memory, since
 * it changes only memory of the library. So the compiler keeps values of the program in registers
 * across a scope, and across a function that contains one (docs/internals/decisions.md). A
 * compiler may move or remove such a call. So the arguments come from assembly, and the result,
 * which has no meaning, goes into assembly: these keep the call in its place.
 */
#ifdef __cplusplus
extern "C" {
#endif
int eprof_scope_enter_beside(struct eprof_site *site, void *token,
                             eprof_frame frame) __asm__("eprof_scope_enter")
    __attribute__((pure, visibility("default")));
int eprof_scope_leave_beside(void *token) __asm__("eprof_scope_leave")
    __attribute__((pure, visibility("default")));
#ifdef __cplusplus
}
#endif

/* Functions that return whether eprof_recording has one of the bits. They are in assembly for two
 * reasons: a compiler would keep the address of eprof_recording in a register until the leave, and
 * it treats an atomic load with an order as a change of all memory. The bits are text, since clang
 * at -O0 accepts no argument of a function as a constant. */
#if defined(__PIC__) && !defined(__PIE__)
#define EPROF_TEST_SWITCH(bits)                                                                    \
    "movq eprof_recording@GOTPCREL(%%rip), %%rax\n\ttestb $" bits ", (%%rax)\n\t"
#else
#define EPROF_TEST_SWITCH(bits) "testb $" bits ", eprof_recording(%%rip)\n\t"
#endif
#define EPROF_SWITCH(name, bits)                                                                   \
    static inline EPROF_PROBE int name(void)                                                       \
    {                                                                                              \
        __asm__ goto(EPROF_TEST_SWITCH(bits) "jz %l[outside]" : : : "rax", "cc" : outside);        \
        return 1;                                                                                  \
    outside:                                                                                       \
        return 0;                                                                                  \
    }
EPROF_SWITCH(eprof_is_inline, "4")
EPROF_SWITCH(eprof_is_begun, "2")
EPROF_SWITCH(eprof_is_ended, "7")
#undef EPROF_SWITCH
#undef EPROF_TEST_SWITCH

/*
 * Enters a scope if its call is only counted; else returns 0. In assembly, because a signal handler
 * may come between any two instructions, and because the registers are part of the cost:
 *
 * - The edge is read before its site is compared: the library may put another edge in its place.
 * - Counters and `top` change by one instruction each, so a handler's counts are not lost.
 * - `top` moves before the entry is filled, and the state is stored last: before, a handler finds
 *   no state in the entry, and its own entries are above.
 */
static inline EPROF_PROBE int eprof_open_inline(const struct eprof_site *site,
                                                struct eprof_token *token, eprof_frame frame)
{
    __asm__ goto("movq eprof_hot@gottpoff(%%rip), %%rax\n\t"
                 "movq %%fs:(%%rax), %%r8\n\t"   /* top */
                 "movq %%fs:8(%%rax), %%r9\n\t"  /* edges */
                 "movl %[offset], %%ecx\n\t"     /* of the site */
                 "orl 28(%%r8), %%ecx\n\t"       /* limit */
                 "addq (%%r8), %%r9\n\t"         /* state: %r9 + %rcx is the edge */
                 "movq (%%r9,%%rcx), %%r10\n\t"  /* calls */
                 "movq 8(%%r9,%%rcx), %%r11\n\t" /* the state after */
                 "cmpq %%rcx, 16(%%r9,%%rcx)\n\t"
                 "jne %l[outside]\n\t"
                 "cmpq %[frame], 8(%%r8)\n\t"
                 "ja 1f\n\t"
                 "jne %l[outside]\n\t"
                 "cmpl $0, 24(%%r9,%%rcx)\n\t" /* is_same_frame */
                 "je %l[outside]\n\t"
                 "movl -8(%[frame]), %%ecx\n\t" /* the frame of another call may have its address */
                 "cmpl %%ecx, 16(%%r8)\n\t"
                 "jne %l[outside]\n"
                 "1:\n\t"
                 "subl $1, %c[until](%%r10)\n\t"
                 "jg 2f\n\t"
                 "addl $1, %c[until](%%r10)\n\t" /* it is timed */
                 "jmp %l[outside]\n"
                 "2:\n\t"
                 "addq $1, (%%r10)\n\t"
                 "leaq 40(%%r8), %%rcx\n\t"
                 "movq %%rcx, %%fs:(%%rax)\n\t"
                 "movq %%rcx, (%[token])\n\t"
                 "movq %[frame], 48(%%r8)\n\t"
                 "movl -8(%[frame]), %%ecx\n\t"
                 "movq %%rcx, 56(%%r8)\n\t" /* return address and cell */
                 "movl %k[token], 64(%%r8)\n\t"
                 "movq %%r11, 40(%%r8)"
                 : /* gcc knows outputs of an `asm goto` since version 11 */
                 : [offset] "m"(site->offset), [frame] "r"(frame), [token] "r"(token),
                   [until] "i"(EPROF_UNTIL_TIMED)
                 : "rax", "rcx", "r8", "r9", "r10", "r11", "cc"
                 : outside);
    __asm__ volatile("" : "=m"(*token));
    return 1;
outside:
    return 0;
}

/* Leaves a scope that was entered inline; returns 0 if the library has a cell for it now. A signal
 * handler gives a cell only to an entry with a state. */
static inline EPROF_PROBE int eprof_close_inline(const struct eprof_token *token)
{
    __asm__ goto("movq eprof_hot@gottpoff(%%rip), %%rcx\n\t"
                 "movq %[open], %%r8\n\t"
                 "cmpq %%r8, %%fs:(%%rcx)\n\t"
                 "jne %l[outside]\n\t"
                 "movq $0, (%%r8)\n\t"
                 "cmpl $0, 20(%%r8)\n\t" /* cell */
                 "jne %l[outside]\n\t"
                 "subq $40, %%fs:(%%rcx)" /* top; a handler may have set it to no scope */
                 :
                 : [open] "m"(token->open)
                 : "rcx", "r8", "cc"
                 : outside);
    return 1;
outside:
    return 0;
}

static inline EPROF_PROBE struct eprof_token *
eprof_token_enter(struct eprof_site *site, struct eprof_token *token, eprof_frame frame)
{
    if (eprof_is_inline() && eprof_open_inline(site, token, frame))
        return token;
    token->open = NULL;
    if (eprof_is_begun()) {
        __asm__ volatile("" : "+r"(site));
        int result = eprof_scope_enter_beside(site, token, frame);
        __asm__ volatile("" : "=m"(*token) : "r"(result));
    }
    return token;
}

/* A token may be empty: the scope was entered without an edge, or not at all. In assembly, since
 * gcc 12 warns of a token that is not initialised if it reads one itself. */
static inline EPROF_PROBE int eprof_token_is_empty(const struct eprof_token *token)
{
    __asm__ goto("cmpq $0, %[open]\n\t"
                 "jne %l[outside]"
                 :
                 : [open] "m"(token->open)
                 : "cc"
                 : outside);
    return 1;
outside:
    return 0;
}

/* While recording is being switched off, leaves are out of line: the last one completes that. */
static inline EPROF_PROBE void eprof_token_leave(struct eprof_token *token)
{
    if (__builtin_expect(!eprof_close_inline(token), 0) &&
        (eprof_is_ended() || !eprof_token_is_empty(token))) {
        __asm__ volatile("" : "+r"(token));
        int result = eprof_scope_leave_beside(token);
        __asm__ volatile("" : : "r"(result));
    }
}

#else

static inline EPROF_PROBE struct eprof_token *
eprof_token_enter(struct eprof_site *site, struct eprof_token *token, eprof_frame frame)
{
    token->open = NULL;
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & 2)
        eprof_scope_enter(site, token, frame);
    return token;
}

static inline EPROF_PROBE void eprof_token_leave(struct eprof_token *token)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) || token->open)
        eprof_scope_leave(token);
}

#endif

static inline EPROF_PROBE void eprof_value_add(struct eprof_site *site, int64_t value, int is_bytes,
                                               eprof_frame frame)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & 2)
        eprof_value_record(site, value, is_bytes, frame);
}

static inline EPROF_PROBE struct eprof_frame_token *
eprof_frame_token_enter(struct eprof_frame_token *token, struct eprof_site *site,
                        uint64_t budget_ns, eprof_frame frame)
{
    token->token.open = NULL;
    token->site = site;
    token->budget_ns = budget_ns;
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & 2)
        eprof_frame_enter(token, frame);
    return token;
}

static inline EPROF_PROBE void eprof_frame_token_leave(struct eprof_frame_token *token)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) || token->token.open)
        eprof_frame_leave(token);
}

static inline EPROF_PROBE struct eprof_token *eprof_token_enter_slow(struct eprof_site *site,
                                                                     struct eprof_token *token,
                                                                     eprof_frame frame,
                                                                     uint64_t least_ns)
{
    token->open = NULL;
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & 2)
        eprof_scope_enter_slow(site, token, frame, least_ns);
    return token;
}

static inline EPROF_PROBE void eprof_slow_token_leave(struct eprof_token *token)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) || token->open)
        eprof_scope_leave_slow(token);
}

#ifdef __cplusplus
#define EPROF_FUNC_NAME __PRETTY_FUNCTION__
#else
#define EPROF_FUNC_NAME __func__
#endif

/* The canonical frame address is the same for all scopes of a function and does not change when
 * the function pushes values. */
#if defined(__x86_64__) || defined(__i386__)
#define EPROF_CALLER_FRAME __builtin_dwarf_cfa()
#else
static inline EPROF_PROBE eprof_frame eprof_frame_of(void *address, void *caller)
{
    eprof_frame frame = {address, caller};
    return frame;
}
#define EPROF_CALLER_FRAME eprof_frame_of(__builtin_dwarf_cfa(), __builtin_return_address(0))
#endif

#define EPROF_PASTE_NOW(a, b) a##b
#define EPROF_PASTE(a, b) EPROF_PASTE_NOW(a, b)

#define EPROF_SITE(name, label)                                                                    \
    static struct eprof_site name = {0, __LINE__, __FILE__, label, EPROF_NO_OFFSET, 0}
/* The token of a scope, and a pointer that only gives the call that fills it a place. */
#define EPROF_TOKEN(n, call) EPROF_TOKEN_LEFT_BY(eprof_token_leave, n, call)
#define EPROF_TOKEN_LEFT_BY(leave, n, call)                                                        \
    struct eprof_token EPROF_PASTE(eprof_token_, n) __attribute__((unused, cleanup(leave))),       \
        *EPROF_PASTE(eprof_entered_, n) __attribute__((unused)) = (call)

#define EPROF_SCOPE_NUMBERED(label, n)                                                             \
    EPROF_SITE(EPROF_PASTE(eprof_site_, n), label);                                                \
    EPROF_TOKEN(n, eprof_token_enter(&EPROF_PASTE(eprof_site_, n), &EPROF_PASTE(eprof_token_, n),  \
                                     EPROF_CALLER_FRAME))

#define EPROF_SLOW_NUMBERED(label, least_ns, n)                                                    \
    EPROF_SITE(EPROF_PASTE(eprof_site_, n), label);                                                \
    EPROF_TOKEN_LEFT_BY(eprof_slow_token_leave, n,                                                 \
                        eprof_token_enter_slow(&EPROF_PASTE(eprof_site_, n),                       \
                                               &EPROF_PASTE(eprof_token_, n), EPROF_CALLER_FRAME,  \
                                               (least_ns)))

#define EPROF_FRAME_NUMBERED(label, budget_ns, n)                                                  \
    EPROF_SITE(EPROF_PASTE(eprof_site_, n), label);                                                \
    struct eprof_frame_token EPROF_PASTE(eprof_token_, n)                                          \
        __attribute__((unused, cleanup(eprof_frame_token_leave))),                                 \
        *EPROF_PASTE(eprof_entered_, n) __attribute__((unused)) =                                  \
            eprof_frame_token_enter(&EPROF_PASTE(eprof_token_, n), &EPROF_PASTE(eprof_site_, n),   \
                                    (budget_ns), EPROF_CALLER_FRAME)

#define EPROF_NUMBER(label, number, is_bytes)                                                      \
    do {                                                                                           \
        EPROF_SITE(eprof_number_site, label);                                                      \
        eprof_value_add(&eprof_number_site, (int64_t)(number), is_bytes, EPROF_CALLER_FRAME);      \
    } while (0)

/* The outer loop runs once, also after a `break`. */
#define EPROF_BLOCK_NUMBERED(label, n)                                                             \
    for (int EPROF_PASTE(eprof_inside_, n) = 1; EPROF_PASTE(eprof_inside_, n);                     \
         EPROF_PASTE(eprof_inside_, n) = 0)                                                        \
        for (EPROF_TOKEN(n, __extension__({                                                        \
                             EPROF_SITE(EPROF_PASTE(eprof_site_, n), label);                       \
                             eprof_token_enter(&EPROF_PASTE(eprof_site_, n),                       \
                                               &EPROF_PASTE(eprof_token_, n), EPROF_CALLER_FRAME); \
                         }));                                                                      \
             EPROF_PASTE(eprof_inside_, n); EPROF_PASTE(eprof_inside_, n) = 0)

/* A scope from here to the end of the function, with the function's name; in C++ that of
 * __PRETTY_FUNCTION__, so each instantiation of a template has a row of its own. */
#define EPROF_FUNC EPROF_SCOPE_NUMBERED(EPROF_FUNC_NAME, __COUNTER__)

/* A scope from here to the end of the block. */
#define EPROF_SCOPE(label) EPROF_SCOPE_NUMBERED("" label, __COUNTER__)

/* A scope of the statements in the braces that follow. `break` and `continue` in the braces leave
 * them, not the loop around them. */
#define EPROF_BLOCK(label) EPROF_BLOCK_NUMBERED("" label, __COUNTER__)

/* A scope from here to the end of the block, which is a hold, too: it counts, with everything
 * recorded in it, only if it took at least so many ns. Its own call is always timed. */
#define EPROF_SLOW(label, ns) EPROF_SLOW_NUMBERED("" label, ns, __COUNTER__)

/* A scope from here to the end of the block, each call of which is timed, unless it is recursive.
 * Its row has a rate: calls for each second of its time. The time by which calls exceed budget_ns
 * is recorded as a value below the scope, "over 16.667 ms", or "over budget" if the budget changes:
 * each call counts against its own. */
#define EPROF_FRAME(label, budget_ns) EPROF_FRAME_NUMBERED("" label, budget_ns, __COUNTER__)

/* Records a number, an int64_t, below the innermost open scope, at each call and under any budget.
 * Its row has the figures of times: calls, total, mean, minimum, percentiles, maximum. */
#define EPROF_VALUE(label, number) EPROF_NUMBER("" label, number, 0)

/* Records a number of bytes, as EPROF_VALUE does. Its row also has a rate: the bytes for each
 * second of the scope around it. */
#define EPROF_BYTES(label, bytes) EPROF_NUMBER("" label, bytes, 1)

#endif /* EPROF_SCOPES_H */
