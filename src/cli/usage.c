#include "usage.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "status.h"

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

const char *ep_usage_text(const char *option, const char *argument)
{
    if (*argument)
        return argument;
    ep_complain(option, "its argument is empty");
    exit(EP_STATUS_USAGE);
}
