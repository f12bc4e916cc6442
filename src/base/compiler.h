/*
 * base/compiler.h - compiler features: attributes, atomic accesses, fences, signal-safe counters
 *
 * Fields that another thread or a reader of the image may read are accessed through ep_load,
 * ep_store and their ordered forms, so that no access is torn, invented or reported as a data race.
 */
#ifndef EP_BASE_COMPILER_H
#define EP_BASE_COMPILER_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

/* gcc's analyzer (12.2, the preset `analyzer`) reports a leak where a pointer is stored at an
 * index, in a structure of the caller, or as a pointer into its block. Between the two macros it
 * reports none; the leak checker of the preset `asan` covers that code. Other compilers would warn
 * that they do not know the warning. */
#if defined(__GNUC__) && __GNUC__ >= 10 && !defined(__clang__)
#define EP_ANALYZER_KEPT_BEGIN                                                                     \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wanalyzer-malloc-leak\"")
#define EP_ANALYZER_KEPT_END _Pragma("GCC diagnostic pop")
#else
#define EP_ANALYZER_KEPT_BEGIN
#define EP_ANALYZER_KEPT_END
#endif

/* errno gets its present value back at the end of the block, after the value of a `return`. */
#define EP_KEEP_ERRNO                                                                              \
    __attribute__((cleanup(ep_restore_errno), unused)) const int ep_errno_before = errno

#define EP_LIKELY(x) __builtin_expect(!!(x), 1)
#define EP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define EP_COLD __attribute__((cold, noinline))
#define EP_INLINE static inline __attribute__((always_inline))
#define EP_EXPORT __attribute__((visibility("default")))
#define EP_PRINTF(text, first) __attribute__((format(printf, text, first)))
/* One load instead of a call of __tls_get_addr; eight bytes, so that dlopen finds room. */
#define EP_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))

EP_INLINE void ep_restore_errno(const int *before)
{
    errno = *before;
}

/* i386 aligns a uint64_t in a struct to four bytes only; clang then calls libatomic, which is not
 * part of libc. The layouts of image/layout.h align shared fields to their own size: this type says
 * so to the compiler. */
#define EP_ALIGNED(p)                                                                              \
    __extension__({                                                                                \
        typedef __typeof__(*(p)) ep_aligned __attribute__((aligned(sizeof(*(p)))));                \
        (ep_aligned *)(p);                                                                         \
    })
#define ep_load(p) __atomic_load_n(EP_ALIGNED(p), __ATOMIC_RELAXED)
#define ep_store(p, v) __atomic_store_n(EP_ALIGNED(p), (v), __ATOMIC_RELAXED)
#define ep_load_acquire(p) __atomic_load_n(EP_ALIGNED(p), __ATOMIC_ACQUIRE)
#define ep_store_release(p, v) __atomic_store_n(EP_ALIGNED(p), (v), __ATOMIC_RELEASE)
/* An acquire that is not performed before an earlier release: no store after it becomes visible
 * before that release. An ordinary acquire may be performed earlier: on aarch64 LDAPR before STLR,
 * but not LDAR (Arm ARM DDI 0487, B2.3). On x86 stores become visible in program order anyway. */
#if defined(__x86_64__) || defined(__i386__)
#define ep_load_in_order(p) ep_load_acquire(p)
#else
#define ep_load_in_order(p) __atomic_load_n(EP_ALIGNED(p), __ATOMIC_SEQ_CST)
#endif
/* Order stores, and loads, as other threads see them. The thread sanitizer does not support
 * fences. */
#ifdef __SANITIZE_THREAD__
#define ep_store_fence() ep_signal_fence()
#define ep_load_fence() ep_signal_fence()
#define ep_full_fence() ep_signal_fence()
#else
#define ep_store_fence() __atomic_thread_fence(__ATOMIC_RELEASE)
#define ep_load_fence() __atomic_thread_fence(__ATOMIC_ACQUIRE)
/* An earlier store becomes visible to others before a later load is performed. */
#define ep_full_fence() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif
/* Orders the accesses of one thread as its own signal handler sees them. clang 14 moves a plain
 * load below an __atomic_signal_fence() that is followed by a branch, but not below this
 * (2026-11-25, tests/api/test_scope_handler.c). */
#define ep_signal_fence() __asm__ volatile("" ::: "memory")

#ifdef __has_feature
#define EP_HAS_FEATURE(name) __has_feature(name)
#else
#define EP_HAS_FEATURE(name) 0
#endif

/* *p was written by code that the memory sanitizer does not see: a call instruction, or a C library
 * function that it does not know. */
#if EP_HAS_FEATURE(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define ep_written_unseen(p) __msan_unpoison((p), sizeof *(p))
#else
#define ep_written_unseen(p) ((void)0)
#endif

/*
 * ep_add64, ep_add32: add to a counter that only this thread writes; other threads read it.
 * ep_swap64: replaces `expected` by `desired`, unless a signal handler of this thread came first.
 * ep_add_wide: adds to a 128-bit sum.
 * ep_is_above, ep_is_equal: compare with a word that another thread may change, the second with
 * ep_load_in_order(). gcc compares with memory only what is not atomic.
 *
 * On x86-64 they are single instructions without the lock prefix: with a separate load and store,
 * the count of a signal handler that records in between would be lost. ep_add_wide keeps its carry
 * in the flags, which a handler restores. Elsewhere, 32-bit x86 included, and where a sanitizer has
 * to see the accesses, they are plain loads and stores.
 */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !EP_HAS_FEATURE(thread_sanitizer) &&   \
    !EP_HAS_FEATURE(memory_sanitizer)

EP_INLINE bool ep_is_above(uint64_t value, const uint64_t *limit)
{
    bool is_above;
    __asm__("cmpq %2, %1" : "=@cca"(is_above) : "r"(value), "m"(*limit) : "cc");
    return is_above;
}

EP_INLINE bool ep_is_equal(uint64_t value, const uint64_t *word)
{
    bool is_equal;
    __asm__ volatile("cmpq %2, %1" : "=@cce"(is_equal) : "r"(value), "m"(*word) : "cc", "memory");
    return is_equal;
}

EP_INLINE void ep_add64(uint64_t *counter, uint64_t n)
{
    __asm__ volatile("addq %1, %0" : "+m"(*counter) : "er"(n) : "cc");
}

/* ep_add64() as the last of several stores: an acquire that reads it sees all of them. */
EP_INLINE void ep_add64_release(uint64_t *counter, uint64_t n)
{
    __asm__ volatile("addq %1, %0" : "+m"(*counter) : "er"(n) : "cc", "memory");
}

EP_INLINE void ep_add32(uint32_t *counter, uint32_t n)
{
    __asm__ volatile("addl %1, %0" : "+m"(*counter) : "ir"(n) : "cc");
}

EP_INLINE bool ep_swap64(uint64_t *word, uint64_t expected, uint64_t desired)
{
    bool swapped;
    __asm__ volatile("cmpxchgq %3, %0"
                     : "+m"(*word), "=@ccz"(swapped), "+a"(expected)
                     : "r"(desired)
                     : "cc");
    return swapped;
}

EP_INLINE void ep_add_wide(uint64_t *low, uint64_t *high, uint64_t n_low, uint64_t n_high)
{
    __asm__ volatile("addq %2, %0\n\tadcq %3, %1"
                     : "+m"(*low), "+m"(*high)
                     : "r"(n_low), "r"(n_high)
                     : "cc");
}

#else

EP_INLINE bool ep_is_above(uint64_t value, const uint64_t *limit)
{
    return value > ep_load(limit);
}

EP_INLINE bool ep_is_equal(uint64_t value, const uint64_t *word)
{
    return value == ep_load_in_order(word);
}

EP_INLINE void ep_add64(uint64_t *counter, uint64_t n)
{
    ep_store(counter, ep_load(counter) + n);
}

EP_INLINE void ep_add64_release(uint64_t *counter, uint64_t n)
{
    ep_store_release(counter, ep_load(counter) + n);
}

EP_INLINE void ep_add32(uint32_t *counter, uint32_t n)
{
    ep_store(counter, ep_load(counter) + n);
}

EP_INLINE bool ep_swap64(uint64_t *word, uint64_t expected, uint64_t desired)
{
    if (ep_load(word) != expected)
        return false;
    ep_store(word, desired);
    return true;
}

EP_INLINE void ep_add_wide(uint64_t *low, uint64_t *high, uint64_t n_low, uint64_t n_high)
{
    uint64_t sum = ep_load(low) + n_low;
    ep_store(high, ep_load(high) + n_high + (sum < n_low));
    ep_store(low, sum);
}

#endif

#endif /* EP_BASE_COMPILER_H */
