/*
 * crew.h - begins, gathers, releases and ends the eight threads of a soak
 */
#ifndef SOAK_CREW_H
#define SOAK_CREW_H

#include "deeds.h"

/* From now on the threads record on the clock that is moved by hand. soak: all zero, except for the
 * rules for its workers. seed: gives the seed for the dice of each thread. Aborts if a thread
 * cannot be created. */
void crew_begin(struct soak *soak, uint64_t (*seed)(void));
/* All threads wait, each at any point of its work. */
void crew_gather(struct soak *soak);
void crew_let_go(struct soak *soak);
/* To be called while they wait: each thread completes its current deed, and ends. */
void crew_end(struct soak *soak);

/* The number of deeds of this kind, by all threads. */
uint64_t crew_deeds(const struct soak *soak, int kind);

#endif /* SOAK_CREW_H */
