/*
 * escape_json.h - a string of JSON
 */
#ifndef EP_ESCAPE_JSON_H
#define EP_ESCAPE_JSON_H

#include "output.h"

/* A JSON string (RFC 8259) with its quotes; what is not UTF-8 as the text \xNN. */
void ep_escape_json(struct ep_output *out, const char *text);

#endif /* EP_ESCAPE_JSON_H */
