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
    ep_symbol_request_module(request, module->path, module->build_id, module->modified_ns);
    for (size_t i = module->answered; i < module->count; i++) {
        ep_fields_add(request, "A");
        ep_fields_print(request, "%" PRIx64, module->functions[i].address);
    }
}

/* ---- the answer ---- */

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
    const char *name =
        ep_fields_next_is(answer, "A") ? next_text(answer, texts, EP_LABEL_BYTES) : NULL;
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
    const char *fault =
        ep_fields_next_is(answer, "M") ? next_text(answer, texts, FAULT_MOST_BYTES) : NULL;
    bool is_whole = fault != NULL;
    for (size_t i = module->answered; i < module->count && is_whole; i++)
        is_whole = read_function(answer, texts, &module->functions[i]);
    if (!is_whole)
        return false;
    module->fault = fault;
    module->answered = module->count;
    return true;
}

static bool read_answer(struct ep_fields_reader answer, struct ep_image_names *names)
{
    bool is_whole = true;
    for (size_t i = 0; i < names->count && is_whole; i++)
        if (!is_answered(&names->modules[i]))
            is_whole = read_module(&answer, &names->texts, &names->modules[i]);
    return is_whole && ep_fields_next_is(&answer, "E");
}

/* ---- asked ---- */

static void make_request(struct ep_fields *request, const struct ep_image_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (!is_answered(&names->modules[i]))
            ask_for(request, &names->modules[i]);
}

/* Of an answer that was not waited for to its end, what there is counts as well. */
static int ask(struct ep_image_names *names, char *const *arguments,
               const struct ep_fields *request, struct ep_fields *answer)
{
    struct ep_symbolizer symbolizer = {
        arguments, ep_platform_monotonic_ns() + EP_SYMBOL_DEADLINE_NS, ANSWER_MOST_BYTES};
    int result = ep_symbolizer_ask(&symbolizer, request, answer);
    int error = errno;
    bool is_whole = read_answer(ep_fields_read(answer), names);
    errno = result == 0 && !is_whole ? EPROTO : error;
    return result == 0 && is_whole ? 0 : -1;
}

int ep_image_names_ask(struct ep_image_names *names, char *const *arguments)
{
    struct ep_fields request = {.bytes = NULL}, answer = {.bytes = NULL};
    int result = -1;
    make_request(&request, names);
    errno = ENOMEM;
    if (!request.is_incomplete)
        result = request.count ? ask(names, arguments, &request, &answer) : 0;
    int error = errno;
    ep_fields_free(&request);
    ep_fields_free(&answer);
    errno = error;
    return result;
}
