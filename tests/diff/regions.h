/*
 * regions.h - a program of eleven nested regions; the caller gives the function that spends their
 * time
 */
#ifndef REGIONS_H
#define REGIONS_H

#include <eprof.h>
#include <string.h>

struct region {
    const char *name;
    int level, calls; /* in each call of the region around it */
    unsigned own;     /* parts of time in a call, without the regions inside */
};

/* 7,400 parts in total; each region has at least 200 of them. */
static const struct region regions[] = {
    {"main", 0, 1, 500},  {"read", 1, 4, 100},  {"parse", 2, 5, 30},    {"token", 3, 4, 20},
    {"check", 3, 2, 20},  {"sort", 1, 2, 100},  {"compare", 2, 20, 25}, {"write", 1, 4, 50},
    {"encode", 2, 5, 20}, {"escape", 3, 3, 15}, {"flush", 2, 1, 200},
};
enum { REGIONS = sizeof regions / sizeof regions[0] };

/* Returns REGIONS if no region has that name. */
static inline int region_named(const char *name)
{
    int number = 0;
    while (number < REGIONS && strcmp(regions[number].name, name) != 0)
        number++;
    return number;
}

/* Makes all calls of a region for one call of the region around it; the first region is main. */
static inline void region_call(int number, void (*spend)(int region))
{
    for (int call = 0; call < regions[number].calls; call++) {
        eprof_enter(regions[number].name);
        spend(number);
        for (int inner = number + 1; inner < REGIONS; inner++) {
            if (regions[inner].level <= regions[number].level)
                break;
            if (regions[inner].level == regions[number].level + 1)
                region_call(inner, spend);
        }
        eprof_leave();
    }
}

#endif /* REGIONS_H */
