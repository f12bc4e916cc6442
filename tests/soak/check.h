/*
 * check.h - compares the reports of the library with the ledger
 */
#ifndef SOAK_CHECK_H
#define SOAK_CHECK_H

#include "ledger.h"

/* To be called while no thread records. Returns 0; or -1, with the first difference in `why`, which
 * has `bytes` bytes. */
int check_snapshots(const struct ledger *ledger, enum rows_measure measure, char *why,
                    size_t bytes);
int check_report(const struct ledger *ledger, enum rows_measure measure, char *why, size_t bytes);
/* The same for a file that the library writes and the command reads. */
int check_file(const struct ledger *ledger, enum rows_measure measure, const char *command,
               char *why, size_t bytes);

#endif /* SOAK_CHECK_H */
