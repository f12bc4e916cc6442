#include "symbolize_request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

/* A field that ends without its NUL was cut off. */
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

/* NULL: cut off, or no memory. */
static char *read_text(struct ep_symbolize_request *request)
{
    if (!read_field(request))
        return NULL;
    return ep_arena_text(&request->texts, request->field, strlen(request->field));
}

static bool read_module(struct ep_symbolize_request *request)
{
    request->question_count = 0;
    request->path = read_text(request);
    request->build_id = request->path ? read_text(request) : NULL;
    return request->build_id && read_number(request, 10, &request->modified_ns);
}

static bool read_pattern(struct ep_symbolize_request *request)
{
    void *grown = ep_array_room(request->patterns, request->pattern_count, &request->pattern_room,
                                sizeof *request->patterns);
    if (!grown)
        return false;
    request->patterns = grown;
    char *pattern = read_text(request);
    request->patterns[request->pattern_count] = pattern;
    request->pattern_count += pattern != NULL;
    return pattern != NULL;
}

static bool add_question(struct ep_symbolize_request *request, char kind)
{
    struct ep_symbolize_question question = {.kind = kind};
    if (kind == 'A' && !read_number(request, 16, &question.address))
        return false;
    if (kind == 'S')
        question.patterns = request->pattern_count;
    void *grown = ep_array_room(request->questions, request->question_count,
                                &request->question_room, sizeof *request->questions);
    if (!grown)
        return false;
    request->questions = grown;
    request->questions[request->question_count++] = question;
    return true;
}

static bool is_next(const struct ep_symbolize_request *request, const char *letter)
{
    return request->field && strcmp(request->field, letter) == 0;
}

static bool read_patterns(struct ep_symbolize_request *request)
{
    while (is_next(request, "P")) {
        if (!read_pattern(request))
            return false;
        read_field(request);
    }
    return true;
}

static bool read_questions(struct ep_symbolize_request *request)
{
    while (is_next(request, "A") || is_next(request, "S")) {
        if (!add_question(request, request->field[0]))
            return false;
        read_field(request);
        if (!read_patterns(request))
            return false;
    }
    return true;
}

int ep_symbolize_request_next(struct ep_symbolize_request *request)
{
    if (!read_patterns(request))
        return -1;
    if (!request->field)
        return request->is_cut_off ? -1 : 0;
    if (!is_next(request, "M") || !read_module(request))
        return -1;
    read_field(request);
    return read_patterns(request) && read_questions(request) ? 1 : -1;
}

void ep_symbolize_request_close(struct ep_symbolize_request *request)
{
    free(request->field);
    free(request->patterns);
    free(request->questions);
    ep_arena_free(&request->texts);
}
