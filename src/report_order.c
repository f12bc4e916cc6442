#include "report_order.h"

size_t ep_report_order_show(struct ep_report_sheet_rows_column *columns, size_t count,
                            const struct ep_field *order)
{
    if (!order || order->is_word)
        return count;
    for (size_t c = 0; c < count; c++)
        if (columns[c].figure.offset == order->offset) {
            columns[c].worth = 0;
            columns[c].figure.is_worth_it = NULL;
            return count;
        }
    columns[count] = (struct ep_report_sheet_rows_column){
        {order->name, order->offset, order->is_duration, NULL}, 0};
    return count + 1;
}
