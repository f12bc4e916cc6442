/*
 * text_output.h - what is written to an output becomes a text in memory
 */
#ifndef EP_TEXT_OUTPUT_H
#define EP_TEXT_OUTPUT_H

#include "output.h"

struct ep_text_output {
    struct ep_output out; /* write here */
    FILE *stream;
    char *text;
    size_t bytes;
};

/* 0, or -1 and errno. */
int ep_text_output_open(struct ep_text_output *output);
/* The text, to be freed. NULL and errno. */
char *ep_text_output_close(struct ep_text_output *output);

#endif /* EP_TEXT_OUTPUT_H */
