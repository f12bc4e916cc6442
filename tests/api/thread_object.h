/* thread_object.h - a C++ object that a thread has, with a destructor that the test defines */
#ifndef THREAD_OBJECT_H
#define THREAD_OBJECT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Creates it for the calling thread. at_end: called by its destructor. */
void thread_object_make(void (*at_end)(void));

#ifdef __cplusplus
}
#endif

#endif /* THREAD_OBJECT_H */
