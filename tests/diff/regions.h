/*
 * regions.h - a program of eleven regions, in each other, whose times are for others to spend
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

/* In all 7,400 parts, of which each region has at least 200. */
static const struct region regions[] = {
    {"main", 0, 1, 500},  {"read", 1, 4, 100},  {"parse", 2, 5, 30},    {"token", 3, 4, 20},
    {"check", 3, 2, 20},  {"sort", 1, 2, 100},  {"compare", 2, 20, 25}, {"write", 1, 4, 50},
    {"encode", 2, 5, 20}, {"escape", 3, 3, 15}, {"flush", 2, 1, 200},
};
enum { REGIONS = sizeof regions / sizeof regions[0] };

/* REGIONS: there is none of that name. */
static inline int region_named(const char *name)
{
    int number = 0;
    while (number < REGIONS && strcmp(regions[number].name, name) != 0)
        number++;
    return number;
}

/* All of its calls in one call of the region around it; the first is main's. */
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
