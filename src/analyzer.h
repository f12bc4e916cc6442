/*
 * analyzer.h - where gcc's analyzer is wrong (the preset `analyzer`)
 *
 * It loses sight (12.2) of a pointer that is kept behind an index, in a structure of the caller's,
 * or by a pointer into its block, and calls it leaked. Between the two it says nothing of leaks;
 * the leak checker of the preset `asan` watches there as everywhere. Other compilers do not know
 * the warning, and would warn of that.
 */
#ifndef EP_ANALYZER_H
#define EP_ANALYZER_H

#if defined(__GNUC__) && __GNUC__ >= 10 && !defined(__clang__)
#define EP_ANALYZER_KEPT_BEGIN                                                                     \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wanalyzer-malloc-leak\"")
#define EP_ANALYZER_KEPT_END _Pragma("GCC diagnostic pop")
#else
#define EP_ANALYZER_KEPT_BEGIN
#define EP_ANALYZER_KEPT_END
#endif

#endif /* EP_ANALYZER_H */
