#include "instrument/function_filter.h"

#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>

#include "base/helper.h"
#include "base/platform.h"
#include "image/names.h"
#include "record/process_lock.h"

static struct ep_fields patterns; /* lock */

static bool is_in_ranges(const struct ep_loaded_module *module, uint64_t address)
{
    uint32_t low = 0, high = module->left_out_count;
    while (low < high) { /* the first range that ends after the address */
        uint32_t middle = low + (high - low) / 2;
        if (module->left_out[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < module->left_out_count && module->left_out[low].begin <= address;
}

static bool is_left_out_by_name(const char *name)
{
    struct ep_fields_reader all = ep_strings_read(&patterns);
    bool has_positive = false, is_chosen = false;
    for (const char *pattern; (pattern = ep_strings_next(&all)) != NULL;) {
        bool is_negative = *pattern == '!';
        bool matches = fnmatch(pattern + is_negative, name, 0) == 0;
        if (is_negative && matches)
            return true;
        has_positive = has_positive || !is_negative;
        is_chosen = is_chosen || (!is_negative && matches);
    }
    return has_positive && !is_chosen;
}

bool ep_function_filter_leaves_out(const struct ep_loaded_module *module, uintptr_t function)
{
    if (EP_LIKELY(!ep_load(&patterns.count)))
        return false;
    if (module->is_filtered)
        return is_in_ranges(module, function - module->bias);
    Dl_info symbol;
    bool is_known = dladdr((void *)function, &symbol) && symbol.dli_sname &&
                    symbol.dli_saddr == (void *)function;
    ep_process_mutex_lock();
    bool is_left_out = is_left_out_by_name(is_known ? symbol.dli_sname : "");
    ep_process_mutex_unlock();
    return is_left_out;
}

int ep_function_filter_add(const char *pattern)
{
    ep_strings_add(&patterns, pattern);
    if (patterns.is_incomplete) {
        patterns.is_incomplete = false;
        errno = ENOMEM;
        return -1;
    }
    return 0;
}

/* ---- the request: each pattern after a "P", then the module and an "S" ---- */

static void make_request(struct ep_fields *request, const struct ep_module_cell *cell,
                         const char *path)
{
    char build_id[EP_BUILD_ID_DIGITS + 1];
    ep_process_mutex_lock();
    struct ep_fields_reader all = ep_strings_read(&patterns);
    for (const char *pattern; (pattern = ep_strings_next(&all)) != NULL;) {
        ep_strings_add(request, "P");
        ep_strings_add(request, pattern);
    }
    ep_process_mutex_unlock();
    ep_image_names_request_build_id(build_id, cell);
    ep_image_names_request_module(request, path, build_id, cell->modified_ns);
    ep_strings_add(request, "S");
}

/* ---- the answer ---- */

enum { ANSWER_MOST_BYTES = 64 << 20 }; /* some million ranges */

static uint64_t read_number(struct ep_fields_reader *answer, int base)
{
    const char *text = ep_strings_next(answer);
    return text ? strtoull(text, NULL, base) : 0;
}

/* A range takes at least four bytes, so the length of the answer bounds the count. */
static bool read_ranges(struct ep_loaded_module *module, struct ep_fields_reader *answer)
{
    uint64_t count = read_number(answer, 10);
    if (count > (uint64_t)(answer->end - answer->at) / 4)
        return false;
    struct ep_left_out_range *ranges = count ? ep_platform_allocate(count * sizeof *ranges) : NULL;
    if (count && !ranges)
        return false;
    for (uint64_t i = 0; i < count; i++) {
        ranges[i].begin = read_number(answer, 16);
        ranges[i].end = read_number(answer, 16);
    }
    if (ep_strings_next_is(answer, "E")) {
        module->left_out = ranges;
        module->left_out_count = (uint32_t)count;
        return true;
    }
    if (ranges)
        ep_platform_release(ranges, count * sizeof *ranges);
    return false;
}

/* A faulty file of the module is no error: its names are unknown then. */
static bool read_answer(struct ep_loaded_module *module, const struct ep_fields *fields)
{
    struct ep_fields_reader answer = ep_strings_read(fields);
    return ep_strings_next_is(&answer, "M") && ep_strings_next_is(&answer, "") &&
           ep_strings_next_is(&answer, "S") && read_ranges(module, &answer);
}

void ep_function_filter_ask(struct ep_loaded_module *module, const struct ep_module_cell *cell,
                            const char *path)
{
    struct ep_fields request = {.bytes = NULL}, answer = {.bytes = NULL};
    if (!ep_load(&patterns.count))
        return;
    make_request(&request, cell, path);
    char *program = ep_helper_program_find();
    char *arguments[] = {program, (char[]){"symbolize"}, NULL};
    struct ep_symbolizer symbolizer = {
        arguments, ep_platform_monotonic_ns() + EP_SYMBOL_DEADLINE_NS, ANSWER_MOST_BYTES};
    module->is_filtered = program && !request.is_incomplete &&
                          ep_helper_ask(&symbolizer, &request, &answer) == 0 &&
                          read_answer(module, &answer);
    free(program);
    ep_strings_free(&answer);
    ep_strings_free(&request);
    if (!module->is_filtered) {
        ep_process_mutex_lock();
        ep_upward.filter_is_blind();
        ep_process_mutex_unlock();
    }
}

bool ep_function_filter_is_set(void)
{
    return ep_load(&patterns.count) != 0;
}

void ep_function_filter_release(void)
{
    ep_strings_free(&patterns);
}
