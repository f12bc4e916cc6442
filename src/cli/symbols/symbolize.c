#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/symbols/symbols.h"
#include "cli/usage.h"
#include "image/layout.h"

/* ---- the request ---- */

/* A field without a final NUL was cut off. */
static bool read_field(struct ep_symbolize_request *request)
{
    ssize_t length = getdelim(&request->field, &request->field_room, '\0', request->stream);
    if (length > 0 && request->field[length - 1] == '\0')
        return true;
    request->is_cut_off = length > 0 || !feof(request->stream);
    free(request->field);
    request->field = NULL;
    request->field_room = 0;
    return false;
}

void ep_symbolize_request_open(struct ep_symbolize_request *request, FILE *stream)
{
    *request = (struct ep_symbolize_request){.stream = stream};
    read_field(request);
}

static bool read_number(struct ep_symbolize_request *request, int base, uint64_t *number)
{
    char *end;
    if (!read_field(request))
        return false;
    errno = 0;
    *number = strtoull(request->field, &end, base);
    return end != request->field && !*end && !errno;
}

/* NULL if the field is cut off, or there is no memory. */
static char *read_text(struct ep_symbolize_request *request)
{
    if (!read_field(request))
        return NULL;
    return ep_memory_text(&request->texts, request->field, strlen(request->field));
}

static bool read_module(struct ep_symbolize_request *request)
{
    request->question_count = 0;
    request->path = read_text(request);
    request->build_id = request->path ? read_text(request) : NULL;
    return request->build_id && read_number(request, 10, &request->modified_ns);
}

static bool add_pattern(struct ep_symbolize_request *request)
{
    char **grown = ep_memory_room(request->patterns, request->pattern_count, &request->pattern_room,
                                  sizeof *grown);
    if (!grown)
        return false;
    request->patterns = grown;
    grown[request->pattern_count] = read_text(request);
    return grown[request->pattern_count] && ++request->pattern_count;
}

static bool add_question(struct ep_symbolize_request *request, char kind)
{
    struct ep_symbolize_question question = {.kind = kind}, *grown;
    if (kind == 'A' && !read_number(request, 16, &question.address))
        return false;
    if (kind == 'S')
        question.patterns = request->pattern_count;
    grown = ep_memory_room(request->questions, request->question_count, &request->question_room,
                           sizeof *grown);
    if (!grown)
        return false;
    request->questions = grown;
    request->questions[request->question_count++] = question;
    return true;
}

/* Reads all fields that begin with one of the letters. */
static bool read_all(struct ep_symbolize_request *request, const char *letters)
{
    while (request->field && strlen(request->field) == 1 && strchr(letters, *request->field)) {
        char kind = *request->field;
        if (!(kind == 'P' ? add_pattern(request) : add_question(request, kind)))
            return false;
        read_field(request);
    }
    return true;
}

int ep_symbolize_request_next(struct ep_symbolize_request *request)
{
    if (!read_all(request, "P"))
        return -1;
    if (!request->field)
        return request->is_cut_off ? -1 : 0;
    if (strcmp(request->field, "M") != 0 || !read_module(request))
        return -1;
    read_field(request);
    return read_all(request, "PAS") ? 1 : -1;
}

void ep_symbolize_request_close(struct ep_symbolize_request *request)
{
    free(request->field);
    free(request->patterns);
    free(request->questions);
    ep_memory_free(&request->texts);
}

/* ---- the answer ---- */

/* A text is cut to the length that fits into an image. */
static void write_text(const char *text, FILE *out)
{
    if (text)
        fwrite(text, 1, ep_utf8_cut(text, strlen(text), EP_LABEL_BYTES), out);
    putc('\0', out);
}

static void write_function(struct ep_symbols *symbols, uint64_t address, FILE *out)
{
    struct ep_symbol symbol = ep_symbols_find(symbols, address);
    char *name = ep_symbols_symbol_name(&symbol);
    write_text("A", out);
    write_text(name, out);
    write_text(symbol.file, out);
    fprintf(out, "%d%c", symbol.line, '\0');
    free(name);
}

static void write_left_out(struct ep_symbols *symbols, const struct ep_function_patterns *patterns,
                           FILE *out)
{
    struct ep_ranges left_out;
    if (ep_patterns_left_out_find(&left_out, symbols, patterns) != 0)
        left_out = (struct ep_ranges){.count = 0};
    fprintf(out, "S%c%zu%c", '\0', left_out.count, '\0');
    for (size_t i = 0; i < left_out.count; i++)
        fprintf(out, "%" PRIx64 "%c%" PRIx64 "%c", left_out.at[i].begin, '\0', left_out.at[i].end,
                '\0');
    ep_debug_ranges_free(&left_out);
}

static void write_answer(struct ep_symbols *symbols, const struct ep_symbolize_request *request,
                         const struct ep_symbolize_question *question, FILE *out)
{
    const struct ep_function_patterns patterns = {.patterns = request->patterns,
                                                  .count = question->patterns};
    if (question->kind == 'A')
        write_function(symbols, question->address, out);
    else
        write_left_out(symbols, &patterns, out);
}

void ep_symbolize_answer_without(const struct ep_symbolize_request *request, const char *status,
                                 FILE *out)
{
    write_text(status, out);
    for (size_t i = 0; i < request->question_count; i++)
        if (request->questions[i].kind == 'A')
            fprintf(out, "A%c%c%c0%c", '\0', '\0', '\0', '\0');
        else
            fprintf(out, "S%c0%c", '\0', '\0');
}

/* Reads the module's file, which may end this process. Before that the output is flushed, with the
 * "M" that says which module it was. */
static void answer(const struct ep_symbolize_request *request, const char *debug_directory,
                   FILE *out)
{
    struct ep_symbols symbols;
    const struct ep_symbol_source source = {.path = request->path,
                                            .build_id = request->build_id,
                                            .modified_ns = request->modified_ns,
                                            .debug_directory = debug_directory};
    const char *why;
    write_text("M", out);
    fflush(out);
    if (ep_symbols_open(&symbols, &source, &why) != 0) {
        ep_symbolize_answer_without(request, why, out);
        return;
    }
    write_text("", out);
    for (size_t i = 0; i < request->question_count; i++)
        write_answer(&symbols, request, &request->questions[i], out);
    ep_symbols_close(&symbols);
}

/* ---- the command line ---- */

static const struct ep_option options[] = {
    {"debug-directory", 0, "DIR", "look here for what was stripped", 0, ep_usage_text},
    {0},
};

static const struct ep_command_line line = {
    .options = options,
    .doc = "Tells programs what their functions are called; not for people.",
};

/* ---- limits: a program waits for the answer, and the files may be hostile ---- */

#if EP_HAS_FEATURE(address_sanitizer) || EP_HAS_FEATURE(thread_sanitizer) ||                       \
    defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define HAS_SANITIZER 1
#else
#define HAS_SANITIZER 0
#endif

enum {
    PROCESSOR_SECONDS = 10,
    WALL_SECONDS = 15 /* the process may wait for a pipe in place of a file */
};
/* Debug information is mapped as a whole; that of a browser takes 2 GiB. */
#define ADDRESS_BYTES (UINT64_C(4) << 30)

/* Never raises a limit: the process may have been started with a lower one. */
static void limit(int resource, uint64_t most)
{
    struct rlimit limits;
    if (getrlimit(resource, &limits) != 0)
        return;
    rlim_t wanted = most < RLIM_INFINITY ? (rlim_t)most : RLIM_INFINITY;
    if (wanted < limits.rlim_max)
        limits.rlim_max = wanted;
    if (wanted < limits.rlim_cur)
        limits.rlim_cur = wanted;
    setrlimit(resource, &limits);
}

static void limit_self(void)
{
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, PROCESSOR_SECONDS);
    if (!HAS_SANITIZER) /* a sanitizer reserves terabytes */
        limit(RLIMIT_AS, ADDRESS_BYTES);
    signal(SIGALRM, SIG_DFL);
    alarm(WALL_SECONDS);
}

int ep_symbolize_command(int argc, char **argv)
{
    struct ep_symbolize_request request;
    const char *debug_directory = NULL;
    ep_usage_parse(&line, argc, argv, &debug_directory);
    limit_self();
    unsetenv("DEBUGINFOD_URLS"); /* nothing about the program's files may go over the network */
    ep_symbolize_request_open(&request, stdin);
    int more;
    while ((more = ep_symbolize_request_next(&request)) > 0)
        answer(&request, debug_directory, stdout);
    ep_symbolize_request_close(&request);
    if (more == 0)
        write_text("E", stdout);
    else
        ep_complain(NULL, "symbolize: this is no request that this version knows");
    return more == 0 ? EP_STATUS_DONE : EP_STATUS_FAILED;
}
