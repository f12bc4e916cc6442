/*
 * count_pairs.c KIND PAIRS - records this number of pairs and nothing else, for a count of
 * instructions
 *
 * KIND is instance, scope, nested, untimed, dropped or kept: eight nested scopes are eight pairs.
 * Of the untimed ones, which are nested too, and of those in holds, one in 4,096 is timed. A hold
 * that is dropped or kept has eight pairs and counts as one; slow_dropped and slow_kept are the
 * same with EPROF_SLOW, and slow_empty is one that is dropped and has nothing in it. Of scopes that
 * are entered by hand: by a site or a label, and untimed_site or untimed_label.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eprof.h>

static void record_instance(long pairs)
{
    int id = eprof_alloc("counted");
    for (long i = 0; i < pairs; i++) {
        eprof_start(id);
        eprof_stop(id);
    }
}

__attribute__((noinline)) static void record_one_scope(void)
{
    EPROF_FUNC;
    __asm__ volatile("");
}

static void record_scopes(long pairs)
{
    eprof_setup("budget=off");
    for (long i = 0; i < pairs; i++)
        record_one_scope();
}

/* Each function calls the next one, so that eight scopes are open at the end. */
#define RECORD_IN(name, next)                                                                      \
    __attribute__((noinline)) static void name(void)                                               \
    {                                                                                              \
        EPROF_FUNC;                                                                                \
        next;                                                                                      \
        __asm__ volatile("");                                                                      \
    }
RECORD_IN(record_8, (void)0)
RECORD_IN(record_7, record_8())
RECORD_IN(record_6, record_7())
RECORD_IN(record_5, record_6())
RECORD_IN(record_4, record_5())
RECORD_IN(record_3, record_4())
RECORD_IN(record_2, record_3())
RECORD_IN(record_1, record_2())

static void record_eight_at_a_time(long pairs)
{
    for (long i = 0; i < pairs; i += 8)
        record_1();
}

static void record_nested(long pairs)
{
    eprof_setup("budget=off");
    record_eight_at_a_time(pairs);
}

static void record_untimed(long pairs)
{
    eprof_setup("budget=1/4096");
    record_eight_at_a_time(pairs);
}

static void record_labels(long pairs, const char *budget)
{
    eprof_setup(budget);
    for (long i = 0; i < pairs; i++) {
        eprof_enter("counted");
        eprof_leave();
    }
}

static void record_label(long pairs)
{
    record_labels(pairs, "budget=off");
}

static void record_untimed_label(long pairs)
{
    record_labels(pairs, "budget=1/4096");
}

static void record_sites(long pairs, const char *budget)
{
    eprof_setup(budget);
    struct eprof_site *site = eprof_site_for("counted");
    for (long i = 0; i < pairs; i++) {
        eprof_enter_site(site);
        eprof_leave();
    }
}

static void record_site(long pairs)
{
    record_sites(pairs, "budget=off");
}

static void record_untimed_site(long pairs)
{
    record_sites(pairs, "budget=1/4096");
}

static void record_holds(long holds, bool keep)
{
    eprof_setup("budget=1/4096");
    for (long i = 0; i < holds; i++) {
        eprof_hold();
        record_1();
        eprof_keep(keep);
    }
}

static void record_dropped(long holds)
{
    record_holds(holds, false);
}

static void record_kept(long holds)
{
    record_holds(holds, true);
}

__attribute__((noinline)) static void be_slow(uint64_t least_ns, void (*inside)(void))
{
    EPROF_SLOW("slow", least_ns);
    if (inside)
        inside();
    __asm__ volatile("");
}

static void record_slow(long holds, uint64_t least_ns, void (*inside)(void))
{
    eprof_setup("budget=1/4096");
    for (long i = 0; i < holds; i++)
        be_slow(least_ns, inside);
}

static void record_slow_empty(long holds)
{
    record_slow(holds, UINT64_C(3600) * 1000000000, NULL);
}

static void record_slow_dropped(long holds)
{
    record_slow(holds, UINT64_C(3600) * 1000000000, record_1);
}

static void record_slow_kept(long holds)
{
    record_slow(holds, 0, record_1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *kind;
        void (*record)(long pairs);
    } kinds[] = {{"instance", record_instance},
                 {"scope", record_scopes},
                 {"nested", record_nested},
                 {"untimed", record_untimed},
                 {"label", record_label},
                 {"untimed_label", record_untimed_label},
                 {"site", record_site},
                 {"untimed_site", record_untimed_site},
                 {"dropped", record_dropped},
                 {"kept", record_kept},
                 {"slow_empty", record_slow_empty},
                 {"slow_dropped", record_slow_dropped},
                 {"slow_kept", record_slow_kept}};
    for (size_t i = 0; argc == 3 && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(argv[1], kinds[i].kind) == 0) {
            kinds[i].record(strtol(argv[2], NULL, 10));
            return 0;
        }
    fprintf(stderr, "%s instance|scope|nested|untimed|dropped|kept|site|... PAIRS\n", argv[0]);
    return 2;
}
