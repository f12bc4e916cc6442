/*
 * gate_subject.c - a program of two regions, for the gate: gate_subject PERCENT
 *
 * The region `changed` takes PERCENT more than 1 ms, `steady` takes 1 ms. Both take up to 2 % more
 * in some runs than in others, depending on the number of earlier runs in this folder. Each run
 * adds a line with its PERCENT to the file `turns`. The clock is moved by hand, so that the result
 * is the same on each machine.
 */
#include <stdio.h>
#include <stdlib.h>

#include "hand_clock.h"

/* Adds a line to the file, and returns the number of earlier runs. */
static unsigned take_turn(const char *percent)
{
    unsigned turns = 0;
    FILE *file = fopen("turns", "a+");
    if (!file || fprintf(file, "%s\n", percent) < 0 || fseek(file, 0, SEEK_SET) != 0)
        abort();
    for (int c; (c = getc(file)) != EOF;)
        turns += c == '\n';
    fclose(file);
    return turns - 1;
}

/* Knuth's multiplier (The Art of Computer Programming 3, 6.4) spreads the numbers. */
static uint64_t noise_ns(unsigned number)
{
    return number * 2654435761u % 20000;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return EXIT_FAILURE;
    unsigned turn = take_turn(argv[1]);
    hand_clock_use();
    EPROF_BLOCK("changed")
    {
        hand_ticks += 10000 * (100 + strtoull(argv[1], NULL, 10)) + noise_ns(2 * turn);
    }
    EPROF_BLOCK("steady")
    {
        hand_ticks += 1000000 + noise_ns(2 * turn + 1);
    }
    return EXIT_SUCCESS;
}
