#include "judge.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ledger.h"

/* The data by which a run is judged. */
struct matter {
    const struct trial *trial, *plain;
    const struct ledger *ledger, *plain_ledger;
    const struct trial_places *places;
    const struct subject *subject;
    bool is_host;
};

static char verdict[512];

__attribute__((format(printf, 1, 2))) static const char *wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(verdict, sizeof verdict, format, arguments);
    va_end(arguments);
    return verdict;
}

static bool is_equal(const struct trial_text *a, const struct trial_text *b)
{
    return a && b && a->count == b->count && memcmp(a->bytes, b->bytes, a->count) == 0;
}

static bool begins(const struct trial_text *text, const char *with)
{
    return text->count >= strlen(with) && memcmp(text->bytes, with, strlen(with)) == 0;
}

static bool ends(const struct trial_text *text, const char *with)
{
    size_t bytes = strlen(with);
    return text->count >= bytes && memcmp(text->bytes + text->count - bytes, with, bytes) == 0;
}

static bool may(const struct matter *matter, unsigned promise)
{
    return matter->subject->promises & promise;
}

/* The output of the command must be the same each time, unless the command prints the reason. */
static bool is_comparable(const struct matter *matter)
{
    bool is_explained =
        may(matter, SUBJECT_LACKS) && !is_equal(&matter->trial->err, &matter->plain->err);
    return !matter->is_host && !may(matter, SUBJECT_VARIES) && !is_explained;
}

static bool is_done(const struct matter *matter)
{
    return matter->trial->status == matter->plain->status;
}

/* ---- the end of the run ---- */

static const char *judge_end(const struct matter *matter)
{
    const struct trial *trial = matter->trial;
    int status = trial->status;
    if (trial->hung)
        return wrong("it did not end");
    if (status < 0)
        return wrong("it was ended by signal %d", -status);
    const char *sanitizer = strstr(trial->err.bytes, "Sanitizer: ");
    if (!sanitizer)
        sanitizer = strstr(trial->err.bytes, "runtime error: ");
    if (sanitizer)
        return wrong("%.500s", sanitizer);
    /* a program must not be affected; the command ends as without faults, or fails */
    bool is_run = strncmp(matter->subject->words, "eprof run", strlen("eprof run")) == 0;
    bool has_failed = status == 1 || (is_run && (status == 126 || status == 127));
    if (is_done(matter) || (!matter->is_host && matter->ledger->harmful && has_failed))
        return NULL;
    return wrong("it ended with %d", status);
}

/* ---- complaints of the program itself ---- */

static const char *judge_host(const struct matter *matter)
{
    const struct ledger *ledger = matter->ledger, *plain = matter->plain_ledger;
    if (ledger->complaint[0])
        return ledger->complaint;
    if (!matter->is_host)
        return NULL;
    if (!ledger->is_through)
        return wrong("it did not come to its end");
    int kept = (int)ledger->failed_of[CALL_munmap];
    if (ledger->mappings > plain->mappings + kept)
        return wrong("%d mappings in the end, not %d", ledger->mappings, plain->mappings);
    if (ledger->descriptors > plain->descriptors)
        return wrong("%d descriptors more in the end, not %d", ledger->descriptors,
                     plain->descriptors);
    return NULL;
}

/* ---- output ---- */

static const char *judge_stdout(const struct matter *matter)
{
    const struct trial_text *out = &matter->trial->out, *plain = &matter->plain->out;
    if (matter->is_host && may(matter, SUBJECT_PRINTS))
        return begins(out, "print begins\n") && ends(out, "\nprint ends\n") ? NULL
                                                                            : "its lines on stdout";
    bool is_same = matter->is_host || (is_comparable(matter) && is_done(matter));
    if (is_same && !is_equal(out, plain))
        return wrong("status %d, and on stdout: %.200s; on stderr: %.200s", matter->trial->status,
                     out->bytes, matter->trial->err.bytes);
    return NULL;
}

/* Each line must be a message of the library, or of the command, about something that failed. */
static bool only_complains(const char *text)
{
    for (const char *line = text; *line;) {
        if (strncmp(line, "eprof: ", 7) != 0)
            return false;
        const char *next = strchr(line, '\n');
        if (!next)
            return false;
        line = next + 1;
    }
    return true;
}

static const char *judge_stderr(const struct matter *matter)
{
    const char *err = matter->trial->err.bytes;
    if (matter->ledger->is_stderr_cut)
        return NULL;
    if (!matter->is_host && matter->trial->status == 1 && matter->plain->status != 1 && !*err)
        return "it failed, and did not say why";
    if (may(matter, SUBJECT_SAYS_TREE) || is_equal(&matter->trial->err, &matter->plain->err))
        return NULL;
    if (!may(matter, SUBJECT_COMPLAINS) && *err)
        return wrong("on stderr: %.200s", err);
    return only_complains(err) ? NULL : wrong("on stderr: %.200s", err);
}

/* ---- files ---- */

/* Whether a reader of the format accepts the file as complete. */
static bool is_whole(const struct matter *matter, const char *name, const struct trial_text *text)
{
    if (begins(text, "{"))
        return ends(text, "}\n");
    if (begins(text, "<!DOCTYPE"))
        return ends(text, "</html>\n");
    if (begins(text, "kind,"))
        return ends(text, "\n");
    return trial_is_profile(matter->places, name);
}

static bool is_old(const struct trial_text *text)
{
    return strcmp(text->bytes, "old\n") == 0;
}

/* Whether the library could print a message: a single fault does not prevent this, nor does a lack
 * of memory after the library has begun. */
static bool can_say(const struct matter *matter)
{
    const struct ledger *ledger = matter->ledger;
    bool is_of_memory = ledger->failed && call_kind(ledger->first_call) == CALL_MEMORY;
    return !ledger->is_stderr_cut && ledger->is_set_up &&
           (ledger->mode == LEDGER_ONCE || is_of_memory);
}

/* The files that the environment requests must be written, or a message must say that they are
 * not. */
static const char *judge_items(const struct matter *matter)
{
    static const char *const names[] = {"out", "new"};
    bool is_said = strstr(matter->trial->err.bytes, "eprof: ");
    if (!matter->is_host || !matter->subject->items || is_said || !can_say(matter))
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct trial_text *plain = trial_file(matter->plain, names[i]);
        const struct trial_text *text = trial_file(matter->trial, names[i]);
        if (plain && !is_old(plain) && (!text || is_old(text)))
            return wrong("%s was not written, and nothing says so", names[i]);
    }
    return NULL;
}

/* A successful run must have written its files; after a failure, the old file must be there. */
static const char *judge_made(const struct matter *matter, const char *name,
                              const struct trial_text *text)
{
    const struct trial_text *plain = trial_file(matter->plain, name);
    if (is_comparable(matter) && is_equal(text, plain))
        return NULL;
    if (is_comparable(matter) && is_done(matter))
        return wrong("%s is not what it should be, and the status is %d", name,
                     matter->trial->status);
    if (is_old(text) || is_whole(matter, name, text))
        return NULL;
    return wrong("%s is neither the old one nor whole, of %zu bytes", name, text->count);
}

static const char *judge_files(const struct matter *matter)
{
    const struct trial *trial = matter->trial, *plain = matter->plain;
    if (!trial_file(trial, "out"))
        return "the old file is gone";
    if (is_done(matter) && is_comparable(matter))
        for (size_t i = 0; i < plain->file_count; i++)
            if (!trial_file(trial, plain->files[i].name))
                return wrong("there is no %s", plain->files[i].name);
    for (size_t i = 0; i < trial->file_count; i++) {
        const char *name = trial->files[i].name, *why;
        if (fnmatch("eprof-*.tmp", name, 0) == 0) {
            if (!matter->ledger->failed_of[CALL_unlink])
                return wrong("%s was left", name);
        } else if ((why = judge_made(matter, name, &trial->files[i].text)) != NULL) {
            return why;
        }
    }
    return NULL;
}

const char *judge(const struct trial *trial, const struct trial *plain,
                  const struct ledger *plain_ledger, const struct trial_places *places,
                  const struct subject *subject)
{
    static const char *(*const judges[])(const struct matter *) = {
        judge_end, judge_host, judge_stdout, judge_stderr, judge_items, judge_files};
    const struct matter matter = {.trial = trial,
                                  .plain = plain,
                                  .ledger = places->ledger,
                                  .plain_ledger = plain_ledger,
                                  .places = places,
                                  .subject = subject,
                                  .is_host = strncmp(subject->words, "host ", 5) == 0};
    const char *why = NULL;
    for (size_t i = 0; i < sizeof judges / sizeof judges[0] && !why; i++)
        why = judges[i](&matter);
    return why;
}
