#include <stdlib.h>
#include <string.h>

#include "snapshot/making.h"

_Static_assert((int)EP_NOTES_SITES == (int)EP_UNENDED_SITES, "all that an image keeps");

/* Each site once, while there is room. */
static void add_site(struct ep_notes *notes, uint32_t sites[EP_UNENDED_SITES], uint32_t site)
{
    for (int i = 0; i < EP_UNENDED_SITES && site; i++) {
        if (!sites[i])
            sites[i] = site;
        if (sites[i] == site)
            return;
    }
    notes->has_more_unended |= site != 0;
}

static void add_note(struct ep_notes *notes, uint32_t sites[EP_UNENDED_SITES],
                     const struct ep_note_cell *note)
{
    /* read first, since the owner raises it last. Pairs with the release in record/hold.c */
    notes->holds_kept += ep_load_acquire(&note->holds_kept);
    notes->holds_ended += ep_load(&note->holds_ended);
    for (int i = 0; i < EP_UNENDED_SITES; i++)
        add_site(notes, sites, ep_load(&note->unended[i]));
    notes->has_more_unended |= (ep_load(&note->flags) & EP_NOTE_MORE_UNENDED) != 0;
}

struct ep_notes ep_notes_count(const struct ep_image *image, uint32_t sites[EP_UNENDED_SITES])
{
    uint64_t reset = ep_load(&ep_image_control(image)->reset_generation);
    const struct ep_note_cell *of_process = &ep_image_cell(image, EP_CELL_NOTE)->note;
    uint64_t forked = ep_load(&of_process->forked), added = ep_load(&of_process->added_children);
    struct ep_notes notes = {
        .forked = forked,
        .missing = forked > added ? forked - added : 0, /* a merged image does not state which */
        .children_have_file = ep_load(&of_process->forked_with_image) == forked,
        .is_sum = ep_load(&of_process->flags) & EP_NOTE_SUM,
    };
    const struct ep_thread_cell *thread;
    memset(sites, 0, EP_UNENDED_SITES * sizeof *sites);
    add_note(&notes, sites, of_process);
    for (ep_ref ref = ep_load_acquire(&ep_image_root(image)->threads); ref;
         ref = ep_load_acquire(&thread->next)) {
        thread = &ep_image_cell(image, ref)->thread;
        ep_ref note = ep_image_cell(image, thread->more)->more.note;
        if (note && ep_load_acquire(&ep_image_cell(image, note)->note.generation) >= reset)
            add_note(&notes, sites, &ep_image_cell(image, note)->note);
    }
    if (notes.holds_kept > notes.holds_ended) /* of a damaged file */
        notes.holds_kept = notes.holds_ended;
    return notes;
}

uint32_t ep_notes_of_run(const struct ep_image *image)
{
    const struct ep_sampled_probe_cell *budget =
        &ep_image_cell(image, EP_CELL_SAMPLED_PROBE)->sampled_probe;
    if (ep_image_cell(image, EP_CELL_IDENTITY)->identity.state != EP_STATE_RUNNING)
        return EP_NOTE_RUN_WHOLE;
    bool is_stale = !budget->budget_millionths || budget->period;
    return EP_NOTE_RUN_OLD | (is_stale ? EP_NOTE_RUN_STALE : 0);
}

int ep_notes_take(struct eprof_snapshot *snapshot)
{
    uint32_t numbers[EP_UNENDED_SITES];
    struct ep_notes *notes = &snapshot->notes;
    struct ep_sites sites = {.at = NULL};
    *notes = ep_notes_count(snapshot->image, numbers);
    int result = numbers[0] ? ep_sites_read(&sites, snapshot->image) : 0;
    for (int i = 0; i < EP_UNENDED_SITES && numbers[i] && result == 0; i++) {
        const struct ep_site_cell *cell = ep_sites_at(&sites, numbers[i]);
        struct ep_unended_site *unended = &notes->unended[notes->unended_count];
        if (!cell)
            continue; /* of a copy that was made while the site was added */
        result = ep_sites_describe(snapshot, cell, &unended->name, &unended->file);
        unended->line = cell->line;
        notes->unended_count++;
    }
    free(sites.at);
    return result;
}
