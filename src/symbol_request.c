#include "symbol_request.h"

#include <inttypes.h>
#include <stdio.h>

void ep_symbol_request_build_id(char digits[EP_BUILD_ID_DIGITS + 1],
                                const struct ep_module_cell *module)
{
    uint32_t bytes = module->build_id_bytes;
    if (bytes > EP_BUILD_ID_BYTES)
        bytes = EP_BUILD_ID_BYTES;
    for (uint32_t i = 0; i < bytes; i++)
        sprintf(digits + 2 * (size_t)i, "%02x", module->build_id[i]);
    digits[2 * (size_t)bytes] = '\0';
}

void ep_symbol_request_module(struct ep_fields *request, const char *path, const char *build_id,
                              uint64_t modified_ns)
{
    ep_fields_add(request, "M");
    ep_fields_add(request, path);
    ep_fields_add(request, build_id);
    ep_fields_print(request, "%" PRIu64, modified_ns);
}
