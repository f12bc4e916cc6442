/*
 * subject.h - a program that is run many times, while one call after another fails
 */
#ifndef FAULTS_SUBJECT_H
#define FAULTS_SUBJECT_H

enum subject_promise {
    SUBJECT_SAYS_TREE = 1 << 0,  /* its stderr may have the tree, or the requested report */
    SUBJECT_COMPLAINS = 1 << 1,  /* its stderr may have messages about failures */
    SUBJECT_PRINTS = 1 << 2,     /* the library writes to its stdout */
    SUBJECT_VARIES = 1 << 3,     /* its output is not the same each time */
    SUBJECT_LACKS = 1 << 4,      /* names of functions may be missing, if a line says so */
    SUBJECT_HAS_PROFILE = 1 << 5 /* the old file is a profile, otherwise a text */
};

/* The folder in which subjects run has the old file `out`. The folder above it has `one`, `two`,
 * `hooked` and `other`, which are profiles; `request`, which is stdin; and `recorder`, a
 * program. */
struct subject {
    const char *name;
    const char *words; /* the command line; its first word is `host` or `eprof` */
    const char *items; /* EPROF; NULL: none */
    unsigned promises;
};

/* The list ends with a subject without a name. */
extern const struct subject subjects_host[];
extern const struct subject subjects_command[];

#endif /* FAULTS_SUBJECT_H */
