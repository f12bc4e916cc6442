/*
 * host_expect.h - the results that a program accepts from a call while other calls fail
 */
#ifndef FAULTS_HOST_EXPECT_H
#define FAULTS_HOST_EXPECT_H

/* Only the first complaint is kept. */
void host_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Checks the result of a call: an error must come from a call that failed, and errno must fit to
 * it. Returns the result. */
int host_expect(int result, const char *call);
#define EXPECT(call) host_expect(call, #call)
/* For eprof_setup(): if an item was not carried out, it returns EINVAL for any reason. */
void host_expect_setup(int result);
/* The same for a call that returns NULL on failure. */
int host_expect_pointer(const void *pointer, const char *call);

#endif /* FAULTS_HOST_EXPECT_H */
