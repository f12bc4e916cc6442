#include "item_model.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/process_life.h"
#include "require.h"

/* ---- numbers ---- */

/* Only decimal digits, up to 2^64 - 1. */
static bool read_digits(const char *text, size_t count, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t digit = (uint64_t)text[i] - '0';
        if (text[i] < '0' || text[i] > '9' || *number > (UINT64_MAX - digit) / 10)
            return false;
        *number = 10 * *number + digit;
    }
    return count > 0;
}

static bool is_limit(struct item_acts *acts, const char *text)
{
    size_t count = strlen(text);
    uint64_t number, times = 1;
    if (count > 0 && strchr("KMG", text[count - 1])) {
        times = text[count - 1] == 'K' ? 1 << 10 : text[count - 1] == 'M' ? 1 << 20 : 1 << 30;
        count--;
    }
    if (!read_digits(text, count, &number) || number > UINT64_MAX / times || number * times < 65536)
        return false;
    acts->numbers.limit_bytes = number * times;
    return true;
}

static bool is_depth(struct item_acts *acts, const char *text)
{
    uint64_t number;
    if (!read_digits(text, strlen(text), &number) || number < 1 || number > 65535)
        return false;
    acts->numbers.depth = (uint32_t)number;
    return true;
}

/* Up to four decimals; in millionths, so that one percent is 10,000. */
static bool is_percent(const char *text, uint64_t *millionths)
{
    size_t count = strcspn(text, "."), decimals = text[count] ? strlen(text + count + 1) : 0;
    uint64_t whole, part = 0;
    if (!read_digits(text, count, &whole) || whole > 100 || decimals > 4)
        return false;
    if (text[count] && !read_digits(text + count + 1, decimals, &part))
        return false;
    for (; decimals < 4; decimals++)
        part *= 10;
    *millionths = whole * 10000 + part;
    return *millionths >= 1 && *millionths <= 1000000;
}

static bool is_period(const char *text, uint64_t *period)
{
    if (!read_digits(text, strlen(text), period))
        return false;
    for (uint64_t known = 1; known <= 4096; known *= 2)
        if (*period == known)
            return true;
    return false;
}

static bool is_budget(struct item_acts *acts, const char *text)
{
    uint64_t millionths = 0, period = 0;
    bool is_known = strcmp(text, "off") == 0      ? true
                    : strncmp(text, "1/", 2) == 0 ? is_period(text + 2, &period)
                                                  : is_percent(text, &millionths);
    if (!is_known)
        return false;
    acts->numbers.budget_millionths = millionths;
    acts->numbers.period = period;
    return true;
}

/* An item of older versions. */
static bool is_throttle(struct item_acts *acts, const char *text)
{
    (void)acts;
    (void)text;
    return false;
}

/* ---- texts ---- */

static bool done(struct item_acts *acts, const char *name, const char *value)
{
    ep_strings_print(&acts->done, "%s%s", name, value);
    return true;
}

static bool is_pattern(struct item_acts *acts, const char *text)
{
    return strlen(text) > (text[0] == '!') && done(acts, "auto=", text);
}

static bool is_image(struct item_acts *acts, const char *text)
{
    return *text && strcmp(text, "-") != 0 && done(acts, "image=", text);
}

static bool is_source(struct item_acts *acts, const char *text)
{
    require(ep_process_lock() == 0, "the process can be locked");
    const struct ep_source *source = ep_source_find(text);
    ep_process_unlock();
    return source && done(acts, "source=", source->name);
}

static bool is_program(struct item_acts *acts, const char *text)
{
    char directory[PATH_MAX], path[2 * PATH_MAX];
    struct stat status;
    if (!getcwd(directory, sizeof directory))
        return false;
    bool is_relative = text[0] != '/' && strcmp(text, "-") != 0;
    int bytes = snprintf(path, sizeof path, "%s%s%s", is_relative ? directory : "",
                         is_relative ? "/" : "", text);
    return bytes < (int)sizeof path && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
           access(path, X_OK) == 0 && done(acts, "symbolizer=", path);
}

/* ---- formats ---- */

static bool is_word(const char *text, size_t bytes, const char *word)
{
    return strlen(word) == bytes && memcmp(text, word, bytes) == 0;
}

static const char *format_of(const char *text, size_t bytes)
{
    static const char *const formats[] = {"table",  "tree",       "csv",       "json",       "html",
                                          "folded", "speedscope", "callgrind", "openmetrics"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (is_word(text, bytes, formats[i]))
            return formats[i];
    return NULL;
}

/* Whether a list of columns begins here. Returns its bytes, with "columns="; 0: there is none. */
static size_t columns_bytes(const char *at)
{
    static const char *const names[] = {
        "calls",     "timed",        "outermost", "errors",     "open",      "total",
        "%total",    "%parent",      "self",      "self%",      "cpu",       "wait",
        "mean",      "stddev",       "min",       "p50",        "p90",       "p99",
        "p99.9",     "max",          "p999",      "share",      "usec/call", "ticks/call",
        "total_ns",  "total_ticks",  "self_ns",   "self_ticks", "mean_ns",   "mean_ticks",
        "min_ns",    "min_ticks",    "p50_ns",    "p50_ticks",  "p90_ns",    "p90_ticks",
        "p99_ns",    "p99_ticks",    "p999_ns",   "p999_ticks", "max_ns",    "max_ticks",
        "stddev_ns", "stddev_ticks", "cpu_ns",    "cpu_ticks",  "wait_ns",   "wait_ticks"};
    enum { NAMES = sizeof names / sizeof names[0] };
    size_t bytes = strlen("columns=");
    if (strncmp(at, "columns=", bytes) != 0)
        return 0;
    for (;; bytes++) {
        size_t name_bytes = strcspn(at + bytes, "+,:="), name = 0;
        while (name < NAMES && !is_word(at + bytes, name_bytes, names[name]))
            name++;
        if (name == NAMES)
            return 0;
        bytes += name_bytes;
        if (at[bytes] != '+' && at[bytes] != ',')
            return bytes;
    }
}

static bool is_format(struct item_acts *acts, const char *item)
{
    static const char *const options[] = {"threads", "raw", "ticks", "parent", "where", "summary"};
    enum { WHERE = 4, SUMMARY, OPTIONS };
    bool is_asked[OPTIONS] = {false};
    const char *at = item + strcspn(item, ":="), *format = format_of(item, (size_t)(at - item));
    bool has_columns = format && (strcmp(format, "table") == 0 || strcmp(format, "tree") == 0);
    while (*at == ':') {
        size_t bytes = strcspn(++at, ":="), option = 0;
        if (has_columns && columns_bytes(at)) {
            at += columns_bytes(at);
            continue;
        }
        while (option < OPTIONS && !is_word(at, bytes, options[option]))
            option++;
        if (option == OPTIONS || (option == WHERE && !has_columns))
            return false;
        is_asked[option] = true;
        at += bytes;
    }
    if (!format || strcmp(at, "=") == 0 ||
        (is_asked[SUMMARY] && strcmp(format, "openmetrics") != 0))
        return false;
    ep_strings_print(&acts->done, "%s%s%s%s%s%s%s", format, is_asked[0] ? ":threads" : "",
                     is_asked[1] ? ":raw" : "", is_asked[2] ? ":ticks" : "",
                     is_asked[3] ? ":parent" : "", is_asked[SUMMARY] ? ":summary" : "", at);
    return true;
}

/* ---- items ---- */

static bool is_item(struct item_acts *acts, const char *item)
{
    static const struct {
        const char *name;
        bool (*is)(struct item_acts *acts, const char *value);
    } items[] = {{"source=", is_source},     {"limit=", is_limit},       {"image=", is_image},
                 {"auto=", is_pattern},      {"depth=", is_depth},       {"budget=", is_budget},
                 {"throttle=", is_throttle}, {"symbolizer=", is_program}};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
        if (strncmp(item, items[i].name, strlen(items[i].name)) == 0)
            return items[i].is(acts, item + strlen(items[i].name));
    if (strcmp(item, "off") == 0)
        return done(acts, "off", "");
    if (strcmp(item, "quiet") == 0)
        return done(acts, "quiet", "");
    return is_format(acts, item);
}

void item_model_of(struct item_acts *acts, const char *items)
{
    *acts = (struct item_acts){.numbers = ITEM_NUMBERS_NONE};
    char *item = calloc(1, strlen(items) + 1);
    require(item != NULL, "there is memory for an item");
    size_t bytes = 0;
    for (const char *at = items;; at++) {
        bool is_escaped = at[0] == '\\' && (at[1] == ',' || at[1] == '\\');
        if (!is_escaped && (*at == ',' || *at == '\0')) {
            item[bytes] = '\0';
            if (bytes > 0 && !is_item(acts, item))
                ep_strings_add(&acts->refused, item);
            bytes = 0;
        } else {
            item[bytes++] = *(at += is_escaped);
        }
        if (*at == '\0')
            break;
    }
    free(item);
}

/* ---- written ---- */

static void write_item(FILE *out, const char *item)
{
    for (; *item; item++)
        fprintf(out, *item == ',' || *item == '\\' ? "\\%c" : "%c", *item);
    fprintf(out, ",");
}

static void write_budget(FILE *out, uint64_t millionths, uint64_t period)
{
    if (millionths == UINT64_MAX)
        return;
    if (period)
        fprintf(out, "budget=1/%" PRIu64 ",", period);
    else if (millionths)
        fprintf(out, "budget=%" PRIu64 ".%04" PRIu64 ",", millionths / 10000, millionths % 10000);
    else
        fprintf(out, "budget=off,");
}

char *item_model_write(const struct item_acts *acts)
{
    char *items;
    size_t bytes;
    FILE *out = open_memstream(&items, &bytes);
    require(out != NULL, "there is memory for items");
    struct ep_fields_reader reader = ep_strings_read(&acts->done);
    for (const char *item; (item = ep_strings_next(&reader)) != NULL;)
        write_item(out, item);
    if (acts->numbers.limit_bytes)
        fprintf(out, "limit=%" PRIu64 ",", acts->numbers.limit_bytes);
    if (acts->numbers.depth)
        fprintf(out, "depth=%" PRIu32 ",", acts->numbers.depth);
    write_budget(out, acts->numbers.budget_millionths, acts->numbers.period);
    fclose(out);
    return items;
}
