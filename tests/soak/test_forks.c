/*
 * A thread forks many times while eight others record: no child hangs, or has any of their calls,
 * and the calls of the parent count once.
 *
 * test_forks [FORKS] - the number of forks; without it the test is short
 */
#include "test.h"

#include <eprof.h>
#include <stdlib.h>

#include "sanitizer.h"
#include "random.h"
#include "check.h"
#include "crew.h"

enum {
    SHORT_FORKS = IS_WATCHED ? 20 : 50,
    BETWEEN_QUIET_POINTS = 20, /* forks */
    MOST_DEEDS = 10            /* between two forks */
};

static uint64_t forks = SHORT_FORKS;
static struct soak soak = {.only_records = true};
static char why[1024];

static void assert_same(uint64_t done)
{
    if (soak.has_failed)
        fail_msg("%s", soak.failure);
    if (check_snapshots(&soak.ledger, ROWS_EXACT, why, sizeof why) != 0)
        fail_msg("after %llu forks: %s", (unsigned long long)done, why);
}

/* The thread also forks in the middle of its own calls. */
TEST(children_of_a_process_whose_threads_record_have_none_of_it)
{
    uint64_t deed_counts[DEED_KINDS] = {0};
    struct soak_worker forker = {.soak = &soak,
                                 .book = &soak.ledger.books[LEDGER_BOOKS - 1],
                                 .is_short = true,
                                 .number = LEDGER_WORKERS,
                                 .random = random_next(),
                                 .deed_counts = deed_counts};
    crew_begin(&soak, random_next);
    for (uint64_t done = 0; done < forks; done++) {
        for (uint64_t left = deed_dice(&forker, MOST_DEEDS); left; left--)
            deed_next(&forker);
        deed_fork(&forker);
        if (done % BETWEEN_QUIET_POINTS == 0) {
            crew_gather(&soak);
            assert_same(done);
            crew_let_go(&soak);
        }
    }
    crew_gather(&soak);
    assert_same(forks);
    crew_end(&soak);
    assert_same(forks);
    print_message("%llu forks, while 8 threads began %llu scopes and %llu pairs\n",
                  (unsigned long long)forks, (unsigned long long)crew_deeds(&soak, 0),
                  (unsigned long long)crew_deeds(&soak, 4));
}

int main(int count, char **arguments)
{
    if (count > 1)
        forks = strtoull(arguments[1], NULL, 10);
    random_begin();
    return tests_run("forks", NULL, NULL);
}
