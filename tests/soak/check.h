/*
 * check.h - whether the library says what the ledger does
 */
#ifndef SOAK_CHECK_H
#define SOAK_CHECK_H

#include "ledger.h"

/* While nobody records. 0; or -1, and the first difference in `why` of `bytes`. */
int check_snapshots(const struct ledger *ledger, enum rows_measure measure, char *why,
                    size_t bytes);
int check_report(const struct ledger *ledger, enum rows_measure measure, char *why, size_t bytes);
/* Of a file that it writes, as the command reads it. */
int check_file(const struct ledger *ledger, enum rows_measure measure, const char *command,
               char *why, size_t bytes);

#endif /* SOAK_CHECK_H */
