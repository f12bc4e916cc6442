#include "given_answer.h"

#include <string.h>

#include "base/helper.h"
#include "require.h"

int __wrap_ep_helper_ask(const struct ep_symbolizer *symbolizer, const struct ep_fields *request,
                         struct ep_fields *answer);

static struct {
    const void *bytes;
    size_t count;
} given;

void given_answer_set(const void *bytes, size_t count)
{
    given.bytes = bytes;
    given.count = count;
}

int __wrap_ep_helper_ask(const struct ep_symbolizer *symbolizer, const struct ep_fields *request,
                         struct ep_fields *answer)
{
    require(symbolizer->arguments[0] && request->count > 0, "a program is asked for something");
    if (given.count == 0)
        return 0;
    require(ep_strings_need(answer, given.count) == 0, "there is memory for an answer");
    memcpy(answer->bytes + answer->count, given.bytes, given.count);
    answer->count += given.count;
    return 0;
}
