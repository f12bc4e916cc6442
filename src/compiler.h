/*
 * compiler.h - what is asked of the compiler, a line each
 *
 * Fields that another thread (or a reader of the image) may look at are read
 * and written through ep_load/ep_store and their ordered forms, so that no
 * access is torn, invented or seen as a data race.
 */
#ifndef EP_COMPILER_H
#define EP_COMPILER_H

#include <stdbool.h>
#include <stdint.h>

#define EP_LIKELY(x) __builtin_expect(!!(x), 1)
#define EP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define EP_COLD __attribute__((cold, noinline))
#define EP_INLINE static inline __attribute__((always_inline))
#define EP_EXPORT __attribute__((visibility("default")))
#define EP_PRINTF(text, first) __attribute__((format(printf, text, first)))
/* One load instead of a call of __tls_get_addr; eight bytes, so that dlopen finds room. */
#define EP_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))

/*
 * i386 aligns a uint64_t in a struct to four bytes only, and clang then calls
 * libatomic, which is not libc. What is shared lies on its own size all the
 * same, as the layouts of cell.h see to, and here the compiler is told so.
 */
#define EP_ALIGNED(p)                                                                              \
    __extension__({                                                                                \
        typedef __typeof__(*(p)) ep_aligned __attribute__((aligned(sizeof(*(p)))));                \
        (ep_aligned *)(p);                                                                         \
    })
#define ep_load(p) __atomic_load_n(EP_ALIGNED(p), __ATOMIC_RELAXED)
#define ep_store(p, v) __atomic_store_n(EP_ALIGNED(p), (v), __ATOMIC_RELAXED)
#define ep_load_acquire(p) __atomic_load_n(EP_ALIGNED(p), __ATOMIC_ACQUIRE)
#define ep_store_release(p, v) __atomic_store_n(EP_ALIGNED(p), (v), __ATOMIC_RELEASE)
/* An acquire that is not done before a release that stands before it: nothing that is written
 * behind it is seen before that. An ordinary one may be done earlier, on aarch64 LDAPR before STLR,
 * but not LDAR (Arm ARM DDI 0487, B2.3). On x86 stores are seen in their order anyway. */
#if defined(__x86_64__) || defined(__i386__)
#define ep_load_in_order(p) ep_load_acquire(p)
#else
#define ep_load_in_order(p) __atomic_load_n(EP_ALIGNED(p), __ATOMIC_SEQ_CST)
#endif
/* Between stores, and between loads, as other threads see them. The thread sanitizer knows no
 * fences. */
#ifdef __SANITIZE_THREAD__
#define ep_store_fence() ep_signal_fence()
#define ep_load_fence() ep_signal_fence()
#else
#define ep_store_fence() __atomic_thread_fence(__ATOMIC_RELEASE)
#define ep_load_fence() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#endif
/* Between accesses of one thread as its own signal handler sees them. */
#define ep_signal_fence() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* *p was written by what the memory sanitizer does not see: a call instruction, or a function of
 * the C library that it does not know. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define ep_written_unseen(p) __msan_unpoison((p), sizeof *(p))
#endif
#endif
#ifndef ep_written_unseen
#define ep_written_unseen(p) ((void)0)
#endif

/*
 * ep_add64, ep_add32: add to a counter that this thread alone writes; other
 * threads read it. ep_swap64: put `desired` where `expected` was, unless a
 * signal handler of this thread was faster. ep_add_wide: add to a 128-bit sum.
 *
 * On x86-64 they are single instructions without the lock prefix: a signal
 * handler that records between a load and a store would lose its count. The
 * carry of ep_add_wide lives in the flags, which a handler gives back as they
 * were. Elsewhere, 32-bit x86 included, and where a sanitizer wants to see the
 * accesses, they are plain loads and stores.
 */
#if defined(__SANITIZE_THREAD__)
#define EP_PORTABLE_COUNTERS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define EP_PORTABLE_COUNTERS 1
#endif
#endif

#if defined(__x86_64__) && !defined(EP_PORTABLE_COUNTERS)

EP_INLINE void ep_add64(uint64_t *counter, uint64_t n)
{
    __asm__ volatile("addq %1, %0" : "+m"(*counter) : "er"(n) : "cc");
}

/* The same as the last of several stores: who sees it, by an acquire, sees them all. */
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

#endif /* EP_COMPILER_H */
