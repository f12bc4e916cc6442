/*
 * compared.c - makes the profiles for tests of comparisons
 *
 *     compared FILE before|after RUN
 *
 * It simulates a small server before and after a change: some regions are slower or faster, one is
 * new, one is gone. The clock is moved by hand, and one tick is one nanosecond. RUN is a number
 * from 0 on; the times of each region differ a little from run to run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hand_clock.h"

enum { SIDES = 2, THOUSAND = 1000 };

static struct side {
    size_t number; /* 0: before */
    uint64_t run;
} side;

struct region {
    int depth;
    const char *label;
    uint64_t calls, each_us[SIDES]; /* self time; 0: the region does not exist */
};

static const struct region regions[] = {
    {0, "main", 1, {2000, 2000}},
    {1, "serve", 1, {31000, 31000}},
    {2, "handle_request", 200, {200, 200}},
    {3, "render", 199, {1055, 1610}}, /* the cause of the change */
    {4, "escape", 5174, {17, 17}},
    {4, "compress", 410, {0, 230}}, /* new */
    {4, "look up", 410, {29, 29}},
    {3, "query", 201, {895, 402}},
    {4, "look up", 201, {174, 0}}, /* gone */
    {5, "hash", 201, {90, 0}},
    {3, "parse_headers", 200, {110, 116}},
    {3, "log", 200, {12, 12}},
    {2, "accept", 200, {45, 45}},
    {1, "read <configuration>", 1, {3200, 3100}},
    {2,
     "std::unordered_map<std::string,std::vector<std::pair<std::string,std::uint64_t>>>::emplace",
     412,
     {2, 2}}, /* as in C++, without a blank */
};
enum { REGIONS = sizeof regions / sizeof regions[0] };

/* Adds up to four thousandths: all runs of a region are different, but they are so close that an
 * unchanged region does not look changed. */
static uint64_t spread(uint64_t ns, size_t region)
{
    return ns + ns / THOUSAND * ((side.run * 7 + region * 3 + side.number * 5) % 5);
}

static size_t end_of(size_t region)
{
    size_t end = region + 1;
    while (end < REGIONS && regions[end].depth > regions[region].depth)
        end++;
    return end;
}

/* All calls of a region are equal, except that the first one contains all inner calls. */
static void visit(size_t region)
{
    const struct region *visited = &regions[region];
    uint64_t each_ns = spread(visited->each_us[side.number] * THOUSAND, region);
    if (each_ns == 0)
        return;
    for (uint64_t call = 0; call < visited->calls; call++) {
        eprof_enter(visited->label);
        hand_ticks += each_ns;
        for (size_t child = region + 1; call == 0 && child < end_of(region); child = end_of(child))
            visit(child);
        eprof_leave();
    }
}

static void use_instance(void)
{
    int id = eprof_alloc("queue");
    for (uint64_t i = 0; i < 10; i++) {
        eprof_start(id);
        hand_ticks += spread(side.number ? UINT64_C(5000000) : UINT64_C(4000000), REGIONS);
        eprof_stop(id);
    }
}

int main(int count, char **words)
{
    if (count != 4 || (strcmp(words[2], "before") != 0 && strcmp(words[2], "after") != 0)) {
        fprintf(stderr, "usage: %s FILE before|after RUN\n", words[0]);
        return 2;
    }
    side = (struct side){strcmp(words[2], "after") == 0, (uint64_t)atoll(words[3])};
    hand_clock_use();
    visit(0);
    use_instance();
    eprof_stop(-1); /* diagnostics: a handle that is not an instance */
    if (eprof_save(words[1]) != 0) {
        perror(words[1]);
        return 1;
    }
    return 0;
}
