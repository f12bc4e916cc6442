/*
 * contexts.h - the contexts from which calls have come, as the instrument reports them
 */
#ifndef FAULTS_CONTEXTS_H
#define FAULTS_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

/* Adds a context. false: it was already there. Ends the program if there is no memory. */
bool contexts_add(uint64_t context);

#endif /* FAULTS_CONTEXTS_H */
