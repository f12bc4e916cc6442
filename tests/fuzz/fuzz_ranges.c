/*
 * fuzz_ranges.c - takes bytes as the answer of the program that is asked which functions of a
 * module are left out
 *
 * The library looks up functions in the ranges of any answer. A complete answer, written again as
 * the program would write it, must give the same result. After an incomplete one, the functions of
 * the module are matched by their names in the dynamic loader: fuzz_patterns.c.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "base/strings.h"
#include "fuzz_target.h"
#include "given_answer.h"
#include "instrument/function_filter.h"
#include "record/process_life.h"
#include "require.h"

struct fuzz_counts fuzz_counts;

/* ---- replacing the search for a program, and the message that there is none ---- */

char *__wrap_ep_helper_program_find(void);
void __wrap_ep_config_filter_is_blind(void);

char *__wrap_ep_helper_program_find(void)
{
    return strdup("program");
}

void __wrap_ep_config_filter_is_blind(void)
{
}

/* ---- questions ---- */

static struct ep_loaded_module ask(const void *answer, size_t bytes)
{
    struct ep_loaded_module module = {.bias = 0};
    const struct ep_module_cell cell = {.modified_ns = 1};
    given_answer_set(answer, bytes);
    ep_function_filter_ask(&module, &cell, "/program");
    return module;
}

static void forget(const struct ep_loaded_module *module)
{
    if (module->left_out)
        ep_platform_release((void *)(uintptr_t)module->left_out,
                            module->left_out_count * sizeof *module->left_out);
}

/* ---- look-ups ---- */

static bool is_sorted(const struct ep_loaded_module *module)
{
    for (uint32_t i = 0; i < module->left_out_count; i++)
        if (module->left_out[i].begin >= module->left_out[i].end ||
            (i > 0 && module->left_out[i].begin < module->left_out[i - 1].end))
            return false;
    return true;
}

/* At both ends of each range, and next to them. */
static void look_up(const struct ep_loaded_module *module)
{
    bool is_known = is_sorted(module);
    for (uint32_t i = 0; i < module->left_out_count; i++) {
        const struct ep_left_out_range *range = &module->left_out[i];
        bool begin = ep_function_filter_leaves_out(module, (uintptr_t)range->begin);
        bool last = ep_function_filter_leaves_out(module, (uintptr_t)range->end - 1);
        bool behind = ep_function_filter_leaves_out(module, (uintptr_t)range->end);
        bool is_next = i + 1 < module->left_out_count && range[1].begin == range->end;
        require(!is_known || sizeof(uintptr_t) < 8 || (begin && last && behind == is_next),
                "what is in a range is left out, and no more");
    }
}

/* ---- the same answer again ---- */

static void answer_again(const struct ep_loaded_module *module)
{
    struct ep_fields answer = {.bytes = NULL};
    ep_strings_add(&answer, "M");
    ep_strings_add(&answer, "");
    ep_strings_add(&answer, "S");
    ep_strings_print(&answer, "%" PRIu32, module->left_out_count);
    for (uint32_t i = 0; i < module->left_out_count; i++) {
        ep_strings_print(&answer, "%" PRIx64, module->left_out[i].begin);
        ep_strings_print(&answer, "%" PRIx64, module->left_out[i].end);
    }
    ep_strings_add(&answer, "E");
    struct ep_loaded_module again = ask(answer.bytes, answer.count);
    require(again.is_filtered && again.left_out_count == module->left_out_count,
            "what is written is an answer");
    require(module->left_out_count == 0 ||
                memcmp(again.left_out, module->left_out,
                       module->left_out_count * sizeof *module->left_out) == 0,
            "it says the same");
    forget(&again);
    ep_strings_free(&answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    require(ep_process_lock() == 0, "the process can be set up");
    ep_function_filter_release();
    require(ep_function_filter_add("!*") == 0, "there is memory for a pattern");
    ep_process_unlock();
    struct ep_loaded_module module = ask(data, size);
    if (module.is_filtered) {
        look_up(&module);
        answer_again(&module);
        fuzz_counts.sound++;
    } else {
        fuzz_counts.refused++;
    }
    forget(&module);
    return 0;
}
