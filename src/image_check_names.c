#include "image_check_names.h"

#include <string.h>

#include "image_check_modules.h"

enum { RUN_CELLS = EP_SLOTS / EP_DIRECTORY_RUNS, REFS_IN_CELL = 16 };

static union ep_cell *cell_at(const struct ep_image_claims *claims, ep_ref ref)
{
    return ep_image_cell(claims->image, ref);
}

/* The place of a run in the directory. */
static ep_ref *run_at(const struct ep_image_claims *claims, uint32_t run)
{
    ep_ref directory = ep_image_root(claims->image)->directory;
    return &cell_at(claims, directory + run / REFS_IN_CELL)->refs[run % REFS_IN_CELL];
}

/* ---- what is called something ---- */

void ep_image_check_instances(struct ep_image_claims *claims)
{
    struct ep_root_cell *root = ep_image_root(claims->image);
    if (root->slots_used > EP_SLOTS)
        ep_image_claim_fault(claims, "damaged: more instances than there can be");
    if (!ep_image_claim(claims, &root->directory, EP_DIRECTORY_RUNS / REFS_IN_CELL,
                        EP_USE_DIRECTORY)) {
        ep_image_claim_fault(claims, "damaged: no directory of instances");
        return;
    }
    for (uint32_t run = 0; run < EP_DIRECTORY_RUNS; run++)
        ep_image_claim(claims, run_at(claims, run), RUN_CELLS, EP_USE_INSTANCES);
}

/*
 * A site is numbered before it is in the list, so the count may be ahead of the list; and where
 * the count was read before the list, or what came last is not there, behind it or far ahead. It
 * is what a reader takes memory by.
 */
static void settle_site_count(struct ep_image_claims *claims, uint32_t highest)
{
    struct ep_tree_cell *tree = ep_image_tree(claims->image);
    if (ep_image_claim_may_lack(claims))
        tree->site_count = highest;
    if (tree->site_count < highest || tree->site_count < EP_SITE_FIRST - 1 ||
        tree->site_count >= EP_SITE_FIRST + claims->count)
        ep_image_claim_fault(claims, "damaged: a count of sites that cannot be");
}

void ep_image_check_sites(struct ep_image_claims *claims)
{
    uint32_t highest = EP_SITE_FIRST - 1;
    ep_ref *link = &ep_image_tree(claims->image)->sites;
    while (ep_image_claim(claims, link, 1, EP_USE_SITE)) {
        struct ep_site_cell *site = &cell_at(claims, *link)->site;
        if (site->number < EP_SITE_FIRST || site->number >= EP_SITE_FIRST + claims->count)
            ep_image_claim_fault(claims, "damaged: a site with a number that cannot be");
        if (!ep_image_check_function(claims, site)) {
            *link = 0; /* it came later */
            break;
        }
        highest = site->number > highest ? site->number : highest;
        link = &site->next;
    }
    settle_site_count(claims, highest);
}

/* ---- texts ---- */

/* Claims the cells of a text that is sound: it ends where it says and not before, so that one that
 * is half changed does not take those of another. */
static bool is_text(struct ep_image_claims *claims, ep_ref text, uint32_t bytes,
                    enum ep_image_use use)
{
    if (!text)
        return bytes == 0;
    uint32_t cells = bytes / EP_CELL_BYTES + 1; /* with its NUL */
    if (bytes > EP_LABEL_BYTES || !ep_image_claim_is_free(claims, text, cells, use) ||
        strnlen(ep_image_string(claims->image, text), bytes + 1) != bytes)
        return false;
    memset(&claims->use[text], use, cells);
    return true;
}

static bool is_named(struct ep_image_claims *claims, const struct ep_site_cell *site)
{
    return is_text(claims, site->label, site->label_bytes, EP_USE_SITE_TEXT) &&
           is_text(claims, site->file, site->file_bytes, EP_USE_SITE_TEXT);
}

static void forget_name(struct ep_site_cell *site)
{
    site->label = site->label_bytes = site->file = site->file_bytes = site->line = 0;
    site->naming = EP_NAMING_NONE;
}

/* What was written before its naming says so, or is being changed, is no name. */
static bool is_nameless(const struct ep_site_cell *site)
{
    return site->module && site->naming == EP_NAMING_NONE;
}

/* The list of sites ends before the first whose texts are missing: they came after it. Those of a
 * function come when it has long been in the list, and without them it has no name. */
static void check_site_names(struct ep_image_claims *claims)
{
    ep_ref *link = &ep_image_tree(claims->image)->sites;
    while (*link) {
        struct ep_site_cell *site = &cell_at(claims, *link)->site;
        if (is_nameless(site))
            forget_name(site);
        bool is_sound = is_named(claims, site);
        if (!is_sound && !ep_image_claim_may_lack(claims))
            ep_image_claim_fault(claims, "damaged: a site whose name cannot be read");
        if (!is_sound && site->module)
            forget_name(site);
        if (is_sound || site->module)
            link = &site->next;
        else
            *link = 0;
    }
}

/* A path belongs to its module alone. One that is missing is not known. */
static void check_paths(struct ep_image_claims *claims)
{
    struct ep_module_cell *module;
    for (ep_ref ref = ep_image_tree(claims->image)->modules; ref; ref = module->next) {
        module = &cell_at(claims, ref)->module;
        if (is_text(claims, module->path, module->path_bytes, EP_USE_TEXT))
            continue;
        if (!ep_image_claim_may_lack(claims))
            ep_image_claim_fault(claims, "damaged: a module whose path cannot be read");
        module->path = module->path_bytes = 0;
    }
}

static void check_label(struct ep_image_claims *claims, struct ep_instance_cell *instance)
{
    if (!instance->born || is_text(claims, instance->label, instance->label_bytes, EP_USE_TEXT))
        return;
    instance->born = 0; /* it came, or was about to go, when what there is ended */
    if (!ep_image_claim_may_lack(claims))
        ep_image_claim_fault(claims, "damaged: an instance whose label cannot be read");
}

static void check_labels(struct ep_image_claims *claims)
{
    for (uint32_t run = 0; run < EP_DIRECTORY_RUNS; run++) {
        ep_ref first = *run_at(claims, run);
        for (ep_ref ref = first; first && ref < first + RUN_CELLS; ref++)
            check_label(claims, &cell_at(claims, ref)->instance);
    }
}

static void check_command(struct ep_image_claims *claims)
{
    struct ep_identity_cell *identity = &cell_at(claims, EP_CELL_IDENTITY)->identity;
    if (is_text(claims, identity->command, identity->command_bytes, EP_USE_TEXT))
        return;
    identity->command = identity->command_bytes = 0;
    if (!ep_image_claim_may_lack(claims))
        ep_image_claim_fault(claims, "damaged: a command line that cannot be read");
}

/* A thread that was being renamed has none. */
static void check_thread_names(struct ep_image_claims *claims)
{
    struct ep_thread_cell *thread;
    for (ep_ref ref = ep_image_root(claims->image)->threads; ref; ref = thread->next) {
        thread = &cell_at(claims, ref)->thread;
        if (thread->name && is_text(claims, thread->name, thread->name_bytes, EP_USE_TEXT))
            continue;
        if (thread->name && !ep_image_claim_may_lack(claims))
            ep_image_claim_fault(claims, "damaged: a thread whose name cannot be read");
        thread->name = thread->name_bytes = 0;
    }
}

/* What may be found half changed comes last. */
void ep_image_check_names(struct ep_image_claims *claims)
{
    check_paths(claims);
    check_site_names(claims);
    check_labels(claims);
    check_command(claims);
    check_thread_names(claims);
}
