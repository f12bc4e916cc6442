/*
 * making.h - types and functions that the files of this folder share while they make a snapshot
 *
 * Functions that return an int return 0, or -1: no memory; pointers are NULL then. The functions
 * that other folders call set errno.
 */
#ifndef EP_SNAPSHOT_MAKING_H
#define EP_SNAPSHOT_MAKING_H

#include "image/image.h"
#include "snapshot/part.h"
#include "snapshot/snapshot.h"

/* ---- rows and their strings ---- */

/* Merged over all threads, without a location. */
extern const struct eprof_row ep_rows_empty;

/* Appends an empty row. */
struct eprof_row *ep_rows_add(struct eprof_snapshot *snapshot);
/* Appends `count` rows, which the caller sets, and returns the first. */
struct eprof_row *ep_rows_add_unset(struct eprof_snapshot *snapshot, size_t count);
/* A copy that lives as long as the snapshot. */
const char *ep_rows_text(struct eprof_snapshot *snapshot, const char *text, size_t bytes);
/* The same of a text of the image; ref 0: "". */
const char *ep_rows_image_text(struct eprof_snapshot *snapshot, ep_ref text, uint32_t bytes);
/* The path that consists of one name: the name itself, if no character is escaped. */
const char *ep_rows_path_of_name(struct eprof_snapshot *snapshot, const char *name);
/* Sets the ladder of a row whose figures are set to NULL if none was requested. False, and ENOMEM.
 */
bool ep_rows_take_ladder(struct eprof_snapshot *snapshot, const struct ep_figures *figures,
                         const struct ep_histogram *histogram,
                         const struct ep_correction *correction, struct eprof_row *row,
                         struct ep_ladder **ladder);
/* Writes the name of a thread without a name. */
void ep_rows_number_name(char name[24], uint32_t number);
const char *ep_rows_thread_name(struct eprof_snapshot *snapshot,
                                const struct ep_thread_cell *thread);

/* Moves each row before the diagnostics to its new index, or removes it: EP_MAP_NONE. Parents stay
 * before their children; a scope whose parent is removed becomes a root. */
int ep_rows_move(struct eprof_snapshot *snapshot, const uint32_t *moved);
/* The same with a flag for each row. All ancestors of a kept scope are kept, or none. */
int ep_rows_keep(struct eprof_snapshot *snapshot, const bool *is_kept);
/* As ep_rows_move(), the tops. */
int ep_rows_move_tops(struct eprof_snapshot *snapshot, const uint32_t *moved);

/* Records the sums of each tree before rows are removed. */
int ep_rows_part_note_wholes(struct eprof_snapshot *snapshot);

/* ---- the parts of a snapshot ---- */

/* A row for each instance (and thread), by slot. */
int ep_snapshot_instances_add(struct eprof_snapshot *snapshot);
/* A row for each tree position, and the tops. */
int ep_snapshot_scopes_add(struct eprof_snapshot *snapshot, const struct ep_present *present);
/* Of a merged image: how the times of the rows are spread over processes. */
int ep_snapshot_balance_add(struct eprof_snapshot *snapshot);
/* The notes, with the names of sites. */
int ep_notes_take(struct eprof_snapshot *snapshot);

/* ---- sites ---- */

/* By number. All zero: not read. */
struct ep_sites {
    const struct ep_site_cell **at; /* NULL: no line of the program */
    uint32_t count;
};

int ep_sites_read(struct ep_sites *sites, const struct ep_image *image);
/* The name and the file of a site; "": no file. */
int ep_sites_describe(struct eprof_snapshot *snapshot, const struct ep_site_cell *cell,
                      const char **name, const char **file);

/* NULL: no line of the program, or the number is not known. */
EP_INLINE const struct ep_site_cell *ep_sites_at(const struct ep_sites *sites, uint32_t number)
{
    return number < sites->count ? sites->at[number] : NULL;
}

/* Keeps the scopes of this path, or of this name at any tree position, and their descendants. Each
 * becomes a root, unless it is inside another of them. Paths do not change; tops are summed up
 * again. 0; -1 with ENOENT, if there is no such scope and nothing was removed, or ENOMEM. */
int ep_focus_on(struct eprof_snapshot *snapshot, const char *path);

#endif /* EP_SNAPSHOT_MAKING_H */
