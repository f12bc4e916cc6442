#include "function_filter.h"

#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>

#include "function.h"

static bool is_in_ranges(const struct ep_loaded_module *module, uint64_t address)
{
    uint32_t low = 0, high = module->left_out_count;
    while (low < high) { /* the first that ends behind it */
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
    struct ep_fields_reader patterns = ep_fields_read(&ep_process.patterns);
    bool has_positive = false, is_chosen = false;
    for (const char *pattern; (pattern = ep_fields_next(&patterns)) != NULL;) {
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
    if (EP_LIKELY(!ep_load(&ep_process.patterns.count)))
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
    ep_fields_add(&ep_process.patterns, pattern);
    if (ep_process.patterns.is_incomplete) {
        ep_process.patterns.is_incomplete = false;
        errno = ENOMEM;
        return -1;
    }
    ep_process.modules.count = 0;
    ep_function_ask_again();
    return 0;
}
