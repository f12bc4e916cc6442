/*
 * cli/usage.h - command lines: a table of options for each command
 *
 * A wrong command line is reported in one line on stderr, and the command exits with
 * EP_STATUS_USAGE.
 */
#ifndef EP_CLI_USAGE_H
#define EP_CLI_USAGE_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "cli/complain.h"

struct ep_option {
    const char *name;
    char letter;          /* its short form; 0: none */
    const char *argument; /* for --help; NULL: it takes none */
    const char *doc;
    size_t offset; /* of the value, in the options of the command */
    void (*read)(void *to, const char *name, char *argument);
};

struct ep_command_line {
    const struct ep_option *options; /* the last has no name; at most EP_OPTIONS_MOST */
    const char *args_doc;            /* NULL: it takes no arguments but options */
    const char *doc;
    const char *missing; /* the error if there are only options; NULL: that is no error */
    bool is_in_order;    /* ARGP_IN_ORDER: an argument is read before the options after it */
    /* Takes an argument that is no option. NULL: the first one ends the options; it and all after
     * it are returned. */
    void (*take)(void *options, char *argument, struct argp_state *state);
};

enum { EP_OPTIONS_MOST = 20 };

struct ep_arguments {
    char **at;
    int count;
};

/* At the beginning of a program: sets up memory, locale, stdout, and the version for --version. */
void ep_usage_begin(void);

/* Calls argp_parse(); without memory the command exits with EP_STATUS_FAILED. */
struct ep_arguments ep_usage_parse(const struct ep_command_line *line, int argc, char **argv,
                                   void *options);

/* Writes a line as ep_complain() does, and exits. */
_Noreturn void ep_usage_fail(const char *name, const char *format, ...) EP_PRINTF(2, 3);
/* The same for an argument that is none of the known ones: "no such WHAT; known are KNOWN". */
_Noreturn void ep_usage_fail_unknown(const char *argument, const char *what, const char *known);

/* Readers of options. This one stores a text that is not empty in a const char *. */
void ep_usage_text(void *to, const char *name, char *argument);
/* Stores a whole number of at least 1 in a size_t. */
void ep_usage_number(void *to, const char *name, char *argument);
/* Stores true in a bool. */
void ep_usage_flag(void *to, const char *name, char *argument);
/* Stores the argument of --color in the environment, which base/terminal.h reads. */
void ep_usage_colour(void *to, const char *name, char *argument);
/* A number from `least` to `most`, with or without a fraction. */
double ep_usage_decimal(const char *name, const char *argument, double least, double most);

/* Options that several commands have, as members of struct ep_option. */
#define EP_OPTION_OUTPUT(at) "output", 'o', "OUT", "write to OUT, - is stdout", at, ep_usage_text
#define EP_OPTION_RAW(at)                                                                          \
    "raw", 0, NULL, "do not subtract the cost of the probes", at, ep_usage_flag
#define EP_OPTION_DEBUG_DIRECTORY(at)                                                              \
    "debug-directory", 0, "DIR", "look for names of functions here, too", at, ep_usage_text
#define EP_OPTION_COLOR "color", 0, "WHEN", "auto, always or never", 0, ep_usage_colour

#endif /* EP_CLI_USAGE_H */
