/*
 * made_snapshot.h - snapshots made by hand, of instances and of call trees, and reports of them
 *
 * Scopes are added in the order of a walk of the tree, with their depth and self time; the other
 * figures are computed from these. Rows belong to the thread that was named last. All memory is
 * released when the test ends (kept.h).
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

/* A row of diagnostics with other fields set too: a report must show only its name and count. */
struct eprof_row diagnostics(const char *name, uint64_t count);
void make(struct made *made, size_t instances, size_t diagnostics);
void make_empty(struct made *made);

/* The example that the format of the table was specified with. */
void make_contract(struct made *made);
void make_mixed(struct made *made);

/* One row in which all figures are different. */
void make_figures(struct made *made);
void make_threads(struct made *made);
void make_ticks(struct made *made);
void make_raw(struct made *made);
void make_hostile(struct made *made);

/* ------------------------------------------------------- reports in memory -- */

/* The text of the report. */
char *reported(const struct eprof_snapshot *snapshot, const char *format);

/* The text of the report on a stored image. */
char *reported_image(const struct ep_image *image, const char *format);

/* The text of the file. */
char *golden_in(const char *folder, const char *name);
#define golden(name) golden_in(EPROF_GOLDEN_DIR, name)
void assert_golden(void (*make_one)(struct made *made), const char *format, const char *file);

/* Line `number` of the text, without the newline. */
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

/* Instances must be added first. */
void made_instance(struct made_tree *tree, struct eprof_row row);
struct eprof_row *made_scope(struct made_tree *tree, uint32_t depth, const char *name,
                             uint64_t calls, uint64_t self_ns);
struct eprof_row *made_function(struct made_tree *tree, uint32_t depth, const char *name,
                                uint64_t calls, uint64_t self_ns);

/* Diagnostics must be added last. */
void made_diagnostics(struct made_tree *tree, const char *name, uint64_t count);
struct eprof_snapshot *made_snapshot(struct made_tree *tree);

enum { US = 1000, MS = 1000000 };

/* A small server: two sites with one name, one open call, one rejected call. */
void make_server_tree(struct made_tree *tree);

/* Many shapes of trees: a fan, a chain without self time, recursion, long names. */
void make_shapes(struct made_tree *tree);

/* Two threads with the same name stay two, each with its own tree and its own tops. */
void make_thread_trees(struct made_tree *tree);

/* Instances and scopes in one snapshot, and a fan of two that is cut to one line each. */
void make_both(struct made_tree *tree);

/* Names that try to harm the terminal, to look like other names, or to break lines. */
void make_hostile_tree(struct made_tree *tree);
/* The text of the report. `format` may contain the options of the format. */
char *reported_tree(struct made_tree *tree, const char *format);
void assert_golden_tree(void (*make_one)(struct made_tree *tree), const char *format,
                        const char *file);

#endif /* MADE_SNAPSHOT_H */
