/*
 * escape_csv.h - a field of csv
 */
#ifndef EP_ESCAPE_CSV_H
#define EP_ESCAPE_CSV_H

#include "output.h"

/* One field of a csv row (RFC 4180), quoted where it must be; what is not UTF-8
 * as \xNN, so that the file is. */
void ep_escape_csv(struct ep_output *out, const char *field);

#endif /* EP_ESCAPE_CSV_H */
