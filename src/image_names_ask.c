#include "image_names_ask.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"
#include "symbolizer.h"
#include "utf8.h"

enum {
    ANSWER_MOST_BYTES = 256 << 20, /* a million functions with their files */
    FAULT_MOST_BYTES = 200
};

/* ---- the request ---- */

static bool is_answered(const struct ep_names_module *module)
{
    return module->answered == module->count;
}

static void ask_for(struct ep_fields *request, const struct ep_names_module *module)
{
    ep_fields_add(request, "M");
    ep_fields_add(request, module->path);
    ep_fields_add(request, module->build_id);
    ep_fields_print(request, "%" PRIu64, module->modified_ns);
    for (size_t i = module->answered; i < module->count; i++) {
        ep_fields_add(request, "A");
        ep_fields_print(request, "%" PRIx64, module->functions[i].address);
    }
}

/* ---- the answer ---- */

static bool is_next(struct ep_fields_reader *answer, const char *tag)
{
    const char *field = ep_fields_next(answer);
    return field && strcmp(field, tag) == 0;
}

/* The next text, not longer than it may be; NULL: there is none, or no memory. */
static const char *next_text(struct ep_fields_reader *answer, struct ep_arena *texts, size_t most)
{
    const char *field = ep_fields_next(answer);
    if (!field || !*field)
        return field ? "" : NULL;
    return ep_arena_text(texts, field, ep_utf8_cut(field, strlen(field), most));
}

/* 0 where it is no number, or too large for one. */
static uint32_t line_of(const char *digits)
{
    char *end;
    errno = 0;
    unsigned long long line = strtoull(digits, &end, 10);
    bool is_number = *digits >= '0' && *digits <= '9' && !*end && !errno;
    return is_number && line <= INT32_MAX ? (uint32_t)line : 0;
}

static bool read_function(struct ep_fields_reader *answer, struct ep_arena *texts,
                          struct ep_name *function)
{
    const char *name = is_next(answer, "A") ? next_text(answer, texts, EP_LABEL_BYTES) : NULL;
    const char *file = name ? next_text(answer, texts, EP_LABEL_BYTES) : NULL;
    const char *line = file ? ep_fields_next(answer) : NULL;
    if (!line)
        return false;
    function->name = name;
    function->file = file;
    function->line = line_of(line);
    return true;
}

static bool read_module(struct ep_fields_reader *answer, struct ep_arena *texts,
                        struct ep_names_module *module)
{
    const char *fault = is_next(answer, "M") ? next_text(answer, texts, FAULT_MOST_BYTES) : NULL;
    bool is_whole = fault != NULL;
    for (size_t i = module->answered; i < module->count && is_whole; i++)
        is_whole = read_function(answer, texts, &module->functions[i]);
    if (!is_whole)
        return false;
    module->fault = fault;
    module->answered = module->count;
    return true;
}

/* What was answered before it went wrong stays. */
static int read_answer(struct ep_fields_reader answer, struct ep_image_names *names, size_t first,
                       size_t end)
{
    bool is_whole = true;
    for (size_t i = first; i < end && is_whole; i++)
        if (!is_answered(&names->modules[i]))
            is_whole = read_module(&answer, &names->texts, &names->modules[i]);
    if (is_whole && is_next(&answer, "E"))
        return 0;
    errno = EPROTO;
    return -1;
}

/* ---- asked ---- */

/* For the modules from `first` to `end`, as far as they have not been answered. */
static int ask(struct ep_image_names *names, const struct ep_symbolizer *symbolizer, size_t first,
               size_t end)
{
    struct ep_fields request = {.bytes = NULL}, answer = {.bytes = NULL};
    for (size_t i = first; i < end; i++)
        if (!is_answered(&names->modules[i]))
            ask_for(&request, &names->modules[i]);
    errno = ENOMEM;
    int result = request.is_incomplete ? -1 : ep_symbolizer_ask(symbolizer, &request, &answer);
    if (result == 0)
        result = read_answer((struct ep_fields_reader){answer.bytes, answer.bytes + answer.count},
                             names, first, end);
    int error = errno;
    ep_fields_free(&request);
    ep_fields_free(&answer);
    errno = error;
    return result;
}

/* It was started, and that was all. */
static bool has_gone_wrong(int error)
{
    return error == EPROTO || error == ETIMEDOUT || error == EFBIG;
}

static size_t count_unanswered(const struct ep_image_names *names)
{
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++)
        count += !is_answered(&names->modules[i]);
    return count;
}

/* Of the time that is left, a share. */
static uint64_t share_of(uint64_t deadline_ns, size_t shares)
{
    uint64_t now_ns = ep_platform_monotonic_ns();
    return deadline_ns > now_ns ? now_ns + (deadline_ns - now_ns) / shares : deadline_ns;
}

/* So one that nobody can read costs its own names only. First it has to show that it is such a
 * program at all. */
static int ask_one_by_one(struct ep_image_names *names, char *const *arguments,
                          uint64_t deadline_ns)
{
    struct ep_symbolizer symbolizer = {arguments, deadline_ns, ANSWER_MOST_BYTES};
    if (ask(names, &symbolizer, 0, 0) != 0)
        return -1;
    for (size_t i = 0; i < names->count; i++) {
        struct ep_names_module *module = &names->modules[i];
        if (is_answered(module))
            continue;
        symbolizer.deadline_ns = share_of(deadline_ns, count_unanswered(names));
        if (ask(names, &symbolizer, i, i + 1) == 0)
            continue;
        if (!has_gone_wrong(errno))
            return -1;
        module->fault = "cannot be read: its symbols or debug information are damaged, or too many";
        module->answered = module->count;
    }
    return 0;
}

int ep_image_names_ask(struct ep_image_names *names, char *const *arguments, uint64_t deadline_ns)
{
    if (count_unanswered(names) == 0)
        return 0;
    struct ep_symbolizer symbolizer = {arguments, share_of(deadline_ns, 2), ANSWER_MOST_BYTES};
    if (ask(names, &symbolizer, 0, names->count) == 0)
        return 0;
    return has_gone_wrong(errno) ? ask_one_by_one(names, arguments, deadline_ns) : -1;
}
