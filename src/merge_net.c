#include "merge_net.h"

#include "merge_squares.h"

static struct ep_scale factor_of(const struct ep_merge_net *net)
{
    return net->of_ticks ? (struct ep_scale){net->kept_ticks, net->of_ticks}
                         : (struct ep_scale){1, 1};
}

/* As a snapshot of the image does. */
uint64_t ep_merge_net_call(const struct ep_merge_net *net, uint64_t ticks)
{
    uint64_t rest = ep_figures_take_off(ticks, net->inside_milliticks, 1);
    return ep_scale_ns(factor_of(net), rest);
}

static uint64_t total_of(const struct ep_merge_net *net, const struct ep_figures *figures)
{
    uint64_t rest = ep_figures_take_off(figures->total_ticks, net->inside_milliticks,
                                        ep_figures_timed(figures));
    return ep_scale_ns(factor_of(net), rest);
}

void ep_merge_net_take(const struct ep_merge_net *net, struct ep_figures *figures)
{
    if (ep_merge_net_is_all(net))
        return;
    struct ep_wide around_mean = ep_merge_squares_around_mean(figures, factor_of(net));
    figures->total_ticks = total_of(net, figures);
    if (figures->min_ticks != UINT64_MAX)
        figures->min_ticks = ep_merge_net_call(net, figures->min_ticks);
    figures->max_ticks = ep_merge_net_call(net, figures->max_ticks);
    ep_merge_squares_set(figures, around_mean);
}
