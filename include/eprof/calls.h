/*
 * eprof/calls.h - the calls of libeprof; include <eprof.h>
 *
 * The hot ones are inline only as far as the test whether recording is on: fat
 * inline probes stop the compiler from inlining the program's own functions,
 * which costs more than the call (docs/performance.md). Each is an exported
 * function of its name as well, for other languages.
 */
#ifndef EPROF_CALLS_H
#define EPROF_CALLS_H

/* Inline where that helps, and else the exported function: so means `inline` in
 * C99 and later, and this in the dialect of GNU before it (-fgnu89-inline). With automatic
 * instrumentation they are no functions of the program's. */
#if defined(__GNUC_GNU_INLINE__) && !defined(__cplusplus)
#define EPROF_INLINE                                                                               \
    extern inline __attribute__((gnu_inline)) __attribute__((no_instrument_function))
#else
#define EPROF_INLINE inline __attribute__((no_instrument_function))
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Not to be used by programs: the switch that the hot calls test (bit 0: stops
 * are wanted, bit 1: starts are wanted), and what they call when it is on. */
extern int eprof_recording;
void eprof_instance_start(int id);
void eprof_instance_stop(int id);

/* The frame of the function that holds a scope: its canonical address, and where the function
 * returns to. On x86 that lies right below the address, and need not be told. */
#if defined(__x86_64__) || defined(__i386__)
typedef void *eprof_frame;
#else
typedef struct eprof_frame {
    void *address, *caller;
} eprof_frame;
#endif

struct eprof_site;
void eprof_scope_enter(struct eprof_site *site, void *token, eprof_frame frame);
void eprof_scope_enter_slow(struct eprof_site *site, void *token, eprof_frame frame,
                            uint64_t least_ns);
void eprof_scope_leave(void *token);

/* What libeprof-auto calls. frame: the canonical frame address of the function, or, odd, an
 * address between its stack pointer and that. token: where the hook returns to. */
void eprof_function_enter(void *function, void *call_site, void *frame, void *token);
void eprof_function_leave(void *function, void *call_site, void *frame, void *token);
void eprof_function_modules_changed(void); /* after a dlclose() */
void eprof_function_vfork(int is_begin);   /* before the call, and behind it in the parent */

/* ------------------------------------------------------------ instances -- */

/*
 * Releases all instances and resets. Optional: the library sets itself up at
 * the first call of anything. Every call does the same, the first too; whether
 * recording is on, the time source, thread names and EPROF stay as they are.
 * An open pair is forgotten, and its stop is no error.
 */
void eprof_init(void);

/*
 * Makes an instance: an accumulator for one kind of region.
 *
 * label: copied; empty is allowed, bytes that are not UTF-8 are kept. Longer
 * than 4,095 bytes, it is cut there, at a character. Equal labels are
 * different instances.
 *
 * Returns the handle, an int that is not negative: 0, 1, 2 ... at a slot's
 * first use, larger numbers when a freed slot is used again (the oldest freed
 * one first). -1 with EINVAL: label is NULL. ENOMEM: no memory. ENOSPC: more
 * than 1,000,000 instances are alive.
 */
int eprof_alloc(const char *label);

/*
 * Begins a pair on this thread. HOT: start and stop together cost about what
 * the two clock reads cost; switched off, about one load and a branch each.
 *
 * id: a handle of eprof_alloc(). A stale or bad one is counted and reaches no
 * other instance. Any number of threads may be inside one instance at once.
 *
 * Started twice on one thread, it needs two stops: every pair counts as a
 * call, and time is that of the outermost.
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
 * A stop without a start on this thread is counted ("unbalanced"). To begin
 * and to end on different threads, use eprof_now() and eprof_record().
 */
EPROF_INLINE void eprof_stop(int id)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & 1)
        eprof_instance_stop(id);
}

/*
 * Frees the instance of this label, with its figures; of several, the one with
 * the lowest ID. An unknown label, or NULL, is counted.
 *
 * It may be freed while threads are inside; their stops are counted as bad
 * handles.
 */
void eprof_free(const char *label);

/*
 * Frees the instance of this handle, with its figures. Returns 0; -1 with
 * EINVAL where the handle is stale or was never one.
 */
int eprof_release(int id);

/*
 * Writes the table of all instances to stdout, as eprof_report(stdout,
 * "table") does.
 */
void eprof_print(void);

/* ---------------------------------------------------------------- spans -- */

/*
 * The present time in ticks of the current source. Costs one clock read and a
 * call.
 */
uint64_t eprof_now(void);

/*
 * A difference of ticks in ns, by what is known of the source's rate now: the
 * rate of a measured source gets better as the program runs. In the first 2 ms of
 * a source whose rate neither it nor the processor tells, it waits for their
 * end; later calls take about 0.5 us. (A source of the program's own that does
 * not tell its rate is measured for 6 ms more, once in each use; one that wraps
 * for 2 ms each time.)
 */
uint64_t eprof_ns(uint64_t ticks);

/*
 * Records a pair whose two ends may lie anywhere, on any two threads. HOT: two
 * calls of eprof_now() and this.
 *
 * start, stop: of eprof_now(), under the current source. A pair that began
 * before the last reset, or while recording was off, is nothing; one that goes
 * backwards or is longer than the process has run counts as an error.
 */
void eprof_record(int id, uint64_t start, uint64_t stop);

/* --------------------------------------------------------------- scopes -- */

/*
 * Enters a scope, for languages without the attribute that EPROF_SCOPE needs, and for
 * names that are known only at run time. Costs about 40 ns more than EPROF_SCOPE.
 *
 * label: copied, as of eprof_alloc(); equal labels are one scope, whoever passes them. NULL
 * is entered as "". The scope ends with eprof_leave(), at the latest with the EPROF_SCOPE
 * around it, or with the thread; then it counts as a forced close.
 */
void eprof_enter(const char *label);

/*
 * Leaves what this thread entered last by eprof_enter(), if no scope of a macro is open inside it.
 * Without that it is counted ("unbalanced"). What was entered while recording was off is
 * left so too; it is no place in the tree.
 */
void eprof_leave(void);

/* -------------------------------------------------------------- threads -- */

/*
 * Names this thread in reports that have a row per thread, or renames it
 * (NULL: back to no name, which shows as "main" or "thread N"). Threads that
 * live one after another under the same name share a row. name is copied, as
 * a label is.
 */
void eprof_thread_enter(const char *name);

/*
 * Does what the thread's end does by itself: what it recorded stays, its
 * memory goes to the next thread of its name. Recording again begins anew.
 */
void eprof_thread_exit(void);

/* ---------------------------------------------------------- run control -- */

/*
 * Carries out settings as EPROF= in the environment does; see eprof(3) for the
 * grammar. What the environment names itself wins over what is said here.
 *
 * items: "item,item,...". Returns 0; -1 with EINVAL where an item was not
 * understood or not carried out, which a line on stderr names; the others are
 * carried out all the same. ENOMEM: no memory.
 */
int eprof_setup(const char *items);

/*
 * Switches recording on or off in the whole process. A pair that began while it
 * was on is finished; one that began while it was off is nothing, and its stop
 * is no error.
 */
void eprof_enable(bool on);

/* Like eprof_enable(), but for the calling thread only. */
void eprof_thread_enable(bool on);

/*
 * Sets all figures to zero, from any thread and inside any pair: a pair that is
 * open belongs to the time before and is forgotten; its stop is no error.
 */
void eprof_reset(void);

/*
 * From here on what this thread records is held: it counts only if eprof_keep(true) says
 * so. Costs about what a few scopes do. What is recorded inside costs some 150 ns more at its first
 * visit, for each instance and place in the tree, which the scope around it shows as its own time;
 * and some 350 ns when it is kept.
 *
 * A pair belongs to the innermost hold in which it began; one that began before it counts in
 * any case. Holds nest: the outermost decides for what the inner ones kept. The time of what
 * was dropped stays in the scope around it. A hold that is open at the thread's end, or when a
 * report is made, is not in it; a reset forgets what was held. A span that is recorded when its
 * hold is over belongs to none. More than 62 holds inside each other decide with the 62nd.
 */
void eprof_hold(void);

/* Ends the innermost hold of this thread: keep or drop. Without a hold it is counted ("stray
 * keeps"). */
void eprof_keep(bool keep);

/* --------------------------------------------------------- time sources -- */

/*
 * Chooses the time source and resets. name: "auto", "rdtsc" (the processor's
 * counter, where there is one that can be read), "rdtsc_ordered" (the same, but the
 * processor finishes what is before a read first: for regions below 1 us), "clock_gettime",
 * "gettimeofday", "thread_cputime", or one that was added.
 *
 * Returns 0; -1 with EINVAL for NULL or an unknown name, ENOTSUP where this
 * machine has no such counter.
 */
int eprof_source_use(const char *name);

/* The name of the current source; it lives for ever. */
const char *eprof_source_name(void);

/*
 * Adds a time source of the program's own; eprof_source_use() then knows it.
 *
 * source: copied, with its name; `now` and `context` must stay good. Returns 0;
 * -1 with EEXIST: the name is taken; EINVAL: NULL, no name, no function, more
 * than 64 bits, or a size that is not of this header; ENOMEM.
 */
int eprof_source_add(const struct eprof_source *source);

/* -------------------------------------------------------------- results -- */

/*
 * Writes a report of all that was recorded, while the program goes on.
 *
 * out: written whole under its lock and flushed. format: "table", "tree", "csv",
 * "json", "html", "folded", "speedscope", "callgrind" or "openmetrics"; behind it, any of
 * ":threads" (a row, or a tree, per thread), ":raw" (not corrected for the probe's cost) and
 * ":ticks" (not converted).
 *
 * Returns 0; -1 with EINVAL: out or format is NULL, or the format is unknown;
 * ENOMEM; or the errno of the write that failed. Nothing recorded is lost.
 */
int eprof_report(FILE *out, const char *format);

/*
 * Saves all that was recorded as a profile file, of this moment, while the program goes on;
 * `eprof report` reads it. What is open has run until now.
 *
 * path: the file, written whole or not at all, with mode 0600. A profile file of the same user
 * that nobody writes is replaced; whatever else is there is left alone.
 *
 * Returns 0; -1 with EINVAL: path is NULL; EEXIST: there is something else, ELOOP a symbolic
 * link, EPERM another user's file, EBUSY a file that a program is writing; ENOMEM; or the errno
 * of what failed, as ENOSPC, EACCES. Nothing recorded is lost.
 */
int eprof_save(const char *path);

/*
 * Takes a picture of all that was recorded, merged over the threads: one row
 * per instance, then one per place in the call tree, a parent before its
 * children, then one for each trouble that is not zero.
 * Returns NULL with ENOMEM. The caller frees it.
 */
eprof_snapshot *eprof_snapshot_take(void);

/* Like eprof_snapshot_take(), but each thread has its own rows, and its own tree. */
eprof_snapshot *eprof_snapshot_take_threads(void);

/* Frees a snapshot and all strings of its rows. NULL is allowed. */
void eprof_snapshot_free(eprof_snapshot *snapshot);

/* The number of rows; 0 for NULL. */
size_t eprof_snapshot_rows(const eprof_snapshot *snapshot);

/*
 * Copies row number `index` into *row, whose `size` the caller has set. Its
 * strings live until eprof_snapshot_free(). Returns 0; -1 with EINVAL: no
 * such row, NULL, or a size that is too small.
 */
int eprof_snapshot_row(const eprof_snapshot *snapshot, size_t index, struct eprof_row *row);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* EPROF_CALLS_H */
