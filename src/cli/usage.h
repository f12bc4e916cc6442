/*
 * usage.h - command lines, and the arguments of options
 *
 * Of one that is no good there is a line on stderr, and the command ends with EP_STATUS_USAGE.
 */
#ifndef EP_CLI_USAGE_H
#define EP_CLI_USAGE_H

#include <argp.h>
#include <stdint.h>

/* argp_parse(), which lacks memory at times: then the command ends with EP_STATUS_FAILED. */
void ep_usage_parse(const struct argp *parser, int argc, char **argv, unsigned flags, void *input);

/* The argument of an option: a whole number of 1 and more; */
uint64_t ep_usage_number(const char *option, const char *argument);
/* a text that is not empty. */
const char *ep_usage_text(const char *option, const char *argument);
/* a number from `least` to `most`, with a fraction or without. */
double ep_usage_decimal(const char *option, const char *argument, double least, double most);
/* Of --color: auto, always or never, which goes to the environment, where terminals are asked. */
void ep_usage_colour(const char *argument);

#endif /* EP_CLI_USAGE_H */
