/*
 * fuzz_items.c - takes bytes as the items of EPROF= and eprof_setup()
 *
 * The items are carried out, except for their final actions (item_acts.h). The result must be the
 * documented one (item_model.h), and a second time it must be the same. If the result is written as
 * items again, in their normal form, these must give the same result, and none must be refused.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_target.h"
#include "item_model.h"
#include "require.h"

struct fuzz_counts fuzz_counts;

static void tell_fields(const char *what, const struct ep_fields *fields)
{
    struct ep_fields_reader reader = ep_strings_read(fields);
    for (const char *field; (field = ep_strings_next(&reader)) != NULL;)
        fprintf(stderr, "%s \"%s\"\n", what, field);
}

static void tell(const char *whose, const struct item_acts *acts)
{
    fprintf(stderr, "%s: limit %llu, budget %llu and 1/%llu, depth %lu\n", whose,
            (unsigned long long)acts->numbers.limit_bytes,
            (unsigned long long)acts->numbers.budget_millionths,
            (unsigned long long)acts->numbers.period, (unsigned long)acts->numbers.depth);
    tell_fields("done", &acts->done);
    tell_fields("refused", &acts->refused);
}

static void require_same_acts(const struct item_acts *acts, const struct item_acts *others,
                              const char *what)
{
    bool are_same = item_acts_are(acts, others);
    if (!are_same) {
        tell("one", acts);
        tell("other", others);
    }
    require(are_same, what);
}

static void carry_out_again(const char *items, const struct item_acts *acts)
{
    struct item_acts again;
    item_acts_of(&again, items);
    require_same_acts(acts, &again, "the same items come to the same");
    item_acts_free(&again);
}

/* An item that was refused has changed nothing. */
static void write_and_carry_out(const struct item_acts *acts)
{
    struct item_acts again, wanted = *acts;
    char *items = item_model_write(acts);
    wanted.refused = (struct ep_fields){.bytes = NULL};
    require(item_acts_of(&again, items) == 0, "what was carried out can be written");
    require_same_acts(&wanted, &again, "what was written comes to the same");
    item_acts_free(&again);
    free(items);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct item_acts acts, model;
    char *items = malloc(size + 1);
    require(items != NULL, "there is memory for items");
    if (size > 0) /* then data may be NULL */
        memcpy(items, data, size);
    items[size] = '\0';
    int result = item_acts_of(&acts, items), error = errno;
    item_model_of(&model, items);
    require_same_acts(&model, &acts, "items come to what the manual says");
    require(result == (acts.refused.count ? -1 : 0), "what is refused is told");
    require(result == 0 || error == EINVAL, "and by errno");
    carry_out_again(items, &acts);
    write_and_carry_out(&acts);
    result == 0 ? fuzz_counts.sound++ : fuzz_counts.refused++;
    item_acts_free(&acts);
    item_acts_free(&model);
    free(items);
    return 0;
}
