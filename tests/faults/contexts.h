/*
 * contexts.h - the contexts that calls have come from, in the instrument's words
 */
#ifndef FAULTS_CONTEXTS_H
#define FAULTS_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

/* false: it is there already. Ends the program if there is no memory. */
bool contexts_add(uint64_t context);

#endif /* FAULTS_CONTEXTS_H */
