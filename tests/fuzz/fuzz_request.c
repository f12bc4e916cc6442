/*
 * fuzz_request.c - takes bytes as a request to `eprof symbolize`
 *
 * The bytes are read from a stream. The understood part is written again as a program would write
 * it, and must be understood in the same way. The answer to each request must have as many parts as
 * there are questions.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strings.h"
#include "cli/symbols/symbols.h"
#include "fuzz_target.h"
#include "image/names.h"
#include "require.h"

struct fuzz_counts fuzz_counts;

/* ---- answers ---- */

/* The file of the module cannot be read: for each question the answer is unknown. */
static void read_answer(struct ep_fields_reader *answer, const struct ep_symbolize_request *request)
{
    require(ep_strings_next_is(answer, "M") && ep_strings_next_is(answer, "lost"),
            "an answer begins with what is wrong");
    for (size_t i = 0; i < request->question_count; i++) {
        const char letter[2] = {request->questions[i].kind, '\0'};
        require(ep_strings_next_is(answer, letter), "a question has its answer");
        if (*letter == 'A') {
            require(ep_strings_next_is(answer, ""), "no name is known");
            require(ep_strings_next_is(answer, ""), "and no file");
        }
        require(ep_strings_next_is(answer, "0"), "and no line, or stretch");
    }
    require(ep_strings_next(answer) == NULL, "there is nothing behind the last answer");
}

static void answer(const struct ep_symbolize_request *request)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    require(out != NULL, "there is memory for an answer");
    fwrite("M", 1, sizeof "M", out);
    ep_symbolize_answer_without(request, "lost", out);
    fclose(out);
    struct ep_fields_reader reader = {text, text + bytes};
    read_answer(&reader, request);
    free(text);
}

/* ---- requests ---- */

/* Adds a request as programs write it. The text already contains `*patterns` of its patterns. */
static void write_module(struct ep_fields *fields, const struct ep_symbolize_request *request,
                         size_t *patterns)
{
    ep_image_names_request_module(fields, request->path, request->build_id, request->modified_ns);
    for (size_t i = 0; i < request->question_count; i++) {
        const struct ep_symbolize_question *question = &request->questions[i];
        for (; *patterns < question->patterns; ++*patterns) {
            ep_strings_add(fields, "P");
            ep_strings_add(fields, request->patterns[*patterns]);
        }
        ep_strings_print(fields, "%c", question->kind);
        if (question->kind == 'A')
            ep_strings_print(fields, "%" PRIx64, question->address);
    }
}

/* The content of a text: how it ended, and the parts that were read. */
static int understand(const char *bytes, size_t count, struct ep_fields *fields)
{
    struct ep_symbolize_request request;
    size_t patterns = 0;
    int more;
    FILE *in = fmemopen((char *)(uintptr_t)bytes, count, "r");
    require(in != NULL, "bytes can be read");
    ep_symbolize_request_open(&request, in);
    while ((more = ep_symbolize_request_next(&request)) > 0) {
        answer(&request);
        write_module(fields, &request, &patterns);
    }
    ep_symbolize_request_close(&request);
    fclose(in);
    require(!fields->is_incomplete, "there is memory for a request");
    return more;
}

static void understand_again(const struct ep_fields *fields)
{
    struct ep_fields again = {.bytes = NULL};
    require(understand(fields->bytes, fields->count, &again) == 0, "what is written is a request");
    require(again.count == fields->count && memcmp(again.bytes, fields->bytes, again.count) == 0,
            "it says the same");
    ep_strings_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ep_fields fields = {.bytes = NULL};
    if (size == 0) /* for which fmemopen() does not make a stream */
        return 0;
    understand((const char *)data, size, &fields) == 0 ? fuzz_counts.sound++
                                                       : fuzz_counts.refused++;
    if (fields.count > 0)
        understand_again(&fields);
    ep_strings_free(&fields);
    return 0;
}
