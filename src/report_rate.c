#include "report_rate.h"

void ep_report_rate_write(struct ep_output *out, double ticks_per_us)
{
    bool is_slow = ticks_per_us < 1;
    ep_output_decimal(out, is_slow ? ticks_per_us * 1e6 : ticks_per_us, 1);
    ep_output_text(out, is_slow ? " ticks/s" : " ticks/us");
}
