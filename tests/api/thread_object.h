/* thread_object.h - an object of C++ that a thread has, and whose destructor does something */
#ifndef THREAD_OBJECT_H
#define THREAD_OBJECT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Makes it, of the calling thread. at_end: what its destructor does. */
void thread_object_make(void (*at_end)(void));

#ifdef __cplusplus
}
#endif

#endif /* THREAD_OBJECT_H */
