/*
 * command_words.h - reads words as the command line of the program eprof, without ending the
 * program
 *
 * The linker replaces the functions that would end the program, and those that print the reason
 * (--wrap).
 */
#ifndef COMMAND_WORDS_H
#define COMMAND_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COMMAND_WORDS_MOST = 12 };

struct command_words {
    char *text; /* the text of all words */
    char *words[COMMAND_WORDS_MOST + 1], *order[COMMAND_WORDS_MOST + 1];
    int count;
};

/* Splits the bytes at each NUL. There is at least one word, which is the name of the command. */
void command_words_part(struct command_words *words, const uint8_t *data, size_t size);
void command_words_free(struct command_words *words);

/* Calls `read`, which may end the program on an error, with the words. Returns whether they were
 * understood. `read` may change the order of the words in `order`. */
bool command_words_read(struct command_words *words,
                        void (*read)(int count, char **words, void *to), void *to);

#endif /* COMMAND_WORDS_H */
