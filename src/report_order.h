/*
 * report_order.h - the column that rows are sorted by, where another order was asked for
 */
#ifndef EP_REPORT_ORDER_H
#define EP_REPORT_ORDER_H

#include "report_sheet_rows.h"

/* The column of the figure `order` stays whatever there is room for, and whatever is in it; if
 * it is not among the `count` columns it is added. How many there are then. */
size_t ep_report_order_show(struct ep_report_sheet_rows_column *columns, size_t count,
                            const struct ep_field *order);

#endif /* EP_REPORT_ORDER_H */
