#include "top_view.h"

#include <fnmatch.h>
#include <string.h>

bool ep_top_view_has(const struct ep_top_view *view, const char *name)
{
    if (strpbrk(view->filter, "*?["))
        return fnmatch(view->filter, name, 0) == 0;
    return strstr(name, view->filter) != NULL;
}

void ep_top_view_fit(struct ep_top_view *view, size_t lines)
{
    size_t last = lines > view->room && view->room > 0 ? lines - view->room : 0;
    if (view->first > last)
        view->first = last;
}
