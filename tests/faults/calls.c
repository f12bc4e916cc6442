#include "calls.h"

#include <errno.h>

/* An error of this kind can last, since the machine lacks something; an interruption does not
 * last. */
#define FOR_EVER 1

static const struct call_way no_memory[] = {{ENOMEM, CALL_FAILS, FOR_EVER}};
static const struct call_way not_supported[] = {{EINVAL, CALL_FAILS, FOR_EVER}};
static const struct call_way no_such_call[] = {{ENOSYS, CALL_FAILS, FOR_EVER}};
static const struct call_way no_descriptor[] = {{EMFILE, CALL_FAILS, FOR_EVER},
                                                {EACCES, CALL_FAILS, FOR_EVER}};
static const struct call_way busy[] = {{EBUSY, CALL_FAILS, FOR_EVER}};
static const struct call_way io[] = {{EIO, CALL_FAILS, FOR_EVER}};
static const struct call_way disk_full[] = {{ENOSPC, CALL_FAILS, FOR_EVER}};
static const struct call_way forbidden[] = {{EACCES, CALL_FAILS, FOR_EVER}};
static const struct call_way not_permitted[] = {{EPERM, CALL_FAILS, FOR_EVER}};
static const struct call_way not_there[] = {{ENOENT, CALL_FAILS, FOR_EVER}};
static const struct call_way interrupted[] = {{EINTR, CALL_FAILS, 0}};
static const struct call_way no_process[] = {{EAGAIN, CALL_FAILS, FOR_EVER}};
static const struct call_way not_executed[] = {{ENOENT, CALL_FAILS, FOR_EVER},
                                               {EACCES, CALL_FAILS, FOR_EVER}};
static const struct call_way lines[] = {{ENOMEM, CALL_FAILS, FOR_EVER},
                                        {EIO, CALL_FAILS, FOR_EVER}};
static const struct call_way in_part[] = {
    {EIO, CALL_FAILS, FOR_EVER}, {EINTR, CALL_FAILS, 0}, {0, CALL_IS_SHORT, FOR_EVER}};
static const struct call_way written_in_part[] = {{ENOSPC, CALL_FAILS, FOR_EVER},
                                                  {EIO, CALL_FAILS, FOR_EVER},
                                                  {EINTR, CALL_FAILS, 0},
                                                  {0, CALL_IS_SHORT, FOR_EVER},
                                                  {EINTR, CALL_IS_SHORT_NEXT, 0}};
static const struct call_way streamed[] = {{ENOSPC, CALL_FAILS, FOR_EVER}};
static const struct call_way synced[] = {{ENOSPC, CALL_FAILS, FOR_EVER},
                                         {EIO, CALL_FAILS, FOR_EVER}};
static const struct call_way allocated[] = {
    {ENOSPC, CALL_FAILS, FOR_EVER}, {EINTR, CALL_FAILS, 0}, {EOPNOTSUPP, CALL_FAILS, FOR_EVER}};
static const struct call_way renamed[] = {{EACCES, CALL_FAILS, FOR_EVER},
                                          {ENOSPC, CALL_FAILS, FOR_EVER}};
static const struct call_way renamed_to_nothing[] = {{EINVAL, CALL_FAILS, FOR_EVER},
                                                     {EACCES, CALL_FAILS, FOR_EVER}};
static const struct call_way locked[] = {{ENOLCK, CALL_FAILS, FOR_EVER},
                                         {EWOULDBLOCK, CALL_FAILS, FOR_EVER}};

static const struct {
    const char *name;
    enum call_kind kind;
    const struct call_way *ways;
    size_t count;
} calls[CALLS] = {
#define CALL(name, kind, ways) {#name, CALL_##kind, ways, sizeof(ways) / sizeof(ways)[0]},
    FAULT_CALLS(CALL)
#undef CALL
};

const char *call_name(enum call call)
{
    return calls[call].name;
}

enum call_kind call_kind(enum call call)
{
    return calls[call].kind;
}

const struct call_way *call_ways(enum call call, size_t *count)
{
    *count = calls[call].count;
    return calls[call].ways;
}
