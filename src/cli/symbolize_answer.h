/*
 * symbolize_answer.h - what is known about the functions of a module
 *
 * Fields, each with a NUL behind it, in the order of the questions:
 *     "M" status             "": its file was read; else what is wrong with it
 *     "A" name file line     empty and 0 where it is not known
 *     "S" count, and count times: first end   hexadecimal; `end` is the first address behind
 * and when all modules have been answered, "E".
 */
#ifndef EP_CLI_SYMBOLIZE_ANSWER_H
#define EP_CLI_SYMBOLIZE_ANSWER_H

#include <stdio.h>

#include "symbolize_request.h"

/* Reads the module's file. */
void ep_symbolize_answer(const struct ep_symbolize_request *request, const char *debug_directory,
                         FILE *out);
/* Nothing is known, since this is wrong with the file. */
void ep_symbolize_answer_without(const struct ep_symbolize_request *request, const char *status,
                                 FILE *out);
void ep_symbolize_answer_end(FILE *out);

#endif /* EP_CLI_SYMBOLIZE_ANSWER_H */
