/* Uses libcsv: the fields must be those of the twin, except for the labels. */
#include <csv.h>

#include "../require.h"
#include "base/strings.h"
#include "readers.h"
#include "shown.h"

static void take_field(void *field, size_t bytes, void *fields)
{
    require(strlen(field) == bytes, "a field has no NUL");
    ep_strings_add(fields, field);
}

static void take_end_of_row(int character, void *fields)
{
    (void)character;
    ep_strings_add(fields, "\n"); /* the begin of the next field */
}

/* Blanks are a part of their field (RFC 4180, 2.4). */
static int is_left_out(unsigned char byte)
{
    (void)byte;
    return 0;
}

static struct ep_fields fields_of(const char *text, size_t bytes)
{
    struct ep_fields fields = {.bytes = NULL};
    struct csv_parser parser;
    unsigned char options = CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL;
    require(csv_init(&parser, options) == 0, "libcsv can be set up");
    csv_set_space_func(&parser, is_left_out);
    require(csv_parse(&parser, text, bytes, take_field, take_end_of_row, &fields) == bytes &&
                csv_fini(&parser, take_field, take_end_of_row, &fields) == 0,
            "csv is as libcsv has it");
    csv_free(&parser);
    return fields;
}

static char *shown_as_path(const char *name)
{
    char *path = shown_path(name), *shown = shown_to_programs(path);
    free(path);
    return shown;
}

void read_diff_csv(const struct report *report)
{
    struct ep_fields fields = fields_of(report->text, report->bytes);
    struct ep_fields twins = fields_of(report->twin, strlen(report->twin));
    struct ep_fields_reader reader = ep_strings_read(&fields),
                            twin_reader = ep_strings_read(&twins);
    enum { PATH = 2 }; /* kind, name, path */
    size_t column = 0;
    for (const char *twin; (twin = ep_strings_next(&twin_reader)) != NULL; column++) {
        const char *field = ep_strings_next(&reader);
        char *(*shown)(const char *) = column == PATH ? shown_as_path : shown_to_programs;
        require(field && is_text(labels_fill_in(report->labels, twin, shown), field),
                "a field is its twin's but for the labels");
        if (strcmp(twin, "\n") == 0)
            column = SIZE_MAX; /* the next field is the first one */
    }
    require(!ep_strings_next(&reader), "there is no field more");
    ep_strings_free(&fields);
    ep_strings_free(&twins);
}
