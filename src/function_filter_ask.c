#include <stdlib.h>

#include "function_filter.h"
#include "platform.h"
#include "symbol_request.h"
#include "symbolizer.h"
#include "symbolizer_program.h"

enum { ANSWER_MOST_BYTES = 64 << 20 }; /* some million ranges */

/* ---- what is asked ---- */

/* Each pattern behind a "P". */
static void add_patterns(struct ep_fields *request)
{
    ep_process_mutex_lock();
    struct ep_fields_reader patterns = ep_fields_read(&ep_process.patterns);
    for (const char *pattern; (pattern = ep_fields_next(&patterns)) != NULL;) {
        ep_fields_add(request, "P");
        ep_fields_add(request, pattern);
    }
    ep_process_mutex_unlock();
}

static void add_module(struct ep_fields *request, const struct ep_module_cell *cell,
                       const char *path)
{
    char build_id[EP_BUILD_ID_DIGITS + 1];
    ep_symbol_request_build_id(build_id, cell);
    ep_symbol_request_module(request, path, build_id, cell->modified_ns);
    ep_fields_add(request, "S");
}

/* ---- what is answered ---- */

static uint64_t read_number(struct ep_fields_reader *answer, int base)
{
    const char *text = ep_fields_next(answer);
    return text ? strtoull(text, NULL, base) : 0;
}

/* Each range takes four bytes at least, so the count is bounded by what there is. */
static bool read_ranges(struct ep_loaded_module *module, struct ep_fields_reader *answer)
{
    uint64_t count = read_number(answer, 10);
    if (count > (uint64_t)(answer->end - answer->at) / 4)
        return false;
    struct ep_left_out *ranges = count ? ep_platform_allocate(count * sizeof *ranges) : NULL;
    if (count && !ranges)
        return false;
    for (uint64_t i = 0; i < count; i++) {
        ranges[i].begin = read_number(answer, 16);
        ranges[i].end = read_number(answer, 16);
    }
    if (!ep_fields_next_is(answer, "E")) {
        if (ranges)
            ep_platform_release(ranges, count * sizeof *ranges);
        return false;
    }
    module->left_out = ranges;
    module->left_out_count = (uint32_t)count;
    return true;
}

/* What is wrong with the module's file is no fault: its names are not known then. */
static bool read_answer(struct ep_loaded_module *module, const struct ep_fields *fields)
{
    struct ep_fields_reader answer = ep_fields_read(fields);
    return ep_fields_next_is(&answer, "M") && ep_fields_next_is(&answer, "") &&
           ep_fields_next_is(&answer, "S") && read_ranges(module, &answer);
}

static bool ask(struct ep_loaded_module *module, const struct ep_fields *request)
{
    struct ep_fields answer = {.bytes = NULL};
    char *program = ep_symbolizer_program_find();
    char *arguments[] = {program, (char[]){"symbolize"}, NULL};
    struct ep_symbolizer symbolizer = {
        arguments, ep_platform_monotonic_ns() + EP_SYMBOL_DEADLINE_NS, ANSWER_MOST_BYTES};
    bool is_answered = program && !request->is_incomplete &&
                       ep_symbolizer_ask(&symbolizer, request, &answer) == 0 &&
                       read_answer(module, &answer);
    free(program);
    ep_fields_free(&answer);
    return is_answered;
}

void ep_function_filter_ask(struct ep_loaded_module *module, const struct ep_module_cell *cell,
                            const char *path)
{
    struct ep_fields request = {.bytes = NULL};
    if (!ep_load(&ep_process.patterns.count))
        return;
    add_patterns(&request);
    add_module(&request, cell, path);
    module->is_filtered = ask(module, &request);
    ep_fields_free(&request);
    if (!module->is_filtered) {
        ep_process_mutex_lock();
        ep_process_filter_is_blind();
        ep_process_mutex_unlock();
    }
}
