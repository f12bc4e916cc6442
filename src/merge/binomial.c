#include "merge/binomial.h"

#include <string.h>

#include "image/check.h"

/* ---- messages ---- */

/* A process whose messages fail goes on: the others wait for its messages, or for it to take
 * theirs. What it sends says that they failed, so process 0 learns of it. */

static void send(struct ep_merge_binomial *tree, uint32_t to, const void *bytes, size_t count)
{
    const struct ep_merge_post *post = tree->post;
    if (post->send(post->context, to, bytes, count) != 0)
        tree->is_broken = true;
}

/* Zeroes if the message failed. */
static void receive(struct ep_merge_binomial *tree, uint32_t from, void *bytes, size_t count)
{
    const struct ep_merge_post *post = tree->post;
    if (post->receive(post->context, from, bytes, count) == 0)
        return;
    tree->is_broken = true;
    memset(bytes, 0, count);
}

/* The process below, which gets the sum; itself in process 0. */
static uint32_t parent_of(uint32_t process)
{
    return process & (process - 1);
}

/* The distances to the processes above that send to this one are the powers of two below its lowest
 * bit, as long as there are such processes. */
static bool has_child(const struct ep_merge_post *post, uint32_t distance)
{
    return distance && !(post->process & distance) && distance < post->processes - post->process;
}

/* ---- the clocks of all images ---- */

static void exchange_clocks(struct ep_merge_binomial *tree)
{
    const struct ep_merge_post *post = tree->post;
    struct ep_merge_clock other;
    uint32_t distance = 1, self = post->process;
    for (; has_child(post, distance); distance <<= 1) {
        receive(tree, self + distance, &other, sizeof other);
        ep_merge_clock_join(&tree->clock, &other);
    }
    if (self) {
        send(tree, parent_of(self), &tree->clock, sizeof tree->clock);
        receive(tree, parent_of(self), &tree->clock, sizeof tree->clock);
    }
    for (distance >>= 1; distance; distance >>= 1)
        send(tree, self + distance, &tree->clock, sizeof tree->clock);
}

/* ---- adding ---- */

/* Whether it was added. Without memory the sum so far is lost, too. */
static bool add(struct ep_merge_binomial *tree, const struct ep_image *image)
{
    if (!tree->merge) {
        tree->merge = ep_merge_begin(false);
        if (!tree->merge)
            return false;
        tree->merge->clock = tree->clock;
    }
    uint64_t before = tree->merge->processes.count;
    if (ep_merge_add(tree->merge, image) == 0)
        return true;
    tree->lost += before;
    ep_merge_end(tree->merge);
    tree->merge = NULL;
    return false;
}

void ep_merge_binomial_begin(struct ep_merge_binomial *tree, const union ep_cell *cells,
                             size_t count)
{
    struct ep_image image = {.cells = (union ep_cell *)(uintptr_t)cells,
                             .committed = (uint32_t)count};
    tree->has_begun = true;
    if (cells)
        ep_merge_clock_inspect(&tree->clock, cells);
    exchange_clocks(tree);
    if (cells && !tree->is_broken && !add(tree, &image))
        ep_merge_binomial_lose(tree);
}

void ep_merge_binomial_lose(struct ep_merge_binomial *tree)
{
    tree->lost++;
}

/* ---- from one process to the next ---- */

/* Comes before the cells of an image, twice: if one is lost, the other says how many cells have to
 * be received until the sender is done. */
struct letter {
    uint64_t cells;     /* 0: none */
    uint64_t processes; /* in it */
    uint64_t lost;
    uint64_t is_broken; /* then without cells */
};

static struct letter receive_letter(struct ep_merge_binomial *tree, uint32_t from)
{
    struct letter letters[2];
    for (int i = 0; i < 2; i++)
        receive(tree, from, &letters[i], sizeof letters[i]);
    struct letter letter = letters[letters[0].cells == 0];
    tree->is_broken = tree->is_broken || letters[0].is_broken || letters[1].is_broken;
    return letter;
}

/* Images travel in pieces, so that a process without memory for one can receive it all the same. */
enum { PIECE_CELLS = 1024 };

static uint64_t piece_of(uint64_t cells)
{
    return cells < PIECE_CELLS ? cells : PIECE_CELLS;
}

static void send_cells(struct ep_merge_binomial *tree, uint32_t to, const union ep_cell *cells,
                       uint64_t count)
{
    for (uint64_t at = 0, piece; at < count; at += piece) {
        piece = piece_of(count - at);
        send(tree, to, &cells[at], piece * sizeof *cells);
    }
}

/* cells: NULL, they are dropped. */
static void receive_cells(struct ep_merge_binomial *tree, uint32_t from, union ep_cell *cells,
                          uint64_t count)
{
    union ep_cell dropped[PIECE_CELLS];
    for (uint64_t at = 0, piece; at < count; at += piece) {
        piece = piece_of(count - at);
        /* cppcheck-suppress legacyUninitvar; it is written */
        receive(tree, from, cells ? &cells[at] : dropped, piece * sizeof *cells);
    }
}

/* An image from another process is checked as one from a file is. */
static bool add_checked(struct ep_merge_binomial *tree, struct ep_image *image)
{
    int error = 0;
    return !ep_image_check(image, &error) && !error && add(tree, image);
}

static void receive_sum(struct ep_merge_binomial *tree, uint32_t from)
{
    struct letter letter = receive_letter(tree, from);
    struct ep_image image;
    tree->lost += letter.lost;
    if (letter.cells == 0)
        return;
    if (ep_image_allocate(&image, letter.cells) != 0) {
        receive_cells(tree, from, NULL, letter.cells);
        tree->lost += letter.processes;
        return;
    }
    receive_cells(tree, from, image.cells, letter.cells);
    if (tree->is_broken || !add_checked(tree, &image))
        tree->lost += letter.processes;
    ep_image_destroy(&image);
}

static void send_sum(struct ep_merge_binomial *tree, uint32_t to, const struct ep_image *sum)
{
    struct letter letter = {.lost = tree->lost, .is_broken = tree->is_broken};
    if (sum) {
        letter.cells = ep_image_root(sum)->cells_used;
        letter.processes = ep_image_cell(sum, EP_CELL_PROCESSES)->processes.count;
    }
    for (int i = 0; i < 2; i++)
        send(tree, to, &letter, sizeof letter);
    if (sum)
        send_cells(tree, to, sum->cells, letter.cells);
}

/* The sum of this process and all that sent to it. False: there is none. */
static bool take_sum(struct ep_merge_binomial *tree, struct ep_image *sum)
{
    if (!tree->merge)
        return false;
    uint64_t processes = tree->merge->processes.count;
    bool is_taken = ep_merge_take(tree->merge, sum) == 0;
    tree->merge = NULL;
    tree->lost += is_taken ? 0 : processes;
    return is_taken;
}

/* ---- the outcome ---- */

enum { OUTCOME_UNKNOWN, OUTCOME_WHOLE, OUTCOME_BROKEN };

static uint64_t outcome_of_0(struct ep_merge_binomial *tree, bool has_sum)
{
    /* without a sum, and with none lost, no process has an image */
    tree->has_lost_all = !has_sum && tree->lost && !tree->is_broken;
    return tree->is_broken || tree->has_lost_all ? OUTCOME_BROKEN : OUTCOME_WHOLE;
}

/* Comes down the tree from process 0, so that all processes know whether there is a sum. It decides
 * also in a process that failed to send a message which arrived nevertheless. A process that does
 * not receive it assumes that there is no sum, and those above it do so, too. */
static void exchange_outcome(struct ep_merge_binomial *tree, bool has_sum)
{
    const struct ep_merge_post *post = tree->post;
    uint64_t outcome = OUTCOME_UNKNOWN;
    uint32_t distance = 1;
    if (post->process == 0)
        outcome = outcome_of_0(tree, has_sum);
    else
        receive(tree, parent_of(post->process), &outcome, sizeof outcome);
    tree->is_without_outcome = outcome == OUTCOME_UNKNOWN;
    tree->is_broken = outcome != OUTCOME_WHOLE;
    while (has_child(post, distance))
        distance <<= 1;
    for (distance >>= 1; distance; distance >>= 1)
        post->send(post->context, post->process + distance, &outcome, sizeof outcome);
}

bool ep_merge_binomial_finish(struct ep_merge_binomial *tree, struct ep_image *sum)
{
    uint32_t self = tree->post->process;
    for (uint32_t distance = 1; has_child(tree->post, distance); distance <<= 1)
        receive_sum(tree, self + distance);
    bool has_sum = take_sum(tree, sum);
    if (self)
        send_sum(tree, parent_of(self), has_sum && !tree->is_broken ? sum : NULL);
    exchange_outcome(tree, has_sum);
    if (self == 0 && has_sum && !tree->is_broken)
        return true;
    if (has_sum)
        ep_image_destroy(sum);
    return false;
}
