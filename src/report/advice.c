#include "report/advice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

/* ---- the regions that cost most ---- */

enum { NAMED = 10, LEAST_PERCENT = 1 };

static bool is_heavy(const struct ep_run *run)
{
    uint64_t time_ns = run->cpu_ns != EPROF_UNKNOWN ? run->cpu_ns : run->wall_ns;
    if (run->overhead_ns == EPROF_UNKNOWN || time_ns == EPROF_UNKNOWN || run->is_stale)
        return false;
    /* more than all in a profile that was not closed: most of it came after the last update */
    return run->overhead_ns / 10 > time_ns / 100 && !(run->is_old && run->overhead_ns >= time_ns);
}

/* The sites that cost most, at most NAMED of one kind. */
struct costliest {
    size_t at[NAMED]; /* of the tops, the costliest first */
    size_t count;
};

static bool is_function(const struct eprof_row *row)
{
    return strcmp(row->kind, "function") == 0;
}

/* A function without a name is shown as module+0x123. */
static bool has_name(const struct eprof_row *row)
{
    return !is_function(row) || !strstr(row->name, "+0x");
}

/* ---- costs ---- */

/* What a site cost in all threads; it may have a top for each. */
struct cost {
    uint64_t overhead_ns;
    size_t top; /* the first one */
    uint32_t site;
};

static int by_site(const void *a, const void *b)
{
    const struct cost *x = a, *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    return (x->top > y->top) - (x->top < y->top);
}

static int costliest_first(const void *a, const void *b)
{
    const struct cost *x = a, *y = b;
    if (x->overhead_ns != y->overhead_ns)
        return x->overhead_ns < y->overhead_ns ? 1 : -1;
    return (x->top > y->top) - (x->top < y->top);
}

/* To be freed; NULL: no memory. */
static struct cost *costs_of_sites(const struct eprof_snapshot *snapshot, size_t *count)
{
    struct cost *costs = malloc((snapshot->top_count + 1) * sizeof *costs);
    *count = 0;
    for (size_t top = 0; costs && top < snapshot->top_count; top++)
        costs[top] =
            (struct cost){snapshot->top_marks[top].overhead_ns, top, snapshot->top_marks[top].site};
    if (!costs || !snapshot->top_count)
        return costs;
    qsort(costs, snapshot->top_count, sizeof *costs, by_site);
    for (size_t i = 1; i < snapshot->top_count; i++) {
        struct cost *last = &costs[*count];
        if (costs[i].site == last->site)
            last->overhead_ns = ep_saturating_add(last->overhead_ns, costs[i].overhead_ns);
        else
            costs[++*count] = costs[i];
    }
    ++*count;
    qsort(costs, *count, sizeof *costs, costliest_first);
    return costs;
}

static struct costliest find_costliest(struct ep_output *out, const struct eprof_snapshot *snapshot,
                                       bool of_functions)
{
    struct costliest found = {.count = 0};
    size_t count;
    struct cost *costs = costs_of_sites(snapshot, &count);
    uint64_t all_ns = 0, found_ns = 0;
    if (!costs)
        ep_output_fail(out, ENOMEM);
    for (size_t i = 0; costs && i < count; i++)
        all_ns = ep_saturating_add(all_ns, costs[i].overhead_ns);
    if (all_ns < snapshot->run.overhead_ns) /* which also has instances and values */
        all_ns = snapshot->run.overhead_ns;
    for (size_t i = 0; costs && i < count && found.count < NAMED; i++) {
        const struct eprof_row *row = &snapshot->tops[costs[i].top];
        if (is_function(row) != of_functions || !has_name(row) ||
            costs[i].overhead_ns <= all_ns / 100 * LEAST_PERCENT)
            continue;
        found.at[found.count++] = costs[i].top;
        found_ns = ep_saturating_add(found_ns, costs[i].overhead_ns);
    }
    if (found_ns < all_ns / 10) /* to leave them out would not help */
        found.count = 0;
    free(costs);
    return found;
}

/* ---- names as patterns ---- */

enum {
    ARGUMENTS_MOST = 12, /* bytes of template arguments that are not replaced by "*" */
    LINE_MOST = 240      /* bytes of all names of a line, unless the first one is longer */
};

/* The end of the template arguments that begin here: after the ">" that belongs to this "<". NULL:
 * there is none. */
static const char *end_of_arguments(const char *at, const char *end)
{
    size_t depth = 0;
    for (; at < end; at++) {
        bool is_arrow = *at == '>' && (at[-1] == '-' || at[-1] == '=');
        depth += *at == '<';
        depth -= *at == '>' && !is_arrow;
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

/* In operator< and operator<< the sign is part of the name. */
static size_t sign_of_operator(const char *at, const char *end)
{
    static const char word[] = "operator";
    size_t bytes = sizeof word - 1;
    if ((size_t)(end - at) < bytes || strncmp(at, word, bytes) != 0)
        return 0;
    while (at + bytes < end && strchr("<>=-", at[bytes]))
        bytes++;
    return bytes;
}

/* Copies a character that the shell, EPROF or a pattern reads otherwise as "?", which matches it.
 */
static char *copy_plain(char *to, const char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        *to++ = strchr("*?[]'\\", at[i]) ? '?' : at[i];
    return to;
}

/* A pattern of EPROF=auto= that matches the name of a function: without parameters, and with "<*>"
 * for long template arguments. In EPROF a comma is escaped. To be freed; NULL: no memory. */
static char *pattern_of(const struct eprof_row *row)
{
    const char *at = row->name, *end = at + ep_rows_bytes_without_parameters(row);
    char *pattern = malloc(2 * (size_t)(end - at) + 1), *to = pattern;
    while (pattern && at < end) {
        size_t sign = sign_of_operator(at, end);
        const char *after = *at == '<' && !sign ? end_of_arguments(at, end) : NULL;
        if (sign) {
            to = copy_plain(to, at, sign);
            at += sign;
        } else if (after && after - at > ARGUMENTS_MOST) {
            to = stpcpy(to, "<*>");
            at = after;
        } else {
            if (*at == ',')
                *to++ = '\\';
            to = copy_plain(to, at++, 1);
        }
    }
    if (pattern)
        *to = '\0';
    return pattern;
}

/* For the compiler's list, where any part of a name matches: gcc writes namespaces without a name
 * and template arguments in another way than symbols, so the last part is taken, with the "::"
 * before it. Empty: a lambda. */
static char *compiler_name_of(const struct eprof_row *row)
{
    const char *end = row->name + ep_rows_bytes_without_parameters(row), *last = row->name;
    for (const char *at = row->name, *after; at < end; at = after) {
        size_t sign = sign_of_operator(at, end);
        after = at + (sign ? sign : 1);
        if (*at == '<' && end_of_arguments(at, end))
            after = end_of_arguments(at, end);
        else if (strncmp(at, "::", 2) == 0)
            last = at;
    }
    if (memmem(row->name, (size_t)(end - row->name), "{lambda", 7))
        return strdup("");
    size_t bytes = (size_t)(end - last), sign = 0;
    for (size_t i = 0; i < bytes && !sign; i++) {
        sign = sign_of_operator(last + i, end);
        if (last[i] == '<')
            bytes = i;
    }
    return strndup(last, bytes);
}

static char *whole_name_of(const struct eprof_row *row)
{
    return strdup(row->name);
}

/* ---- lines ---- */

static bool is_among(char *const *texts, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(texts[i], text) == 0)
            return true;
    return false;
}

/* Writes each text once, as many as fit into a line. */
static void write_names(struct ep_output *out, const struct eprof_snapshot *snapshot,
                        const struct costliest *found, const char *between,
                        char *(*text_of)(const struct eprof_row *row))
{
    char *texts[NAMED];
    size_t count = 0, used = 0;
    for (size_t i = 0; i < found->count; i++) {
        char *text = text_of(&snapshot->tops[found->at[i]]);
        if (!text) {
            ep_output_fail(out, ENOMEM);
            break;
        }
        used += strlen(between) + strlen(text);
        if (!*text || is_among(texts, count, text) || (count && used > LINE_MOST)) {
            used -= strlen(between) + strlen(text);
            free(text);
            continue;
        }
        ep_output_text(out, count ? between : "");
        ep_escape_name(out, text);
        texts[count++] = text;
    }
    while (count > 0)
        free(texts[--count]);
}

/* Without one, as if all are lambdas, the option would have no argument. */
static bool has_compiler_name(const struct eprof_snapshot *snapshot, const struct costliest *found)
{
    bool has = false;
    for (size_t i = 0; i < found->count && !has; i++) {
        char *text = compiler_name_of(&snapshot->tops[found->at[i]]);
        has = text && *text;
        free(text);
    }
    return has;
}

void ep_report_advice_write(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (!is_heavy(&snapshot->run))
        return;
    struct costliest functions = find_costliest(out, snapshot, true);
    struct costliest scopes = find_costliest(out, snapshot, false);
    if (functions.count) {
        ep_output_text(out, "to leave out the functions that cost most by their number of calls, "
                            "run with\n  EPROF='auto=!");
        write_names(out, snapshot, &functions, ",auto=!", pattern_of);
        ep_output_text(out, "'\n");
    }
    if (!snapshot->run.has_entries && has_compiler_name(snapshot, &functions)) {
        ep_output_text(out, "or, if they have hooks (gcc), compile with\n"
                            "  '-finstrument-functions-exclude-function-list=");
        write_names(out, snapshot, &functions, ",", compiler_name_of);
        ep_output_text(out, "'\n");
    }
    if (scopes.count) {
        ep_output_text(out, "the scopes that cost most by their number of calls:\n  ");
        write_names(out, snapshot, &scopes, ", ", whole_name_of);
        ep_output_text(out, "\n");
    }
}
