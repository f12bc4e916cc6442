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
    size_t offset; /* of what is read, in the options of the command */
    void (*read)(void *to, const char *name, char *argument);
};

struct ep_command_line {
    const struct ep_option *options; /* the last has no name; at most EP_OPTIONS_MOST */
    const char *args_doc;            /* NULL: it takes options alone */
    const char *doc;
    const char *missing; /* what is said if there is no argument but options; NULL: nothing */
    bool is_in_order;    /* options end at the first argument that is none, or belong to it */
    /* Takes an argument that is no option. NULL: it and all after it are the result. */
    void (*take)(void *options, char *argument, struct argp_state *state);
};

enum { EP_OPTIONS_MOST = 15 };

struct ep_arguments {
    char **at;
    int count;
};

/* Calls argp_parse(); without memory the command exits with EP_STATUS_FAILED. */
struct ep_arguments ep_usage_parse(const struct ep_command_line *line, int argc, char **argv,
                                   void *options);

/* Writes a line as ep_complain() does, and exits. */
_Noreturn void ep_usage_fail(const char *name, const char *format, ...) EP_PRINTF(2, 3);
/* The same for an argument that is none of the known ones: "no such WHAT; known are KNOWN". */
_Noreturn void ep_usage_fail_unknown(const char *argument, const char *what, const char *known);

/* Readers of options: a text that is not empty, to a const char *; */
void ep_usage_text(void *to, const char *name, char *argument);
/* a whole number of at least 1, to a size_t; */
void ep_usage_number(void *to, const char *name, char *argument);
/* that the option is there, to a bool; */
void ep_usage_flag(void *to, const char *name, char *argument);
/* the argument of --color, to the environment, which the code that describes terminals reads. */
void ep_usage_colour(void *to, const char *name, char *argument);
/* A number from `least` to `most`, with or without a fraction. */
double ep_usage_decimal(const char *name, const char *argument, double least, double most);

/* Options that several commands have. */
#define EP_OPTION_OUTPUT(at)                                                                       \
    {                                                                                              \
        "output", 'o', "OUT", "write to OUT, - is stdout", at, ep_usage_text                       \
    }
#define EP_OPTION_RAW(at)                                                                          \
    {                                                                                              \
        "raw", 0, NULL, "the cost of the probes is not taken off", at, ep_usage_flag               \
    }
#define EP_OPTION_DEBUG_DIRECTORY(at)                                                              \
    {                                                                                              \
        "debug-directory", 0, "DIR", "names of functions are here too", at, ep_usage_text          \
    }
#define EP_OPTION_COLOR                                                                            \
    {                                                                                              \
        "color", 0, "WHEN", "auto, always or never", 0, ep_usage_colour                            \
    }

#endif /* EP_CLI_USAGE_H */
