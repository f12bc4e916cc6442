#include "progress.h"

#include <stdio.h>
#include <unistd.h>

enum { HUNDREDTHS = 100, BAR_COLUMNS = 25 };

/* Back to the beginning of the line, which is cleared (ECMA-48: EL). */
#define BEGIN_LINE "\r\033[K"

struct ep_progress ep_progress_begin(const char *what, size_t steps)
{
    return (struct ep_progress){
        .what = what, .steps = steps, .is_seen = steps > 1 && isatty(STDERR_FILENO)};
}

static void draw(const struct ep_progress *progress)
{
    char bar[BAR_COLUMNS + 1];
    unsigned filled = progress->shown * BAR_COLUMNS / HUNDREDTHS;
    for (unsigned i = 0; i < BAR_COLUMNS; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR_COLUMNS] = '\0';
    fprintf(stderr, BEGIN_LINE "%s [%s] %zu of %zu", progress->what, bar, progress->done,
            progress->steps);
}

/* No oftener than it looks different. */
void ep_progress_step(struct ep_progress *progress)
{
    unsigned reached = (unsigned)(++progress->done * HUNDREDTHS / progress->steps);
    if (!progress->is_seen || reached == progress->shown)
        return;
    progress->shown = reached;
    draw(progress);
}

void ep_progress_end(struct ep_progress *progress)
{
    if (progress->is_seen && progress->shown > 0)
        fputs(BEGIN_LINE, stderr);
}
