/*
 * host.h - a program that uses libeprof, of which a call fails at any place: what it may expect
 *
 * It goes on whatever fails, says the same on stdout each time, and notes in the ledger what it
 * sees that is not promised.
 */
#ifndef FAULTS_HOST_H
#define FAULTS_HOST_H

#include <eprof.h>
#include <stdio.h>

/* What was recorded since the last reset, if nothing failed. */
struct host_made {
    bool is_counted;    /* the library is set up: what is lost is counted from here on */
    uint64_t instances; /* calls of them */
    uint64_t scopes;
    uint64_t functions;
};
extern struct host_made host_made;

/* Only the first complaint stays. */
void host_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A call returned it: an error comes from something that failed, and says what. Returns it. */
int host_expect(int result, const char *call);
#define EXPECT(call) host_expect(call, #call)
/* Of eprof_setup(): of an item that was not carried out it says EINVAL, whatever the reason. */
void host_expect_setup(int result);
/* The same of a call that returns NULL. */
int host_expect_pointer(const void *pointer, const char *call);
/* eprof_alloc(). */
int host_allocate(const char *label);
/* Nothing is recorded: there was a reset. */
void host_forget_made(void);
/* In a forked child, before its first call: it has recorded nothing yet. */
void host_begin_child(void);
/* No call fails any more: what was recorded is reported, or counted as lost. */
void host_check(void);

/* A part of the public interface. */
struct host_chapter {
    const char *name;
    void (*act)(void);
    bool has_tree; /* it ends without a report of its own, and so with one on stderr */
};
extern const struct host_chapter host_recording[];
extern const struct host_chapter host_results[];

#endif /* FAULTS_HOST_H */
