#include "host_expect.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "host.h"
#include "ledger.h"

void host_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!host_ledger) {
        vfprintf(stderr, format, arguments);
        fputc('\n', stderr);
    } else if (!host_ledger->complaint[0]) {
        vsnprintf(host_ledger->complaint, sizeof host_ledger->complaint, format, arguments);
    }
    va_end(arguments);
}

static bool is_error_of(enum call call, int error)
{
    size_t count;
    const struct call_way *ways = call_ways(call, &count);
    for (size_t i = 0; i < count; i++)
        if (ways[i].error == error)
            return true;
    return false;
}

/* The error must be that of a call that failed. ENOMEM is accepted for many failures, and EIO for a
 * stream that knows no other reason (replace.c). EINTR is never accepted. */
static bool is_explained(int error)
{
    if (!host_ledger || !host_ledger->harmful || error == EINTR)
        return false;
    for (int call = 0; call < CALLS; call++)
        if (host_ledger->failed_of[call] && is_error_of(call, error))
            return true;
    return error == ENOMEM || error == EIO ||
           (error == EBUSY && host_ledger->failed_of[CALL_flock]);
}

int host_expect(int result, const char *call)
{
    if (result < 0 && (result != -1 || !is_explained(errno)))
        host_complain("%s gave %d, errno %d (%s)", call, result, errno, strerror(errno));
    return result;
}

void host_expect_setup(int result)
{
    if (!(result == -1 && errno == EINVAL && host_ledger && host_ledger->harmful))
        host_expect(result, "eprof_setup()");
}

int host_expect_pointer(const void *pointer, const char *call)
{
    return host_expect(pointer ? 0 : -1, call);
}
