#include "pprof_functions.h"

#include <errno.h>

#include "pprof_head.h"

/* Keys: the number of a site or of a label, which is less than 2^32, and which of the two it is. */
#define OF_SITES (UINT64_C(1) << 32)
#define OF_LABELS (UINT64_C(2) << 32)
#define OF_GAPS (UINT64_C(3) << 32)

static void write_function(struct ep_pprof_functions *functions, uint64_t number,
                           const struct eprof_row *row)
{
    Ep__Pprof__Function function = EP__PPROF__FUNCTION__INIT, *function_list = &function;
    function.id = number;
    function.name = ep_pprof_texts_find(functions->texts, row->name);
    function.filename = ep_pprof_texts_find(functions->texts, row->file);
    function.start_line = row->line;

    Ep__Pprof__Line line = EP__PPROF__LINE__INIT, *line_list = &line;
    line.function_id = number;
    line.line = row->line;

    Ep__Pprof__Location location = EP__PPROF__LOCATION__INIT, *location_list = &location;
    location.id = number;
    location.mapping_id = EP_PPROF_PROGRAM;
    location.n_line = 1;
    location.line = &line_list;

    Ep__Pprof__Profile piece = EP__PPROF__PROFILE__INIT;
    piece.n_function = 1;
    piece.function = &function_list;
    piece.n_location = 1;
    piece.location = &location_list;
    ep_pprof_pieces_write(functions->pieces, &piece);
}

/* Numbers begin with 1. */
static uint64_t number_of(struct ep_pprof_functions *functions, uint64_t key,
                          const struct eprof_row *row)
{
    uint32_t known = ep_map_find(&functions->numbers, key);
    if (known != EP_MAP_NONE)
        return known;
    size_t number = functions->numbers.count + 1;
    if (ep_map_reserve(&functions->numbers, number) != 0) {
        ep_output_fail(functions->pieces->out, ENOMEM);
        return 0;
    }
    ep_map_add(&functions->numbers, key, (uint32_t)number);
    write_function(functions, number, row);
    return number;
}

uint64_t ep_pprof_functions_of_scope(struct ep_pprof_functions *functions, uint32_t site,
                                     const struct eprof_row *row)
{
    return number_of(functions, OF_SITES + site, row);
}

uint64_t ep_pprof_functions_of_instance(struct ep_pprof_functions *functions,
                                        const struct eprof_row *row)
{
    int64_t label = ep_pprof_texts_find(functions->texts, row->name);
    return number_of(functions, OF_LABELS + (uint64_t)label, row);
}

uint64_t ep_pprof_functions_of_gap(struct ep_pprof_functions *functions)
{
    const struct eprof_row row = {.name = "(frames left out)", .file = ""};
    return number_of(functions, OF_GAPS, &row);
}

void ep_pprof_functions_close(struct ep_pprof_functions *functions)
{
    ep_map_free(&functions->numbers);
}
