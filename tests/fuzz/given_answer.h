/*
 * given_answer.h - bytes as what the program answers that knows what functions are called
 *
 * The linker puts this in the place of what starts that program (--wrap).
 */
#ifndef GIVEN_ANSWER_H
#define GIVEN_ANSWER_H

#include <stddef.h>

/* Whoever asks from now on is answered with these bytes, which are not copied. */
void given_answer_set(const void *bytes, size_t count);

#endif /* GIVEN_ANSWER_H */
