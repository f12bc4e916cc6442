/*
 * fuzz_keys.c - takes bytes as input from a terminal for `eprof top`
 *
 * After any input the view must be valid: its filter has a valid length, and its column and its
 * first line exist. The same keys, given one by one, must have the same result.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/top/top.h"
#include "fuzz_target.h"
#include "require.h"

/* The time of fnmatch() is exponential in the number of asterisks; the user who types them has to
 * wait. */
enum { MOST_ASTERISKS = 4, LINES = 100 };

struct fuzz_counts fuzz_counts;

static bool has_few_asterisks(const char *filter)
{
    size_t count = 0;
    for (; *filter; filter++)
        count += *filter == '*';
    return count <= MOST_ASTERISKS;
}

static void require_view(struct ep_top_view *view)
{
    require(memchr(view->filter, '\0', sizeof view->filter) != NULL, "the filter has an end");
    require(memchr(view->former, '\0', sizeof view->former) != NULL, "and so has the former one");
    require(view->sort < EP_TOP_COLUMNS, "it is sorted by a column");
    for (const char *at = view->filter; *at; at++)
        require((unsigned char)*at >= ' ' && *at != 0x7F, "no control character is typed");
    ep_top_lines_view_fit(view, LINES);
    require(view->first < LINES, "the first line is one that there is");
    if (has_few_asterisks(view->filter)) {
        ep_top_lines_view_has(view, "main");
        require(*view->filter || ep_top_lines_view_has(view, ""), "no filter leaves nothing out");
    }
}

/* A sequence that is not complete would be other keys, if it came in two pieces. */
static bool has_sequence(const uint8_t *data, size_t size)
{
    return size > 0 && memchr(data, 27, size) != NULL;
}

static enum ep_top_wish take_each(struct ep_top_view *view, const char *bytes, size_t count)
{
    enum ep_top_wish wish = EP_TOP_WISH_NOTHING;
    for (size_t i = 0; i < count && wish != EP_TOP_WISH_QUIT; i++) {
        enum ep_top_wish next = ep_top_keys_take(view, bytes + i, 1);
        wish = next == EP_TOP_WISH_NOTHING ? wish : next;
    }
    return wish;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ep_top_view view, other;
    memset(&view, 0, sizeof view); /* with its padding, since it is compared as bytes */
    view.sort = EP_TOP_SELF_RATE;
    view.room = 10;
    memcpy(&other, &view, sizeof view);
    char *bytes = malloc(size + 1); /* separate memory, so that a read after its end is found */
    require(bytes != NULL, "there is memory for keys");
    memcpy(bytes, data, size);
    enum ep_top_wish wish = ep_top_keys_take(&view, bytes, size);
    if (!has_sequence(data, size)) {
        require(take_each(&other, bytes, size) == wish, "keys one by one come to the same");
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): one was copied from the other */
        require(memcmp(&view, &other, sizeof view) == 0, "and the view is the same");
    }
    require_view(&view);
    wish == EP_TOP_WISH_QUIT ? fuzz_counts.refused++ : fuzz_counts.sound++;
    free(bytes);
    return 0;
}
