/*
 * fake_image.h - an image made by hand, cell by cell, without any recording: instances, sites,
 * nodes, stacks of open scopes, modules and functions
 */
#ifndef FAKE_IMAGE_H
#define FAKE_IMAGE_H

#include "kept.h"
#include "test.h"

#include <errno.h>
#include <string.h>

#include "base/wide.h"
#include "image/image.h"
#include "snapshot/snapshot.h"

extern struct ep_image fake;

int fake_begin(void **state);
int fake_end(void **state);
void fake_reset(uint64_t generation);
struct ep_instance_cell *fake_instance(uint32_t slot, const char *label, uint64_t born);
struct ep_thread_cell *fake_thread(uint32_t number, const char *name);

/* The pair of the instance in `slot`, whose handle is the slot. It has no calls. */
struct ep_instance_cells *fake_pair(struct ep_thread_cell *thread, uint32_t slot,
                                    uint64_t generation);
ep_ref fake_cell(ep_ref *place);

/* Leaves a difference as a stop does: it is counted, but not yet added to histogram and squares. */
void fake_leave_pending_in(struct ep_statistics *stats, uint64_t ticks);
void fake_leave_pending(struct ep_instance_cells *pair, uint64_t ticks);

/* The next start adds it to the histogram and the squares. */
void fake_spread_pending(struct ep_statistics *stats);
void fake_call(struct ep_instance_cells *pair, uint64_t ticks);

#define MERGED ((struct ep_snapshot_options){.threads = false})
#define BY_THREADS ((struct ep_snapshot_options){.threads = true})
#define RAW ((struct ep_snapshot_options){.raw = true})

/* For an image that no process writes any more. */
#define NO_PRESENT ((struct ep_present){.is_live = false})

/* Frees a snapshot that was taken when the test ends (kept.h). The snapshots that the functions
 * below take are freed in the same way. */
struct eprof_snapshot *snapshot_keep(struct eprof_snapshot *snapshot);

/* One tick is one ns. */
struct eprof_snapshot *fake_take_at(struct ep_present present, struct ep_snapshot_options options);
struct eprof_snapshot *fake_take(struct ep_snapshot_options options);

/* The figures of `row` that `expected` names, as text such as "calls 2, total 30", with the column
 * names of csv. */
const char *figures_of(const struct eprof_row *row, const char *expected);
#define assert_figures(row, expected) assert_string_equal(figures_of(row, expected), expected)

/* The row of the only instance. */
struct eprof_row fake_only_row(struct ep_snapshot_options options);
ep_ref fake_text(const char *text, uint32_t *bytes);

/* Adds a site and returns its number. file: NULL if it has none. */
uint32_t fake_site(const char *file, uint32_t line, const char *label);
ep_ref fake_ref(const void *cell);

/* A node of the current generation, without calls. parent: NULL for the root. */
struct ep_node_cell *fake_node(struct ep_thread_cell *thread, const struct ep_node_cell *parent,
                               uint32_t site);
struct ep_node_cell *fake_root(struct ep_thread_cell *thread);

/* Adds a call to a node: the time that it took, and the part of that time outside its children. */
void fake_visit(struct ep_node_cell *node, uint64_t ticks, uint64_t self_ticks);
void fake_visit_nested(struct ep_node_cell *node, uint64_t self_ticks);

/* The sampling cells of a node, made if it has none: its calls until now were all timed. */
struct ep_sampling_cells *fake_sampling(struct ep_node_cell *node);

/* Adds a timed call that represents `weight` calls to a node, and these calls. */
void fake_sample(struct ep_node_cell *node, uint64_t ticks, uint64_t weight);

/* Pushes a scope on the thread's stack, which gets its lowest entry first if it has none. */
struct ep_open_scope_cell *fake_frame(struct ep_thread_cell *thread,
                                      const struct ep_node_cell *node, uint32_t state,
                                      uint64_t start_ticks);

/* The row of the path, which is unique. It fails if there is no such row. */
const struct eprof_row *fake_find(struct eprof_snapshot *snapshot, const char *thread,
                                  const char *path);

/* The same for the merged tree. */
const struct eprof_row *fake_row(struct eprof_snapshot *snapshot, const char *path);

/* path: NULL if it is not known. */
ep_ref fake_module(const char *path);
struct ep_module_cell *fake_module_cell(ep_ref module);

/* A function without a name. */
struct ep_site_cell *fake_function(ep_ref module, uint64_t address);
void fake_name(struct ep_site_cell *function, const char *name, enum ep_site_naming naming);

#endif /* FAKE_IMAGE_H */
