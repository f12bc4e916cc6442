#include "work.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rank.h"
#include "truth.h"

/* According to the latencies of processors, a step takes 0.3 to 6 ns. */
enum { TRIAL_STEPS = 20000, TRIALS = 21 };

void work_multiply(unsigned long steps)
{
    static uint64_t left = 1;
    uint64_t number = left;
    while (steps-- > 0) {
        number *= UINT64_C(6364136223846793005);
        __asm__ volatile("" : "+r"(number)); /* each by itself */
    }
    left = number;
}

void work_divide(unsigned long steps)
{
    static double left = 1.5;
    double number = left;
    while (steps-- > 0)
        number = 1.7 / number;
    left = number;
}

void work_chase(unsigned long steps)
{
    enum { PLACES = 256, STRIDE = 101 };
    static unsigned next[PLACES], left;
    if (!next[0])
        for (unsigned i = 0; i < PLACES; i++)
            next[i] = (i + STRIDE) % PLACES;
    unsigned place = left;
    while (steps-- > 0) {
        place = next[place];
        __asm__ volatile("" : "+r"(place));
    }
    left = place;
}

void work_add(unsigned long steps)
{
    static uint64_t left[4];
    uint64_t a = left[0], b = left[1], c = left[2], d = left[3];
    while (steps-- > 0) {
        a += 1, b += 2, c += 3, d += 4;
        __asm__ volatile("" : "+r"(a));
        __asm__ volatile("" : "+r"(b));
        __asm__ volatile("" : "+r"(c));
        __asm__ volatile("" : "+r"(d));
    }
    left[0] = a, left[1] = b, left[2] = c, left[3] = d;
}

work_call *work_of(const char *name)
{
    static const struct {
        const char *name;
        work_call *work;
    } all[] = {{"multiply", work_multiply},
               {"divide", work_divide},
               {"chase", work_chase},
               {"add", work_add}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].work;
    return NULL;
}

unsigned long work_steps(work_call *work, double ns)
{
    double trials_ns[TRIALS];
    for (int trial = 0; trial < TRIALS; trial++) {
        double begin_ns = truth_now_ns();
        work(TRIAL_STEPS);
        trials_ns[trial] = truth_now_ns() - begin_ns;
    }
    double steps = ns * TRIAL_STEPS / rank_median(trials_ns, TRIALS);
    return steps < 1 ? 1 : (unsigned long)(steps + 0.5);
}
