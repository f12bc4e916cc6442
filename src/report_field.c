#include "report_field.h"

void ep_report_field_name(struct ep_output *out, const struct ep_field *field, const char *unit)
{
    ep_output_text(out, field->name);
    if (field->is_duration)
        ep_output_print(out, "_%s", unit);
}
