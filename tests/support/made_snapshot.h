/*
 * made_snapshot.h - snapshots made by hand, of instances and of call trees, and reports of them
 *
 * Scopes are added in the order of a walk, with their depth and the time of their own; the
 * rest follows from that. Rows belong to the thread that was named last. All is given back when
 * the test ends (kept.h).
 */
#ifndef MADE_SNAPSHOT_H
#define MADE_SNAPSHOT_H

#include "fake_image.h"
#include "kept.h"
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

/* --------------------------------------------------------------- instances -- */

enum { ROWS = 8 };

struct made {
    struct eprof_row rows[ROWS];
    struct ep_instance_slot instance_slots[ROWS];
    struct eprof_snapshot snapshot;
};

struct eprof_row instance(int id, const char *name);

/* A row of `calls` pairs that all took the same time. */
struct eprof_row even_instance(int id, const char *name, uint64_t calls, uint64_t each_ns);

/* What a snapshot leaves in a row of diagnostics beyond name and count must not show. */
struct eprof_row diagnostics(const char *name, uint64_t count);
void make(struct made *made, size_t instances, size_t diagnostics);
void make_empty(struct made *made);

/* The example that the form of the table was fixed with. */
void make_contract(struct made *made);
void make_mixed(struct made *made);

/* One row, of which each figure is another. */
void make_figures(struct made *made);
void make_threads(struct made *made);
void make_ticks(struct made *made);
void make_raw(struct made *made);
void make_hostile(struct made *made);

/* ------------------------------------------------------- reports in memory -- */

/* The report's text. */
char *reported(const struct eprof_snapshot *snapshot, const char *format);

/* The same of an image that is stored. */
char *reported_image(const struct ep_image *image, const char *format);

/* The file's text. */
char *golden_in(const char *folder, const char *name);
#define golden(name) golden_in(EPROF_GOLDEN_DIR, name)
void assert_golden(void (*make_one)(struct made *made), const char *format, const char *file);

/* Line number `number` of the text, without its end. */
char *line_of(const char *text, int number);
void assert_line_begins(const char *text, int number, const char *beginning);
void assert_text_has(const char *text, const char *expected);
void assert_text_has_not(const char *text, const char *unwanted);
size_t count_of(const char *text, const char *part);
bool has_line(const char *text, const char *expected);

struct made_tree {
    struct eprof_row *rows;
    struct ep_tree_position *places;
    struct eprof_row *tops;
    struct ep_site_mark *top_marks;
    size_t count, room, instances, diagnostics, top_count;
    const char *thread;
    struct eprof_snapshot *snapshot;
};

/* Instances come first. */
void made_instance(struct made_tree *tree, struct eprof_row row);
struct eprof_row *made_scope(struct made_tree *tree, uint32_t depth, const char *name,
                             uint64_t calls, uint64_t self_ns);
struct eprof_row *made_function(struct made_tree *tree, uint32_t depth, const char *name,
                                uint64_t calls, uint64_t self_ns);

/* Diagnostics come last. */
void made_diagnostics(struct made_tree *tree, const char *name, uint64_t count);
struct eprof_snapshot *made_snapshot(struct made_tree *tree);

enum { US = 1000, MS = 1000000 };

/* A small server: two sites of one name, one call that is open, one that was rejected. */
void make_server_tree(struct made_tree *tree);

/* As many shapes as fit: a fan, a chain without time of its own, recursion, long names. */
void make_shapes(struct made_tree *tree);

/* Two threads under one name are two, each with a tree and tops of its own. */
void make_thread_trees(struct made_tree *tree);

/* Instances beside scopes, a fan of two that is cut to one line each. */
void make_both(struct made_tree *tree);

/* Names that are to harm the terminal, to pass for others, or to break the lines. */
void make_hostile_tree(struct made_tree *tree);
/* Also with the options of the format. */
char *reported_tree(struct made_tree *tree, const char *format);
void assert_golden_tree(void (*make_one)(struct made_tree *tree), const char *format,
                        const char *file);

#endif /* MADE_SNAPSHOT_H */
