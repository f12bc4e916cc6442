/*
 * crew.h - the eight threads of a soak: begun, gathered, let go, ended
 */
#ifndef SOAK_CREW_H
#define SOAK_CREW_H

#include "deeds.h"

/* They record by a clock that is moved by hand, from now on. soak: all zero, but for what its
 * workers may do. seed: gives that of the dice of each. Aborts where there is no thread to be had.
 */
void crew_begin(struct soak *soak, uint64_t (*seed)(void));
/* All wait, wherever they are. */
void crew_gather(struct soak *soak);
void crew_let_go(struct soak *soak);
/* While they wait: each ends what it is doing, and lives no more. */
void crew_end(struct soak *soak);

/* The deeds of this kind, of all of them. */
uint64_t crew_deeds(const struct soak *soak, int kind);

#endif /* SOAK_CREW_H */
