/*
 * subject.h - a program that is run again and again, while one call after the other fails
 */
#ifndef FAULTS_SUBJECT_H
#define FAULTS_SUBJECT_H

enum subject_promise {
    SUBJECT_SAYS_TREE = 1 << 0,  /* it may have the tree on stderr, or what it was asked for */
    SUBJECT_COMPLAINS = 1 << 1,  /* it may say there what could not be done */
    SUBJECT_PRINTS = 1 << 2,     /* the library writes on its stdout */
    SUBJECT_VARIES = 1 << 3,     /* what it writes is not the same each time */
    SUBJECT_LACKS = 1 << 4,      /* with a line that says so, it may lack names of functions */
    SUBJECT_HAS_PROFILE = 1 << 5 /* the old file is a profile, and else a text */
};

/* Where they run, there are the old file `out`; `one`, `two`, `hooked` and `other`, profiles, in
 * the folder above it, and `request`, which stdin is; `recorder`, a program. */
struct subject {
    const char *name;
    const char *words; /* of the command line; the first is `host` or `eprof` */
    const char *items; /* EPROF; NULL: none */
    unsigned promises;
};

/* Up to one without a name. */
extern const struct subject subjects_host[];
extern const struct subject subjects_command[];

#endif /* FAULTS_SUBJECT_H */
