/*
 * sanitizer.h - which sanitizer a test is built with: what one of them cannot
 * bear is not built, so that no test passes that did not run
 */
#ifndef SANITIZER_H
#define SANITIZER_H

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER 1
#endif
#if defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZER 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define THREAD_SANITIZER 1
#endif
#endif

#ifndef ADDRESS_SANITIZER
#define ADDRESS_SANITIZER 0
#endif
#ifndef THREAD_SANITIZER
#define THREAD_SANITIZER 0
#endif

#endif /* SANITIZER_H */
