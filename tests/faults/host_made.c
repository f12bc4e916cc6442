#include "host_made.h"

#include <eprof.h>

#include "host_expect.h"

struct host_made host_made;

int host_allocate(const char *label)
{
    int id = EXPECT(eprof_alloc(label));
    host_made.is_counted |= id >= 0;
    return id;
}

void host_forget_made(void)
{
    host_made.instances = host_made.scopes = host_made.functions = 0;
}

void host_begin_child(void)
{
    host_made = (struct host_made){.is_of_child = true};
}
