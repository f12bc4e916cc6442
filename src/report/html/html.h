/*
 * html.h - the parts of an html page, some of which the page of a comparison has as well
 *
 * For all threads and for each thread a page has a flame graph, a call tree and the top functions.
 */
#ifndef EP_REPORT_HTML_HTML_H
#define EP_REPORT_HTML_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/output.h"
#include "report/format.h"
#include "report/tree_choice.h"
#include "snapshot/flame.h"
#include "snapshot/part.h"
#include "snapshot/snapshot.h"

/* One tree of the page: its snapshot, and the first letter of its rows' anchors. */
struct ep_page {
    struct ep_output *out;
    const struct eprof_snapshot *snapshot;
    char prefix; /* row 12 is at #r12, or by threads at #t12 */
};

/* ---- the page around its trees (page.c) ---- */

/* page.css in parts, NULL after the last, and its digest in base64; the build makes both. */
extern const char *const ep_report_html_page_css[];
extern const char ep_report_html_page_css_sha256[];

/* Writes the beginning of the page up to its title, which the caller writes as text. */
void ep_report_html_page_head_begin(struct ep_output *out);
/* Writes the page from the end of its title to the end of <head>. */
void ep_report_html_page_head_end(struct ep_output *out);

/* Facts below the headline: a name and its value, which is text, a number, or elements that are
 * written between begin and end. */
void ep_report_html_page_fact(struct ep_output *out, const char *name, const char *value);
void ep_report_html_page_fact_count(struct ep_output *out, const char *name, uint64_t count);
void ep_report_html_page_fact_begin(struct ep_output *out, const char *name);
void ep_report_html_page_fact_end(struct ep_output *out);

/* The command line of the program, as text. */
void ep_report_html_page_program(struct ep_output *out, const struct eprof_snapshot *snapshot);
/* The lines of ep_report_notes_write(), as a list. */
void ep_report_html_page_notes(struct ep_output *out, const struct eprof_snapshot *snapshot);

/* ---- names, figures and drawings (cells.c) ---- */

/* A name as an element, so that its direction does not change that of the text around it. An empty
 * name is shown as "(empty)". */
void ep_report_html_cells_text(struct ep_output *out, const char *name);
/* The same where no element is allowed: in a drawing, in a title. */
void ep_report_html_cells_bare_text(struct ep_output *out, const char *name);
/* The name, with file and line if another row has the same name, and with open calls and errors. */
void ep_report_html_cells_name(struct ep_output *out, const struct eprof_row *row,
                               bool is_ambiguous);

/* The number of calls, and how many of them are not recursive, if some are. */
void ep_report_html_cells_calls(struct ep_output *out, const struct eprof_row *row);
/* A duration as an element that has the exact value, as well as a short one. */
void ep_report_html_cells_data(const struct ep_page *page, uint64_t ns);
/* A time of a row with its error, see ep_report_format_row_time(); */
void ep_report_html_cells_time(const struct ep_page *page, const struct eprof_row *row,
                               const struct ep_site_mark *mark, size_t offset);
/* the same as an element that has the exact value, if it is known. */
void ep_report_html_cells_time_data(const struct ep_page *page, const struct eprof_row *row,
                                    const struct ep_site_mark *mark, size_t offset);
/* The name and all exact figures: "parse 12 calls, total 1234567 ns, ...". */
void ep_report_html_cells_all(const struct ep_page *page, const struct eprof_row *row,
                              const struct ep_site_mark *mark);
/* "… 12 more threads", where `what` is " threads"; nothing for 0. */
void ep_report_html_cells_rest(struct ep_output *out, size_t left_out, const char *what);
/* A bar: `part` of `whole`, and in it `self`; and the share as a number. `error` is half of the
 * interval of `part`, which a whisker shows; 0: none. */
void ep_report_html_cells_bar(const struct ep_page *page, uint64_t part, uint64_t self,
                              uint64_t whole, uint64_t error);
/* Writes nothing if all times are alike. */
void ep_report_html_cells_sparkline(const struct ep_page *page,
                                    const struct ep_sparkline *sparkline);

/* A bar for each process, of its time at the path of a row, that of the slowest one in another
 * colour; of many processes a strip. */
void ep_report_html_cells_balance(const struct ep_page *page, size_t row);
/* What the bars are, as text. The snapshot has groups of processes. */
void ep_report_html_cells_balance_title(const struct ep_page *page);

/* ---- trees and tables (tree.c) ---- */

/* Shows the chosen lines of one tree. */
void ep_report_html_tree(const struct ep_page *page, const struct ep_tree_choice *choice);
void ep_report_html_tree_list_tops(const struct ep_page *page, const struct ep_part *part);
/* All instances, as a section; nothing if there are none. */
void ep_report_html_tree_list_instances(const struct ep_page *page);
/* The same of all values. */
void ep_report_html_tree_list_values(const struct ep_page *page);

/*
 * Flame graphs (flame.c)
 *
 * Boxes are positioned in percent of the graph's width, so that it is as wide as the window. Each
 * is an <svg> of its own, which clips its name and does not stretch it. The whole is at the top,
 * and the callees of a box are below it.
 */

/* A position in the page: #r12; none where the prefix is '\0'. */
struct ep_page_anchor {
    char prefix;
    size_t number;
};

struct ep_page_box {
    const char *style;                    /* its class, which colours it */
    double start, wide;                   /* parts of the graph's width */
    uint32_t level;                       /* 0: the whole */
    bool is_hatched;                      /* marked by more than a colour */
    struct ep_page_anchor anchor, target; /* where it is, and where it leads to */
};

/* Makes a graph of at most `boxes_most` boxes. 0, or -1 and ENOMEM; ep_flame_free() in any case. */
int ep_report_html_flame_make(struct ep_flame *flame, const struct eprof_snapshot *snapshot,
                              const struct ep_part *part, size_t boxes_most);
/* The beginning of the drawing, which ends by "</svg>". */
void ep_report_html_flame_begin(struct ep_output *out, const struct ep_flame *flame,
                                const char *name);

/* A box is written in three steps: begin; its title as text, which a browser shows at the mouse;
 * end, with a sign as html and the name as text. */
void ep_report_html_flame_box_begin(struct ep_output *out, const struct ep_page_box *box);
void ep_report_html_flame_box_end(struct ep_output *out, const struct ep_page_box *box,
                                  const char *sign, const char *name);

/* Defines the pattern of hatched boxes, once in a page that has such boxes. */
void ep_report_html_flame_box_define_hatch(struct ep_output *out);
/* Writes sentences on the rows that have no box, each after a blank. */
void ep_report_html_flame_box_left_out(struct ep_output *out, const struct ep_flame *flame);

/*
 * The graph of one tree, of at most `boxes_most` boxes. A box is as hot as its scope's self time.
 * It leads to its row in the page, or to the nearest ancestor that is shown: `is_shown` has a flag
 * for each row from part->first on; NULL: all are shown.
 */
void ep_report_html_flame(const struct ep_page *page, const struct ep_part *part,
                          const bool *is_shown, size_t boxes_most);

#endif /* EP_REPORT_HTML_HTML_H */
