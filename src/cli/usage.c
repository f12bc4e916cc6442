#include "usage.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "status.h"

void ep_usage_parse(const struct argp *parser, int argc, char **argv, unsigned flags, void *input)
{
    int error = argp_parse(parser, argc, argv, flags, NULL, input);
    if (!error)
        return;
    ep_complain(NULL, "%s", strerror(error));
    exit(EP_STATUS_FAILED);
}

uint64_t ep_usage_number(const char *option, const char *argument)
{
    errno = 0;
    bool is_number = *argument && !argument[strspn(argument, "0123456789")];
    uint64_t number = is_number ? strtoull(argument, NULL, 10) : 0;
    if (number > 0 && !errno)
        return number;
    ep_complain(argument, "no number for %s; it takes 1 and more", option);
    exit(EP_STATUS_USAGE);
}

double ep_usage_decimal(const char *option, const char *argument, double least, double most)
{
    char *end = NULL;
    bool is_number = *argument && !argument[strspn(argument, "0123456789.")];
    double number = is_number ? strtod(argument, &end) : 0;
    if (is_number && !*end && number >= least && number <= most)
        return number;
    ep_complain(argument, "no number for %s; it takes %g to %g", option, least, most);
    exit(EP_STATUS_USAGE);
}

void ep_usage_colour(const char *argument)
{
    if (strcmp(argument, "always") == 0) {
        setenv("CLICOLOR_FORCE", "1", 1);
        unsetenv("NO_COLOR");
    } else if (strcmp(argument, "never") == 0) {
        setenv("NO_COLOR", "1", 1);
    } else if (strcmp(argument, "auto") != 0) {
        ep_complain(argument, "no such way to colour; known are auto, always, never");
        exit(EP_STATUS_USAGE);
    }
}

const char *ep_usage_text(const char *option, const char *argument)
{
    if (*argument)
        return argument;
    ep_complain(option, "its argument is empty");
    exit(EP_STATUS_USAGE);
}
