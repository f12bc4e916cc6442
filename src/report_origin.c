#include "report_origin.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "escape_name.h"

enum { COMMAND_LEAST = 16 }; /* columns, however narrow the terminal is */

#define NS_PER_SECOND UINT64_C(1000000000)

typedef struct tm *break_down_function(const time_t *seconds, struct tm *broken_down);

/* What a time_t cannot hold, of 32 bits or of a file gone bad, is not known. */
static struct ep_report_moment moment_of(uint64_t realtime_ns, break_down_function *break_down,
                                         const char *format)
{
    struct ep_report_moment moment = {""};
    time_t seconds = (time_t)(realtime_ns / NS_PER_SECOND);
    struct tm broken_down;
    if (realtime_ns == 0 || (uint64_t)seconds != realtime_ns / NS_PER_SECOND ||
        !break_down(&seconds, &broken_down) ||
        strftime(moment.text, sizeof moment.text, format, &broken_down) == 0)
        moment.text[0] = '\0';
    return moment;
}

struct ep_report_moment ep_report_moment_utc(uint64_t realtime_ns)
{
    return moment_of(realtime_ns, gmtime_r, "%Y-%m-%dT%H:%M:%SZ");
}

/* What stands behind the command: "process 4711, 2026-11-21 17:34:07". */
struct rest {
    char text[96];
};

static struct rest rest_of(const struct eprof_snapshot *snapshot)
{
    struct rest rest;
    struct ep_report_moment moment =
        moment_of(snapshot->realtime_ns, localtime_r, "%Y-%m-%d %H:%M:%S");
    const char *between = *moment.text ? ", " : "";
    if (snapshot->process_id)
        snprintf(rest.text, sizeof rest.text, "process %" PRIu64 "%s%s", snapshot->process_id,
                 between, moment.text);
    else
        snprintf(rest.text, sizeof rest.text, "several runs%s%s%s", between,
                 *moment.text ? "the first " : "", moment.text);
    return rest;
}

void ep_report_origin_write(struct ep_output *out, const struct eprof_snapshot *snapshot,
                            size_t columns, const char *gap)
{
    if (!snapshot->command)
        return;
    struct rest rest = rest_of(snapshot);
    size_t around = strlen("of , ") + strlen(rest.text);
    size_t room = columns > around + COMMAND_LEAST ? columns - around : COMMAND_LEAST;
    ep_output_text(out, "of ");
    if (*snapshot->command && (columns == 0 || ep_escape_name_width(snapshot->command) <= room))
        ep_escape_name(out, snapshot->command);
    else if (*snapshot->command)
        ep_escape_name_cut(out, snapshot->command, room, gap);
    ep_output_print(out, "%s%s\n", *snapshot->command ? ", " : "", rest.text);
}
