/*
 * symbolize_request.h - what a program asks about the functions of its modules
 *
 * Fields, each with a NUL behind it:
 *     "M" path build-id modified_ns   a module; build-id in hexadecimal or empty
 *     "A" address                     a function of it, hexadecimal, as its file has it
 *     "P" pattern                     of auto=; "!x" excludes. For all "S" that follow
 *     "S"                             which of its functions the patterns leave out
 */
#ifndef EP_CLI_SYMBOLIZE_REQUEST_H
#define EP_CLI_SYMBOLIZE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "arena.h"

struct ep_symbolize_question {
    uint64_t address; /* of "A" */
    size_t patterns;  /* of "S": so many of them; of "A" 0 */
    char kind;        /* 'A', 'S' */
};

struct ep_symbolize_request {
    FILE *stream;
    char *field; /* the one that was read last; its letter begins what comes next */
    size_t field_room;
    bool is_cut_off;
    char **patterns; /* all that were read so far */
    size_t pattern_count, pattern_room;
    struct ep_arena texts;
    /* the module, and what is asked of it */
    char *path, *build_id;
    uint64_t modified_ns;
    struct ep_symbolize_question *questions;
    size_t question_count, question_room;
};

void ep_symbolize_request_open(struct ep_symbolize_request *request, FILE *stream);
/* The next module with all its questions: 1; 0: there is none any more; -1: what was read is no
 * request, or there is no memory. */
int ep_symbolize_request_next(struct ep_symbolize_request *request);
void ep_symbolize_request_close(struct ep_symbolize_request *request);

#endif /* EP_CLI_SYMBOLIZE_REQUEST_H */
