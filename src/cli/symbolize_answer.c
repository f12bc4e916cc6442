#include "symbolize_answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cell.h"
#include "left_out.h"
#include "symbols.h"
#include "utf8.h"

/* What does not fit into an image is of no use. */
static void write_text(const char *text, FILE *out)
{
    if (text)
        fwrite(text, 1, ep_utf8_cut(text, strlen(text), EP_LABEL_BYTES), out);
    putc('\0', out);
}

static void write_function(struct ep_symbols *symbols, uint64_t address, FILE *out)
{
    struct ep_symbol symbol = ep_symbols_find(symbols, address);
    char *name = ep_symbol_name(&symbol);
    write_text("A", out);
    write_text(name, out);
    write_text(symbol.file, out);
    fprintf(out, "%d%c", symbol.line, '\0');
    free(name);
}

static void write_left_out(struct ep_symbols *symbols, const struct ep_function_patterns *patterns,
                           FILE *out)
{
    struct ep_left_out left_out;
    if (ep_left_out_find(&left_out, symbols, patterns) != 0)
        left_out = (struct ep_left_out){.count = 0};
    fprintf(out, "S%c%zu%c", '\0', left_out.count, '\0');
    for (size_t i = 0; i < left_out.count; i++)
        fprintf(out, "%" PRIx64 "%c%" PRIx64 "%c", left_out.stretches[i].begin, '\0',
                left_out.stretches[i].end, '\0');
    ep_left_out_free(&left_out);
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

void ep_symbolize_answer(const struct ep_symbolize_request *request, const char *debug_directory,
                         FILE *out)
{
    struct ep_symbols symbols;
    const struct ep_symbol_source source = {.path = request->path,
                                            .build_id = request->build_id,
                                            .modified_ns = request->modified_ns,
                                            .debug_directory = debug_directory};
    const char *why;
    if (ep_symbols_open(&symbols, &source, &why) != 0) {
        ep_symbolize_answer_without(request, why, out);
        return;
    }
    write_text("M", out);
    write_text("", out);
    for (size_t i = 0; i < request->question_count; i++)
        write_answer(&symbols, request, &request->questions[i], out);
    ep_symbols_close(&symbols);
}

void ep_symbolize_answer_without(const struct ep_symbolize_request *request, const char *status,
                                 FILE *out)
{
    write_text("M", out);
    write_text(status, out);
    for (size_t i = 0; i < request->question_count; i++)
        if (request->questions[i].kind == 'A')
            fprintf(out, "A%c%c%c0%c", '\0', '\0', '\0', '\0');
        else
            fprintf(out, "S%c0%c", '\0', '\0');
}

void ep_symbolize_answer_end(FILE *out)
{
    write_text("E", out);
}
