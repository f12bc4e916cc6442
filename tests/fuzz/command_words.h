/*
 * command_words.h - words as the command line of the program eprof, which does not end by them
 *
 * The linker puts these in the place of what would end it, and of what says why (--wrap).
 */
#ifndef COMMAND_WORDS_H
#define COMMAND_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COMMAND_WORDS_MOST = 12 };

struct command_words {
    char *text; /* all of them */
    char *words[COMMAND_WORDS_MOST + 1], *order[COMMAND_WORDS_MOST + 1];
    int count;
};

/* Parts the bytes at each NUL. The first word is the command's name, and there is one. */
void command_words_part(struct command_words *words, const uint8_t *data, size_t size);
void command_words_free(struct command_words *words);

/* Has them read, as `read` does it, who would end the program. Whether they were understood. They
 * may be put in another order, in `order`. */
bool command_words_read(struct command_words *words,
                        void (*read)(int count, char **words, void *to), void *to);

#endif /* COMMAND_WORDS_H */
