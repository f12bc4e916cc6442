/*
 * host_expect.h - what a program may expect of a call, while others fail
 */
#ifndef FAULTS_HOST_EXPECT_H
#define FAULTS_HOST_EXPECT_H

/* Only the first complaint stays. */
void host_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A call returned it: an error comes from something that failed, and says what. Returns it. */
int host_expect(int result, const char *call);
#define EXPECT(call) host_expect(call, #call)
/* Of eprof_setup(): of an item that was not carried out it says EINVAL, whatever the reason. */
void host_expect_setup(int result);
/* The same of a call that returns NULL. */
int host_expect_pointer(const void *pointer, const char *call);

#endif /* FAULTS_HOST_EXPECT_H */
