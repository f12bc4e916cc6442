#include "plan.h"

#include <stdio.h>
#include <string.h>

static const char *const mode_names[LEDGER_MODES] = {"once", "call", "kind"};

struct plan plan_of(char **words)
{
    struct plan plan = {.first = (uint32_t)atol(words[0]), .way = (uint32_t)atol(words[2])};
    while (plan.mode + 1 < LEDGER_MODES && strcmp(mode_names[plan.mode], words[1]) != 0)
        plan.mode++;
    return plan;
}

const char *plan_mode(struct plan plan)
{
    return mode_names[plan.mode];
}

void plan_note(struct plan plan, const char *objects, struct ledger *ledger)
{
    static const struct ledger empty;
    *ledger = empty;
    snprintf(ledger->objects, sizeof ledger->objects, "%s", objects);
    ledger->first = plan.first;
    ledger->mode = plan.mode;
    ledger->way = plan.way;
    ledger->has_contexts = !plan.first;
}
