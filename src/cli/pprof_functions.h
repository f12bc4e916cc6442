/*
 * pprof_functions.h - the functions of a profile for pprof: scopes and instances
 *
 * To pprof a sample is at a location, a location in a line, a line in a function. Here each
 * function has one location, in the line where it begins, with the same number.
 */
#ifndef EP_CLI_PPROF_FUNCTIONS_H
#define EP_CLI_PPROF_FUNCTIONS_H

#include "eprof.h"
#include "map.h"
#include "pprof_texts.h"

struct ep_pprof_functions {
    struct ep_pprof_texts *texts;
    struct ep_pprof_pieces *pieces;
    struct ep_map numbers;
};

/* The number of a row's function, which is written when it is first asked for. */
uint64_t ep_pprof_functions_of_scope(struct ep_pprof_functions *functions, uint32_t site,
                                     const struct eprof_row *row);
uint64_t ep_pprof_functions_of_instance(struct ep_pprof_functions *functions,
                                        const struct eprof_row *row);
/* One in place of frames that are left out. */
uint64_t ep_pprof_functions_of_gap(struct ep_pprof_functions *functions);
void ep_pprof_functions_close(struct ep_pprof_functions *functions);

#endif /* EP_CLI_PPROF_FUNCTIONS_H */
