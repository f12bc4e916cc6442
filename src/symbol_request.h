/*
 * symbol_request.h - how the program that knows what functions are called is asked about a module
 */
#ifndef EP_SYMBOL_REQUEST_H
#define EP_SYMBOL_REQUEST_H

#include "cell.h"
#include "fields.h"

/* Somebody waits for the answer; the program limits itself to less. */
#define EP_SYMBOL_DEADLINE_NS (UINT64_C(20) * 1000000000)

enum { EP_BUILD_ID_DIGITS = 2 * EP_BUILD_ID_BYTES };

/* The build-id in hexadecimal digits, with a NUL; "": the module has none. */
void ep_symbol_request_build_id(char digits[EP_BUILD_ID_DIGITS + 1],
                                const struct ep_module_cell *module);

/* What is asked next is about the module of this file. */
void ep_symbol_request_module(struct ep_fields *request, const char *path, const char *build_id,
                              uint64_t modified_ns);

#endif /* EP_SYMBOL_REQUEST_H */
