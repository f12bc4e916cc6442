/* Uses libcsv, which is strict here: a quote that is not closed, or is inside a field, is a
 * fault. */
#include <csv.h>
#include <inttypes.h>

#include "../require.h"
#include "readers.h"
#include "shown.h"
#include "snapshot/snapshot.h"

enum {
    TEXTS = 5,
    UNIT = TEXTS + 1 + EP_FIELDS,
    PER_SECOND,
    PROCESSES,
    COLUMNS = PROCESSES + EP_PROCESS_FIELDS_OF_CSV
};

struct reading {
    const struct report *report;
    size_t row, column; /* the position of the next field; the header is row 0 */
};

static char *wanted_text(const struct reading *reading, size_t index)
{
    const struct eprof_snapshot *snapshot = reading->report->snapshot;
    const struct eprof_row *row = &snapshot->rows[index];
    char *path = ep_rows_path_copy(snapshot, index);
    require(path != NULL, "there is memory for a path");
    const char *const texts[TEXTS] = {row->kind, row->name, path, row->thread, row->file};
    char *wanted = shown_to_programs(reading->column == UNIT ? row->unit : texts[reading->column]);
    free(path);
    return wanted;
}

static uint64_t wanted_number(const struct reading *reading, size_t index)
{
    const struct eprof_row *row = &reading->report->snapshot->rows[index];
    if (reading->column == TEXTS)
        return row->line;
    if (reading->column == PER_SECOND)
        return row->per_second;
    if (reading->column >= PROCESSES)
        return ep_columns_value(row, ep_columns_of_processes[reading->column - PROCESSES].offset);
    /* cppcheck-suppress arrayIndexOutOfBoundsCond; PER_SECOND is excluded */
    return ep_columns_value(row, ep_columns[reading->column - TEXTS - 1].offset);
}

static bool is_unknown(const struct reading *reading, size_t index)
{
    const struct eprof_row *row = &reading->report->snapshot->rows[index];
    if (reading->column == PER_SECOND)
        return row->per_second == EPROF_UNKNOWN;
    if (reading->column >= PROCESSES)
        return ep_columns_is_unknown(row, &ep_columns_of_processes[reading->column - PROCESSES]);
    return reading->column > TEXTS &&
           ep_columns_is_unknown(row, &ep_columns[reading->column - TEXTS - 1]);
}

/* A fraction has six digits after its point, and is in millionths. */
static uint64_t number_of(const char *text)
{
    uint64_t number = 0;
    for (; *text; text++)
        if (*text != '.')
            number = number * 10 + (uint64_t)(*text - '0');
    return number;
}

static void take_field(void *field, size_t bytes, void *context)
{
    struct reading *reading = context;
    char *text = field; /* libcsv has added a NUL: CSV_APPEND_NULL */
    require(strlen(text) == bytes, "a field has no NUL");
    if (reading->row > 0) {
        size_t index = reading->row - 1;
        require(index < reading->report->snapshot->row_count, "there are no more rows");
        if (reading->column < TEXTS || reading->column == UNIT)
            require(is_text(wanted_text(reading, index), text), "csv has a text as it is");
        else if (is_unknown(reading, index))
            require(bytes == 0, "what is not known is empty");
        else
            require(number_of(text) == wanted_number(reading, index), "and a number");
    }
    reading->column++;
}

static void take_end_of_row(int character, void *context)
{
    struct reading *reading = context;
    (void)character;
    require(reading->column == COLUMNS, "a row has all columns and no more");
    reading->column = 0;
    reading->row++;
}

/* Blanks are a part of their field (RFC 4180, 2.4). */
static int is_left_out(unsigned char byte)
{
    (void)byte;
    return 0;
}

void read_csv(const struct report *report)
{
    struct csv_parser parser;
    struct reading reading = {.report = report};
    unsigned char options = CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL;
    require(csv_init(&parser, options) == 0, "libcsv can be set up");
    csv_set_space_func(&parser, is_left_out);
    size_t read =
        csv_parse(&parser, report->text, report->bytes, take_field, take_end_of_row, &reading);
    require(read == report->bytes, csv_strerror(csv_error(&parser)));
    require(csv_fini(&parser, take_field, take_end_of_row, &reading) == 0, "csv comes to an end");
    csv_free(&parser);
    require(reading.row == report->snapshot->row_count + 1, "csv has a line for each row");
}
