#include "snapshot_growth.h"

#include <errno.h>
#include <stdlib.h>

#include "fingerprint_table.h"
#include "snapshot_identity.h"

/* Of all rows but trouble, then of all tops; to be freed. NULL: no memory. */
static struct ep_wide *find_prints(const struct eprof_snapshot *snapshot)
{
    size_t rows = snapshot->trouble_first;
    struct ep_wide *prints = calloc(rows + snapshot->top_count + 1, sizeof *prints);
    struct ep_wide *ways = calloc(rows + 1, sizeof *ways);
    for (size_t i = 0; prints && ways && i < rows; i++)
        prints[i] = ep_identity_of_row(snapshot, ways, i);
    for (size_t i = 0; prints && i < snapshot->top_count; i++)
        prints[rows + i] = ep_identity_of_top(snapshot, i);
    if (!ways) {
        free(prints);
        prints = NULL;
    }
    free(ways);
    return prints;
}

/* ---- what they had ---- */

/* As struct ep_fingerprint_table wants its rows. */
struct known {
    struct ep_wide print;
    struct ep_growth had;
};

static struct ep_growth figures_of(const struct eprof_row *row)
{
    return (struct ep_growth){row->calls, row->timed, row->total_ns, row->self_ns};
}

/* What is known by this print, made where it is new; NULL: no memory. */
static struct known *known_by(struct ep_fingerprint_table *table, struct ep_wide print)
{
    uint32_t found = ep_fingerprint_table_find(table, sizeof(struct known), print);
    return found == EP_MAP_NONE ? NULL : (struct known *)table->rows + found;
}

static const struct eprof_row *row_at(const struct eprof_snapshot *snapshot, size_t i)
{
    return i < snapshot->trouble_first ? &snapshot->rows[i]
                                       : &snapshot->tops[i - snapshot->trouble_first];
}

static bool remember(struct ep_fingerprint_table *table, const struct eprof_snapshot *before)
{
    struct ep_wide *prints = find_prints(before);
    bool is_whole = prints != NULL;
    for (size_t i = 0; is_whole && i < before->trouble_first + before->top_count; i++) {
        struct known *known = known_by(table, prints[i]);
        is_whole = known != NULL;
        if (known)
            known->had = figures_of(row_at(before, i));
    }
    free(prints);
    return is_whole;
}

/* ---- and have now ---- */

static uint64_t more(uint64_t had, uint64_t has)
{
    return has > had ? has - had : 0;
}

static struct ep_growth growth_of(const struct ep_growth *had, const struct eprof_row *row)
{
    return (struct ep_growth){more(had->calls, row->calls), more(had->timed, row->timed),
                              more(had->total_ns, row->total_ns), more(had->self_ns, row->self_ns)};
}

static bool compare(struct ep_growths *growths, struct ep_fingerprint_table *table,
                    const struct eprof_snapshot *after)
{
    struct ep_wide *prints = find_prints(after);
    bool is_whole = prints != NULL;
    for (size_t i = 0; is_whole && i < after->trouble_first + after->top_count; i++) {
        const struct known *known = known_by(table, prints[i]);
        struct ep_growth *growth =
            i < after->trouble_first ? &growths->rows[i] : &growths->tops[i - after->trouble_first];
        is_whole = known != NULL;
        if (known)
            *growth = growth_of(&known->had, row_at(after, i));
    }
    free(prints);
    return is_whole;
}

int ep_growth_find(struct ep_growths *growths, const struct eprof_snapshot *before,
                   const struct eprof_snapshot *after)
{
    struct ep_fingerprint_table table = {.rows = NULL};
    *growths = (struct ep_growths){
        .rows = calloc(after->trouble_first + 1, sizeof *growths->rows),
        .tops = calloc(after->top_count + 1, sizeof *growths->tops),
    };
    bool is_whole = growths->rows && growths->tops && (!before || remember(&table, before)) &&
                    compare(growths, &table, after);
    ep_fingerprint_table_free(&table);
    if (is_whole)
        return 0;
    ep_growth_free(growths);
    errno = ENOMEM;
    return -1;
}

void ep_growth_free(struct ep_growths *growths)
{
    free(growths->rows);
    free(growths->tops);
    *growths = (struct ep_growths){.rows = NULL};
}
