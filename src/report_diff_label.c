#include "report_diff_label.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text_output.h"

/* More would not be seen in a line, and the paths of a deep recursion have a million. */
enum { NAMES_MOST = 16, NAMES_AND_KIND };

/* A row of a snapshot, which stands for its path. */
struct place {
    const struct eprof_snapshot *snapshot;
    size_t row;   /* SIZE_MAX: above the root */
    size_t index; /* in the list */
};

static struct place place_of(const struct ep_diff *diff, size_t index)
{
    const size_t *at = diff->rows[index].at;
    enum ep_diff_side side = at[EP_DIFF_AFTER] != SIZE_MAX ? EP_DIFF_AFTER : EP_DIFF_BEFORE;
    return (struct place){diff->sides[side], at[side], index};
}

static const struct eprof_row *row_of(const struct place *place)
{
    return &place->snapshot->rows[place->row];
}

static struct place parent_of(struct place place)
{
    const struct eprof_snapshot *snapshot = place.snapshot;
    place.row = place.row >= snapshot->scope_first
                    ? snapshot->places[place.row - snapshot->scope_first].parent
                    : SIZE_MAX;
    return place;
}

/* ---- how many names tell a region from another ---- */

/* Two paths from their ends: the order of the first names that differ, or of their kinds; *names
 * is how many it took, or NAMES_AND_KIND. */
static int compare(struct place a, struct place b, size_t *names)
{
    int order = strcmp(row_of(&a)->kind, row_of(&b)->kind);
    for (*names = 1; *names <= NAMES_MOST; ++*names) {
        if (a.row == SIZE_MAX && b.row == SIZE_MAX)
            break;
        if (a.row == SIZE_MAX || b.row == SIZE_MAX)
            return a.row == SIZE_MAX ? -1 : 1;
        int by_name = strcmp(row_of(&a)->name, row_of(&b)->name);
        if (by_name)
            return by_name;
        a = parent_of(a);
        b = parent_of(b);
    }
    *names = *names > NAMES_MOST ? NAMES_MOST : NAMES_AND_KIND;
    return order;
}

static int by_path(const void *a, const void *b)
{
    size_t names;
    return compare(*(const struct place *)a, *(const struct place *)b, &names);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* ---- labels ---- */

/* The last `count` names, from the root's side, and of NAMES_AND_KIND the kind as well. */
static char *text_of(const struct place *end, size_t count)
{
    struct place places[NAMES_MOST];
    struct ep_text_output text;
    size_t names = 0;
    for (struct place at = *end; at.row != SIZE_MAX && names < count && names < NAMES_MOST;
         at = parent_of(at))
        places[names++] = at;
    if (ep_text_output_open(&text) != 0)
        return NULL;
    for (size_t i = names; i-- > 0;) {
        ep_output_text(&text.out, row_of(&places[i])->name);
        ep_output_text(&text.out, i ? ";" : "");
    }
    if (count == NAMES_AND_KIND)
        ep_output_print(&text.out, " (%s)", row_of(end)->kind);
    return ep_text_output_close(&text);
}

/* In the order of their paths, those are beside each other that have most names alike. */
static int fill(char **labels, struct place *places, size_t count)
{
    size_t before = 1, behind;
    qsort(places, count, sizeof *places, by_path);
    for (size_t i = 0; i < count; i++, before = behind) {
        behind = 1;
        if (i + 1 < count)
            compare(places[i], places[i + 1], &behind);
        char *label = text_of(&places[i], larger(before, behind));
        if (!label)
            return -1;
        labels[places[i].index] = label;
    }
    return 0;
}

char **ep_report_diff_labels_make(const struct ep_diff *diff, size_t count)
{
    char **labels = calloc(count + 1, sizeof *labels);
    struct place *places = malloc((count + 1) * sizeof *places);
    for (size_t i = 0; places && i < count; i++)
        places[i] = place_of(diff, i);
    if (!labels || !places || fill(labels, places, count) != 0) {
        ep_report_diff_labels_free(labels, count);
        labels = NULL;
        errno = ENOMEM;
    }
    free(places);
    return labels;
}

void ep_report_diff_labels_free(char **labels, size_t count)
{
    for (size_t i = 0; labels && i < count; i++)
        free(labels[i]);
    free(labels);
}
