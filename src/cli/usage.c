#include "cli/usage.h"

#include <errno.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eprof.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* ---- the beginning of a program ---- */

/* Reports a failed write that no caller has checked, such as that of a help text. */
static void close_stdout(void)
{
    if (ferror(stdout) || fflush(stdout) == 0)
        return;
    _exit(ep_complain_of_error("stdout", errno));
}

/* Sets a fixed threshold for mmap. By default glibc raises it when a large array is freed, and then
 * keeps the freed arrays (mallopt(3), M_MMAP_THRESHOLD): a tenth of the memory of a comparison of
 * large profiles. */
static void return_freed_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
#endif
}

void ep_usage_begin(void)
{
    return_freed_memory();
    setlocale(LC_CTYPE, "");
    atexit(close_stdout);
    argp_program_version = "eprof " EPROF_VERSION_STRING;
    argp_err_exit_status = EP_STATUS_USAGE;
}

/* ---- parsing ---- */

struct parse {
    const struct ep_command_line *line;
    void *options;
    struct ep_arguments rest;
};

/* The key of an option is its letter, or a number above all letters. */
static int key_of(const struct ep_option *options, size_t i)
{
    return options[i].letter ? options[i].letter : 256 + (int)i;
}

static void take_argument(struct parse *parse, char *argument, struct argp_state *state)
{
    if (parse->line->take) {
        parse->line->take(parse->options, argument, state);
        return;
    }
    parse->rest =
        (struct ep_arguments){&state->argv[state->next - 1], state->argc - state->next + 1};
    state->next = state->argc;
}

static error_t read_key(int key, char *argument, struct argp_state *state)
{
    struct parse *parse = state->input;
    const struct ep_option *options = parse->line->options;
    if (key == ARGP_KEY_NO_ARGS && parse->line->missing)
        ep_usage_fail(NULL, "%s", parse->line->missing);
    if (key == ARGP_KEY_ARG && parse->line->args_doc) {
        take_argument(parse, argument, state);
        return 0;
    }
    for (size_t i = 0; options[i].name; i++)
        if (key_of(options, i) == key) {
            options[i].read((char *)parse->options + options[i].offset, options[i].name, argument);
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}

static const char help_format[] = "ARGP_HELP_FMT";

struct ep_arguments ep_usage_parse(const struct ep_command_line *line, int argc, char **argv,
                                   void *options)
{
    struct argp_option known[EP_OPTIONS_MOST + 1] = {{0}};
    /* argp-help.c leaks memory if there is an empty list */
    bool has_options = line->options[0].name != NULL;
    const struct argp parser = {.options = has_options ? known : NULL,
                                .parser = read_key,
                                .args_doc = line->args_doc,
                                .doc = line->doc};
    struct parse parse = {.line = line, .options = options};
    for (size_t i = 0; line->options[i].name; i++) {
        const struct ep_option *option = &line->options[i];
        known[i] = (struct argp_option){.name = option->name,
                                        .key = key_of(line->options, i),
                                        .arg = option->argument,
                                        .doc = option->doc};
    }
    ep_complain_hold(argc, argv);
    /* without the note that arguments of long options belong to short ones, help fits a screen */
    bool is_formatted = getenv(help_format) != NULL;
    if (!is_formatted)
        setenv(help_format, "no-dup-args-note", 0);
    int error =
        argp_parse(&parser, argc, argv, line->is_in_order ? ARGP_IN_ORDER : 0, NULL, &parse);
    if (!is_formatted)
        unsetenv(help_format); /* it is not for a program that is run */
    ep_complain_release();
    if (error)
        exit(ep_complain_of_error(NULL, error));
    return parse.rest;
}

/* ---- errors and arguments ---- */

_Noreturn void ep_usage_fail(const char *name, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    ep_complain_values(name, format, values);
    va_end(values);
    exit(EP_STATUS_USAGE);
}

_Noreturn void ep_usage_fail_unknown(const char *argument, const char *what, const char *known)
{
    ep_usage_fail(argument, "no such %s; known are %s", what, known);
}

void ep_usage_text(void *to, const char *name, char *argument)
{
    if (!*argument)
        ep_usage_fail(NULL, "--%s: its argument is empty", name);
    *(const char **)to = argument;
}

void ep_usage_number(void *to, const char *name, char *argument)
{
    errno = 0;
    bool is_number = *argument && !argument[strspn(argument, "0123456789")];
    unsigned long long number = is_number ? strtoull(argument, NULL, 10) : 0;
    if (number == 0 || number > SIZE_MAX || errno)
        ep_usage_fail(argument, "no number for --%s; it takes 1 and more", name);
    *(size_t *)to = (size_t)number;
}

double ep_usage_decimal(const char *name, const char *argument, double least, double most)
{
    char *end = NULL;
    bool is_number = *argument && !argument[strspn(argument, "0123456789.")];
    double number = is_number ? strtod(argument, &end) : 0;
    if (is_number && !*end && number >= least && number <= most)
        return number;
    ep_usage_fail(argument, "no number for --%s; it takes %g to %g", name, least, most);
}

void ep_usage_flag(void *to, const char *name, char *argument)
{
    (void)name;
    (void)argument;
    *(bool *)to = true;
}

void ep_usage_colour(void *to, const char *name, char *argument)
{
    (void)to;
    (void)name;
    if (strcmp(argument, "always") == 0) {
        setenv("CLICOLOR_FORCE", "1", 1);
        unsetenv("NO_COLOR");
    } else if (strcmp(argument, "never") == 0) {
        setenv("NO_COLOR", "1", 1);
    } else if (strcmp(argument, "auto") != 0) {
        ep_usage_fail_unknown(argument, "way to colour", "auto, always, never");
    }
}
