/*
 * eprof/disabled.h - libeprof switched off by -DEPROF_DISABLE; include <eprof.h>
 *
 * Each call has three parts here. A macro puts the arguments into a branch that
 * is never taken. So they are not evaluated, but every variable in them counts as
 * used, which avoids additional warnings in this build. The branch calls a function
 * that is declared but never defined. Programs that take the address of a call get
 * an empty function of its name. eprof/calls.h documents the calls.
 */
#ifndef EPROF_DISABLED_H
#define EPROF_DISABLED_H

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------- functions -- */

#define EPROF_DISABLED_VOID(name, parameters)                                                      \
    void name##_never parameters;                                                                  \
    static inline void name parameters                                                             \
    {                                                                                              \
    }
#define EPROF_DISABLED_VALUE(type, name, parameters, value)                                        \
    type name##_never parameters;                                                                  \
    static inline type name parameters                                                             \
    {                                                                                              \
        return value;                                                                              \
    }

struct eprof_site;

/* C requires names for parameters that are not used. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
/* NOLINTBEGIN(misc-unused-parameters) */

EPROF_DISABLED_VOID(eprof_init, (void))
EPROF_DISABLED_VALUE(int, eprof_alloc, (const char *label), 0)
EPROF_DISABLED_VOID(eprof_start, (int id))
EPROF_DISABLED_VOID(eprof_stop, (int id))
EPROF_DISABLED_VALUE(int, eprof_instance_for, (const char *label), 0)
EPROF_DISABLED_VOID(eprof_free, (const char *label))
EPROF_DISABLED_VALUE(int, eprof_release, (int id), 0)
EPROF_DISABLED_VOID(eprof_print, (void))

EPROF_DISABLED_VALUE(uint64_t, eprof_now, (void), 0)
EPROF_DISABLED_VALUE(uint64_t, eprof_ns, (uint64_t ticks), 0)
EPROF_DISABLED_VOID(eprof_record, (int id, uint64_t start, uint64_t stop))

EPROF_DISABLED_VOID(eprof_enter, (const char *label))
EPROF_DISABLED_VALUE(struct eprof_site *, eprof_site_for, (const char *label), NULL)
EPROF_DISABLED_VOID(eprof_enter_site, (struct eprof_site * site))
EPROF_DISABLED_VOID(eprof_leave, (void))

EPROF_DISABLED_VOID(eprof_thread_name, (const char *name))
EPROF_DISABLED_VOID(eprof_thread_enter, (const char *name))
EPROF_DISABLED_VOID(eprof_thread_exit, (void))

EPROF_DISABLED_VALUE(int, eprof_setup, (const char *items), 0)
EPROF_DISABLED_VOID(eprof_enable, (bool on))
EPROF_DISABLED_VOID(eprof_thread_enable, (bool on))
EPROF_DISABLED_VOID(eprof_reset, (void))
EPROF_DISABLED_VOID(eprof_hold, (void))
EPROF_DISABLED_VOID(eprof_keep, (bool keep))

EPROF_DISABLED_VALUE(int, eprof_source_use, (const char *name), 0)
EPROF_DISABLED_VALUE(const char *, eprof_source_name, (void), "")
EPROF_DISABLED_VALUE(int, eprof_source_add, (const struct eprof_source *source), 0)

EPROF_DISABLED_VALUE(int, eprof_report, (FILE * out, const char *format), 0)
EPROF_DISABLED_VALUE(int, eprof_save, (const char *path), 0)
EPROF_DISABLED_VALUE(eprof_snapshot *, eprof_snapshot_take, (void), NULL)
EPROF_DISABLED_VALUE(eprof_snapshot *, eprof_snapshot_take_threads, (void), NULL)
EPROF_DISABLED_VOID(eprof_snapshot_free, (eprof_snapshot * snapshot))
EPROF_DISABLED_VALUE(size_t, eprof_snapshot_rows, (const eprof_snapshot *snapshot), 0)
EPROF_DISABLED_VALUE(int, eprof_snapshot_row,
                     (const eprof_snapshot *snapshot, size_t index, struct eprof_row *row), 0)

/* NOLINTEND(misc-unused-parameters) */
#pragma GCC diagnostic pop

#undef EPROF_DISABLED_VOID
#undef EPROF_DISABLED_VALUE

#ifdef __cplusplus
}
#endif

/* ---------------------------------------------------------------- macros -- */

/*
 * A call is used as a statement or as a value. As a statement, an expression whose
 * value is not used would cause a warning. In C++ a function call avoids the warning,
 * and also allows ::eprof_start(id). In C an assignment avoids it, because an inline
 * function of the program must not refer to a static function.
 */
#ifdef __cplusplus
extern "C++" { /* if the program includes this header inside extern "C" */
static inline void eprof_disabled_void(int)
{
}
template <typename value_type> static inline value_type eprof_disabled_value(value_type value)
{
    return value;
}
}
#define EPROF_NEVER(call) eprof_disabled_void(0 ? (call, 0) : 0)
#define EPROF_NEVER_VALUE(type, call, value) eprof_disabled_value<type>(0 ? call : value)
#else
#define EPROF_NEVER(call) ((void)(0 ? (call, 0) : 0))
#define EPROF_NEVER_VALUE(type, call, value) ((type){0} = 0 ? (call) : (value))
#endif

/* All macros take "...", because the comma of a template or of a compound literal
 * would otherwise begin another argument. */
#define eprof_init(...) EPROF_NEVER(eprof_init_never(__VA_ARGS__))
#define eprof_alloc(...) EPROF_NEVER_VALUE(int, eprof_alloc_never(__VA_ARGS__), 0)
#define eprof_start(...) EPROF_NEVER(eprof_start_never(__VA_ARGS__))
#define eprof_stop(...) EPROF_NEVER(eprof_stop_never(__VA_ARGS__))
#define eprof_instance_for(...) EPROF_NEVER_VALUE(int, eprof_instance_for_never(__VA_ARGS__), 0)
#define eprof_free(...) EPROF_NEVER(eprof_free_never(__VA_ARGS__))
#define eprof_release(...) EPROF_NEVER_VALUE(int, eprof_release_never(__VA_ARGS__), 0)
#define eprof_print(...) EPROF_NEVER(eprof_print_never(__VA_ARGS__))

#define eprof_now(...) EPROF_NEVER_VALUE(uint64_t, eprof_now_never(__VA_ARGS__), 0)
#define eprof_ns(...) EPROF_NEVER_VALUE(uint64_t, eprof_ns_never(__VA_ARGS__), 0)
#define eprof_record(...) EPROF_NEVER(eprof_record_never(__VA_ARGS__))

#define eprof_enter(...) EPROF_NEVER(eprof_enter_never(__VA_ARGS__))
#define eprof_site_for(...)                                                                        \
    EPROF_NEVER_VALUE(struct eprof_site *, eprof_site_for_never(__VA_ARGS__), NULL)
#define eprof_enter_site(...) EPROF_NEVER(eprof_enter_site_never(__VA_ARGS__))
#define eprof_leave(...) EPROF_NEVER(eprof_leave_never(__VA_ARGS__))

#define eprof_thread_name(...) EPROF_NEVER(eprof_thread_name_never(__VA_ARGS__))
#define eprof_thread_enter(...) EPROF_NEVER(eprof_thread_enter_never(__VA_ARGS__))
#define eprof_thread_exit(...) EPROF_NEVER(eprof_thread_exit_never(__VA_ARGS__))

#define eprof_setup(...) EPROF_NEVER_VALUE(int, eprof_setup_never(__VA_ARGS__), 0)
#define eprof_enable(...) EPROF_NEVER(eprof_enable_never(__VA_ARGS__))
#define eprof_thread_enable(...) EPROF_NEVER(eprof_thread_enable_never(__VA_ARGS__))
#define eprof_reset(...) EPROF_NEVER(eprof_reset_never(__VA_ARGS__))
#define eprof_hold(...) EPROF_NEVER(eprof_hold_never(__VA_ARGS__))
#define eprof_keep(...) EPROF_NEVER(eprof_keep_never(__VA_ARGS__))

#define eprof_source_use(...) EPROF_NEVER_VALUE(int, eprof_source_use_never(__VA_ARGS__), 0)
#define eprof_source_name(...)                                                                     \
    EPROF_NEVER_VALUE(const char *, eprof_source_name_never(__VA_ARGS__), "")
#define eprof_source_add(...) EPROF_NEVER_VALUE(int, eprof_source_add_never(__VA_ARGS__), 0)

#define eprof_report(...) EPROF_NEVER_VALUE(int, eprof_report_never(__VA_ARGS__), 0)
#define eprof_save(...) EPROF_NEVER_VALUE(int, eprof_save_never(__VA_ARGS__), 0)
#define eprof_snapshot_take(...)                                                                   \
    EPROF_NEVER_VALUE(eprof_snapshot *, eprof_snapshot_take_never(__VA_ARGS__), NULL)
#define eprof_snapshot_take_threads(...)                                                           \
    EPROF_NEVER_VALUE(eprof_snapshot *, eprof_snapshot_take_threads_never(__VA_ARGS__), NULL)
#define eprof_snapshot_free(...) EPROF_NEVER(eprof_snapshot_free_never(__VA_ARGS__))
#define eprof_snapshot_rows(...)                                                                   \
    EPROF_NEVER_VALUE(size_t, eprof_snapshot_rows_never(__VA_ARGS__), 0)
#define eprof_snapshot_row(...) EPROF_NEVER_VALUE(int, eprof_snapshot_row_never(__VA_ARGS__), 0)

/* ---------------------------------------------------------------- scopes -- */

/* The block keeps its token and is the same loop in both builds, so that `break` and
 * `continue` inside it have the same effect. */
#define EPROF_DISABLED_PASTE_NOW(a, b) a##b
#define EPROF_DISABLED_PASTE(a, b) EPROF_DISABLED_PASTE_NOW(a, b)
/* NOLINTNEXTLINE(bugprone-macro-parentheses): it is a name */
#define EPROF_DISABLED_BLOCK(once) for (char once = 1; once; once = 0)

#define EPROF_FUNC ((void)0)
#define EPROF_SCOPE(label) ((void)sizeof("" label))
#define EPROF_SLOW(label, ns) ((void)sizeof("" label), 0 ? (void)(ns) : (void)0)
#define EPROF_FRAME(label, budget_ns) ((void)sizeof("" label), 0 ? (void)(budget_ns) : (void)0)
#define EPROF_VALUE(label, number) ((void)sizeof("" label), 0 ? (void)(number) : (void)0)
#define EPROF_BYTES(label, bytes) ((void)sizeof("" label), 0 ? (void)(bytes) : (void)0)
#define EPROF_BLOCK(label) EPROF_DISABLED_BLOCK(EPROF_DISABLED_PASTE(eprof_once_, __COUNTER__))

#endif /* EPROF_DISABLED_H */
