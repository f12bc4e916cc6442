/*
 * The sum of two recordings under a budget: calls inside a scope take no longer than the scope,
 * and the self times of all scopes are the total of the outermost one
 *
 * The clock is moved by hand, and the programs are random trees of calls.
 */
#include "calls.h"
#include "image/read.h"
#include "merging.h"
#include "sanitizer.h"
#include "support/made_snapshot.h"
#include "support/random.h"
#include "support/scratch.h"

#include <inttypes.h>

enum { SETS = TAKES_LONG ? 5 : 40, SCOPES = 12, MOST_CALLS = 3000, MOST_CHILDREN = 3 };

/* ---- the recordings ---- */

struct scope {
    char label[8];
    uint64_t ticks; /* that a call takes by itself: up to twice as many */
    uint32_t every; /* a call of its parent in so many calls it */
    int children[MOST_CHILDREN], count;
};

static struct scope scopes[SCOPES];

/* Each scope is inside an earlier one; the first is called often by the outermost scope. */
static void make_scopes(void)
{
    memset(scopes, 0, sizeof scopes);
    for (int i = 0; i < SCOPES; i++) {
        snprintf(scopes[i].label, sizeof scopes[i].label, "s%d", i);
        scopes[i].ticks = random_next() % 4 ? random_next() % 20 : random_next() % 2000;
        scopes[i].every = 1 + random_next() % 4;
        int parent = i ? (int)(random_next() % (unsigned)i) : 0;
        while (i && scopes[parent].count == MOST_CHILDREN)
            parent = (parent + 1) % i;
        if (i)
            scopes[parent].children[scopes[parent].count++] = i;
    }
}

static void call_scope(const struct scope *scope)
{
    eprof_enter(scope->label);
    pass(scope->ticks + random_next() % (scope->ticks + 1));
    for (int i = 0; i < scope->count; i++)
        if (random_next() % scopes[scope->children[i]].every == 0)
            call_scope(&scopes[scope->children[i]]);
    eprof_leave();
}

static struct ep_image record(void)
{
    struct ep_image image;
    struct ep_image_file_state state;
    const char *why = NULL;
    eprof_reset();
    assert_return_code(eprof_setup("budget=off"), errno);
    eprof_enter("all"); /* it is timed */
    assert_return_code(eprof_setup("budget=1/64"), errno);
    for (uint64_t calls = random_next() % MOST_CALLS; calls; calls--)
        call_scope(&scopes[0]);
    eprof_leave();
    assert_return_code(eprof_save("profile"), errno);
    if (ep_image_read("profile", &image, &state, &why) != 0)
        fail_msg("profile: %s", why);
    return image;
}

/* ---- the rows ---- */

/* Each figure is rounded once in each image, and once more in the sum. */
static uint64_t rounding(size_t rows)
{
    return 4 * (rows + 1);
}

static void check_rows(struct eprof_snapshot *snapshot, const char *what)
{
    uint64_t selfs = 0, roots = 0;
    size_t first = snapshot->scope_first, end = snapshot->diagnostic_first;
    for (size_t i = first; i < end; i++) {
        uint64_t inside = 0;
        size_t children = 0;
        for (size_t k = i + 1; k < end; k++)
            if (ep_rows_position(snapshot, k)->parent == i) {
                inside += snapshot->rows[k].total_ns;
                children++;
            }
        const struct eprof_row *row = &snapshot->rows[i];
        if (inside > row->total_ns + rounding(children))
            fail_msg("%s: %s took %" PRIu64 " ns, and what is inside it %" PRIu64, what,
                     ep_rows_path(snapshot, i), row->total_ns, inside);
        selfs += row->self_ns;
        roots += strcmp(row->name, "all") == 0 ? row->total_ns : 0;
    }
    if (selfs > roots + rounding(end - first) || roots > selfs + rounding(end - first))
        fail_msg("%s: the self times are %" PRIu64 " ns of %" PRIu64, what, selfs, roots);
}

TEST(sum_of_estimates_has_no_more_inside_a_scope_than_the_scope_took)
{
    static const struct ep_snapshot_options net = {.raw = false};
    hand_clock_begin(NULL);
    for (int set = 0; set < SETS; set++) {
        make_scopes();
        struct ep_image images[2] = {record(), record()};
        const struct ep_image *const both[] = {&images[0], &images[1]};
        for (int i = 0; i < 2; i++)
            check_rows(snapshot_keep(ep_snapshot_take_stored(&images[i], net)), "an image");
        for (int is_raw = 0; is_raw < 2; is_raw++) {
            struct ep_merge *merge = merge_as(is_raw, both, 2);
            check_rows(merged_snapshot(merge, net), is_raw ? "raw sum" : "sum");
            ep_merge_end(merge);
        }
        for (int i = 0; i < 2; i++)
            ep_image_destroy(&images[i]);
    }
    assert_return_code(eprof_setup("budget=off"), errno);
}

TEST_EACH(scratch_enter, scratch_leave)
