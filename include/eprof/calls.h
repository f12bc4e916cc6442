/*
 * eprof/calls.h - the calls of libeprof; include <eprof.h>
 *
 * The inline part of a hot call only tests whether recording is on. Larger inline
 * probes stop the compiler from inlining functions of the program, which costs more
 * than the call (docs/internals/performance.md). Each hot call is also an exported
 * function of the same name, for other languages.
 */
#ifndef EPROF_CALLS_H
#define EPROF_CALLS_H

/* The compiler either inlines a call or uses the exported function. `inline` in C99 and later
 * means that, and so does gnu_inline with -fgnu89-inline. Automatic instrumentation skips these
 * functions. */
#if defined(__has_attribute)
#if __has_attribute(patchable_function_entry)
#define EPROF_NO_ENTRY __attribute__((patchable_function_entry(0)))
#endif
#endif
#ifndef EPROF_NO_ENTRY
#define EPROF_NO_ENTRY
#endif
#if defined(__GNUC_GNU_INLINE__) && !defined(__cplusplus)
#define EPROF_INLINE                                                                               \
    extern inline __attribute__((gnu_inline)) __attribute__((no_instrument_function)) EPROF_NO_ENTRY
#else
#define EPROF_INLINE inline __attribute__((no_instrument_function)) EPROF_NO_ENTRY
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Internal, not to be used by programs: the switch that the hot calls test (bit 0: stops are
 * recorded, bit 1: starts are recorded, bit 2: both, and scopes may be entered inline), and the
 * calls made when it is on. */
extern int eprof_recording;
void eprof_instance_start(int id);
void eprof_instance_stop(int id);

/* The frame of the function that contains a scope: its canonical address, and the function's return
 * address. On x86 the latter is stored right below the former, so it is not passed. */
#if defined(__x86_64__) || defined(__i386__)
typedef void *eprof_frame;
#else
typedef struct eprof_frame {
    void *address, *caller;
} eprof_frame;
#endif

struct eprof_site;
int eprof_scope_enter(struct eprof_site *site, void *token, eprof_frame frame); /* 0 */
void eprof_scope_enter_slow(struct eprof_site *site, void *token, eprof_frame frame,
                            uint64_t least_ns);
int eprof_scope_leave(void *token); /* 0 */
void eprof_scope_leave_slow(void *token);
struct eprof_frame_token;
void eprof_frame_enter(struct eprof_frame_token *token, eprof_frame frame);
void eprof_frame_leave(struct eprof_frame_token *token);
void eprof_value_record(struct eprof_site *site, int64_t value, int is_bytes, eprof_frame frame);

/* Internal, for libeprof-auto. frame: the canonical frame address of the function, or, with bit 0
 * set, an address between the stack pointer and it. token: the hook's return address. */
void eprof_function_enter(void *function, void *call_site, void *frame, void *token);
void eprof_function_leave(void *function, void *call_site, void *frame, void *token);
/* Functions with patched entries. */
struct eprof_entry_call {
    uintptr_t function;
    uintptr_t entry; /* the return address of the patched call */
    uintptr_t *slot; /* of the function's return address */
    uintptr_t thunk; /* takes the place of the return address if the call is timed */
    /* The innermost function with a patched entry around the call: the lower half of its entry, and
     * its canonical frame address. 0 and UINTPTR_MAX: there is none. */
    uint32_t caller;
    uintptr_t caller_frame;
    int is_caller_known;
    /* The frames of other code between, or of parts of functions that the compiler moved away. */
    int passed_count;
    uintptr_t passed[8];
    /* One call of other code is between: the lower half of its return address, and the distance of
     * that from the canonical frame address of the function. 0: there is none, or there are more.
     */
    uint32_t via_return, via_bytes;
    int is_direct;     /* the call returns into that function itself */
    int is_in_handler; /* a signal handler has interrupted that function */
    int is_leaf;       /* the function calls nothing */
    /* What the call costs before it starts, and to return; 0: unknown. */
    uint32_t outside_ticks;
    /* Of a timed call, if the source is the processor's counter: where its start is stored. The
     * caller may store a later reading there. */
    uint64_t *start_ticks;
};
int eprof_entry_is_wanted(uintptr_t function);
/* Whether the call of the function `caller` has been seen on this call path: 1, and what else is
 * known of the caller, and whether the function is a leaf; otherwise 0, and *call is unchanged. */
int eprof_entry_is_known(struct eprof_entry_call *call);
/* Takes the innermost calls off whose frames are not above this one, if they are untimed and
 * nothing else is to be done. Changes general registers only. Returns whether there were any. */
int eprof_entry_close_ended(uintptr_t frame);
/* Returns whether the call is timed: the slot contains the thunk, which calls eprof_entry_leave().
 */
int eprof_entry_enter(struct eprof_entry_call *call);
/* now_ticks: of the processor's counter, as early as possible. */
void eprof_entry_leave(const struct eprof_entry_call *call, uint64_t now_ticks);
/* What the probe of a timed call adds to its time, by the processor's counter. */
void eprof_entry_measured(uint64_t inside_ticks);
void eprof_function_modules_changed(void); /* after a dlclose() */
void eprof_function_vfork(int is_begin);   /* before the call, and after it in the parent */

/* ------------------------------------------------------------ instances -- */

/*
 * Releases all instances and resets. The call is optional, because the first call of
 * any function sets up the library. Every call of eprof_init() does the same, also the
 * first. It does not change the recording switch, the time source, thread names and
 * EPROF. Open pairs are discarded, and their stops are no error.
 */
void eprof_init(void);

/*
 * Creates an instance: an accumulator for one kind of region.
 *
 * label: copied; may be empty; bytes that are not UTF-8 are kept. A label of
 * more than 4,095 bytes is cut at a character boundary. Two calls with the same
 * label create two instances.
 *
 * Returns the handle, which is not negative: 0, 1, 2 ... for the first use of a
 * slot, a larger number when a freed slot is used again. The slot that was freed
 * first is used first, each at most 2,047 times. Returns -1 with EINVAL if label
 * is NULL, ENOMEM without memory, ENOSPC if 1,048,576 instances are alive or no
 * slot is left.
 */
int eprof_alloc(const char *label);

/*
 * Returns the handle of the instance with this label, the lowest one if there are several, or
 * creates it as eprof_alloc() does. So regions of one label share a row, without a handle that the
 * program has to keep. It takes a lock and a search; call it once for many pairs.
 *
 * label, result and errors: as in eprof_alloc().
 */
int eprof_instance_for(const char *label);

/*
 * Begins a pair on this thread. HOT: start and stop together cost about as much as two clock reads;
 * while recording is off, about a load and a branch each.
 *
 * id: a handle of eprof_alloc(). A call with a stale or invalid handle is counted and
 * never affects another instance. Any number of threads may be inside one instance.
 *
 * An instance that is started twice on one thread needs two stops. Both pairs count
 * as calls, but only the time of the outer pair counts.
 */
EPROF_INLINE void eprof_start(int id)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & 2)
        eprof_instance_start(id);
}

/*
 * Ends the pair that this thread began last on this instance. HOT, see
 * eprof_start().
 *
 * A stop without a start on this thread is counted ("unbalanced"). For a pair that ends on another
 * thread use eprof_now() and eprof_record().
 */
EPROF_INLINE void eprof_stop(int id)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & 1)
        eprof_instance_stop(id);
}

/*
 * Frees the instance with this label and its figures. If several have this label, the
 * one with the lowest ID is freed. A call with an unknown label, or NULL, is counted.
 *
 * Threads may be inside the instance; their stops are counted as bad handles.
 */
void eprof_free(const char *label);

/* Frees the instance with this handle and its figures. Returns 0, or -1 with EINVAL if the handle
 * is stale or invalid. */
int eprof_release(int id);

/* Writes the table of instances, scopes and values to stdout, as eprof_report(stdout, "table") does. */
void eprof_print(void);

/* ---------------------------------------------------------------- spans -- */

/* Returns the time in ticks of the current source. HOT: costs a clock read and a call. */
uint64_t eprof_now(void);

/*
 * Converts a difference of ticks of the current source to ns. The rate of a measured source becomes
 * more precise while the program runs.
 *
 * A call takes about 0.4 us. If neither the source nor the processor states the
 * rate, a call in the first 2 ms of the source's use waits until 2 ms have passed.
 * A source that the program added without a rate is measured for 6 ms more, once in
 * each use, or for 2 ms in every call if it wraps.
 */
uint64_t eprof_ns(uint64_t ticks);

/*
 * Records a pair whose ends may lie anywhere, on any two threads. HOT: a span costs two calls of
 * eprof_now() and this one.
 *
 * id: as in eprof_start(). start, stop: results of eprof_now() with the current
 * source. A pair that began before the last reset, or while recording was off, is
 * discarded; one that began before the last 32 switches of recording is lost. A pair whose end is
 * before its start, or that is longer than the process has run, counts as an error.
 */
void eprof_record(int id, uint64_t start, uint64_t stop);

/* --------------------------------------------------------------- scopes -- */

/*
 * Enters a scope, for languages without the attribute that EPROF_SCOPE needs, and for names that
 * are known only at run time. HOT: looks the label up in each call; eprof_enter_site() does not.
 *
 * label: copied, with the limits of eprof_alloc(); labels with equal contents are one scope. NULL
 * is the label "". The scope ends with eprof_leave(). If the EPROF_SCOPE around it or the thread
 * ends first, the scope ends at that time and is counted as an unwound scope (forced_closes).
 */
void eprof_enter(const char *label);

/*
 * Gives a name that was made at run time a site, to be called once for each name. label: as in
 * eprof_enter(), and the scope is the same one: labels with equal contents give the same site.
 * The site lives as long as the process, or as the plug-in that contains the static library.
 * Returns NULL with ENOMEM if there is no memory, EBUSY in a signal handler that interrupted a call
 * of the library.
 */
struct eprof_site;
struct eprof_site *eprof_site_for(const char *label);

/* Enters the scope of a site, as eprof_enter() does by a label. site: a result of eprof_site_for().
 * With NULL the scope is not recorded, but still needs its eprof_leave(). HOT: costs a call more
 * than EPROF_SCOPE. */
void eprof_enter_site(struct eprof_site *site);

/* Leaves the scope that this thread entered last by eprof_enter() or eprof_enter_site(). Without
 * such a scope, or while a scope of a macro is open inside it, the call is counted ("unbalanced").
 * A scope that was entered while recording was off also needs an eprof_leave(), although it is not
 * in the tree. HOT.
 */
void eprof_leave(void);

/* -------------------------------------------------------------- threads -- */

/* Names or renames this thread for reports with a row per thread. NULL removes the name; the thread
 * is then shown as "main" or "thread N". Threads that live one after another with the same name
 * share a row. The name is copied, with the limits of a label. */
void eprof_thread_name(const char *name);

/* Does what eprof_thread_name() does. A program that calls eprof_thread_exit() at a thread's end
 * may call this at its start; it need not. */
void eprof_thread_enter(const char *name);

/*
 * Does what the library also does at the thread's end: the thread's figures stay, and
 * its memory goes to the next thread with its name. The thread may record again.
 */
void eprof_thread_exit(void);

/* ---------------------------------------------------------- run control -- */

/*
 * Applies settings in the grammar of EPROF= in the environment, see eprof(3). A setting of the
 * environment takes precedence.
 *
 * items: "item,item,...". Returns 0, or -1 with EINVAL if an item was not understood
 * or not applied, or ENOMEM without memory. A line on stderr names such an item; all
 * other items are applied.
 */
int eprof_setup(const char *items);

/*
 * Switches recording on or off for the whole process. A pair that began while
 * recording was on is completed. A pair that began while it was off is discarded, and
 * its stop is no error.
 */
void eprof_enable(bool on);

/* Like eprof_enable(), but for the calling thread only. */
void eprof_thread_enable(bool on);

/*
 * Sets all figures to zero. The call may be made inside open pairs; these are
 * discarded, and their stops are no error.
 */
void eprof_reset(void);

/*
 * Begins a hold: pairs of this thread that begin from now on count only if the hold ends with
 * eprof_keep(true). A hold with nothing in it costs 60 to 90 ns. An EPROF_SLOW with 18 scopes in it
 * costs some 100 ns, or 125 ns if it is kept: self time of the scope around it.
 *
 * A pair belongs to the innermost hold in which it began; a pair that began before the hold counts
 * in any case. Holds nest: pairs that an inner hold kept count only if the outermost hold is kept.
 * The time of dropped pairs stays in the scope around them. Reports do not contain the pairs of an
 * open hold; the thread's end and a reset discard them. A span that is recorded after its hold has
 * ended belongs to no hold. Holds nested deeper than 62 are kept or dropped with the 62nd.
 */
void eprof_hold(void);

/* Ends the innermost hold of this thread, and keeps or drops its pairs. Without a hold the call is
 * counted ("unmatched keeps"). Reports show how many of how many holds were kept. */
void eprof_keep(bool keep);

/* --------------------------------------------------------- time sources -- */

/* Selects the time source and resets. name: "auto", "rdtsc" (the processor's counter, if it can be
 * read), "rdtsc_ordered" (the same, but the processor completes earlier instructions before a read:
 * for regions below 1 us), "clock_gettime", "gettimeofday", "thread_cputime", or a source that was
 * added. Returns 0, or -1 with EINVAL for NULL or an unknown name, ENOTSUP if this machine has no
 * such counter. */
int eprof_source_use(const char *name);

/* Returns the name of the current source, which is valid until the program ends. */
const char *eprof_source_name(void);

/*
 * Adds a time source for eprof_source_use().
 *
 * source: copied with its name; `now` and `context` must stay valid until the
 * program ends. Returns 0, or -1 with EEXIST if the name is in use, EINVAL for NULL,
 * without a name or function, and for more than 64 bits or a wrong size, ENOMEM
 * without memory.
 */
int eprof_source_add(const struct eprof_source *source);

/* -------------------------------------------------------------- results -- */

/*
 * Writes a report of all figures. The program continues to record, and no data is lost.
 *
 * out: written as a whole under its lock, and flushed. format: "table", "tree", "csv", "json",
 * "html", "folded", "speedscope", "callgrind" or "openmetrics", followed by any of ":threads" (a
 * row, or a tree, per thread), ":raw" (not corrected for the probe's cost) and ":ticks" (not
 * converted to ns); "openmetrics" also by ":summary" (quantiles in place of histograms).
 *
 * Returns 0, or -1 with EINVAL if out or format is NULL or the format is unknown, ENOMEM, or the
 * errno of the write that failed.
 */
int eprof_report(FILE *out, const char *format);

/*
 * Saves all current figures as a profile file for `eprof report`. In the file, open pairs and
 * scopes last until this moment. The program continues to record, and no data is lost.
 *
 * path: the file is written completely or not at all, with mode 0600. A profile file of the same
 * user that no program is writing is replaced; any other file is left unchanged.
 *
 * Returns 0, or -1 with EINVAL if path is NULL; EEXIST if the path is another kind of file, ELOOP a
 * symbolic link, EPERM another user's file, EBUSY a file that a program is writing; ENOMEM; or the
 * errno of the step that failed, such as ENOSPC or EACCES.
 */
int eprof_save(const char *path);

/* Takes a snapshot of all figures, merged over the threads: a row for each instance, then for each
 * call path, parents before their children, then for each value at each call path, then for each
 * diagnostic that is not zero. The caller
 * frees it with eprof_snapshot_free(). Returns NULL with ENOMEM. */
eprof_snapshot *eprof_snapshot_take(void);

/* Like eprof_snapshot_take(), but each thread has its own rows and its own tree. */
eprof_snapshot *eprof_snapshot_take_threads(void);

/* Frees a snapshot and all strings of its rows. NULL is allowed. No other thread may use it. */
void eprof_snapshot_free(eprof_snapshot *snapshot);

/* Returns the number of rows; 0 for NULL. */
size_t eprof_snapshot_rows(const eprof_snapshot *snapshot);

/* Copies row number `index` into *row, whose `size` the caller has set: the members that fit into
 * it. The strings are valid until eprof_snapshot_free(). Returns 0, or -1 with EINVAL for NULL, an
 * index without a row, or a size smaller than that of the first version. */
int eprof_snapshot_row(const eprof_snapshot *snapshot, size_t index, struct eprof_row *row);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* EPROF_CALLS_H */
