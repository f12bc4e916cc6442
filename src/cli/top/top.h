/*
 * cli/top/top.h - `eprof top`: what a program records, shown while it runs
 */
#ifndef EP_CLI_TOP_TOP_H
#define EP_CLI_TOP_TOP_H

#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>

#include "cli/load.h"
#include "image/read.h"
#include "report/format.h"
#include "report/sheet.h"
#include "snapshot/series.h"

/* ---- columns: the figures of a line; lines can be sorted by each ---- */

enum ep_top_column {
    EP_TOP_SELF_RATE,
    EP_TOP_TOTAL_RATE,
    EP_TOP_CALLS_RATE,
    EP_TOP_NOW,
    EP_TOP_MEAN,
    EP_TOP_P99,
    EP_TOP_SELF,
    EP_TOP_TOTAL,
    EP_TOP_CALLS,
    EP_TOP_CPU, /* shown if processor time was recorded */
    EP_TOP_WAIT,
    EP_TOP_FIGURES, /* the number of those above */
    EP_TOP_NAME = EP_TOP_FIGURES,
    EP_TOP_COLUMNS
};

/* For a message. */
#define EP_TOP_COLUMN_NAMES                                                                        \
    "self/s, total/s, calls/s, now, mean, p99, self, total, calls, cpu, wait, name"

/* EP_TOP_COLUMNS: no column has this name. */
enum ep_top_column ep_top_lines_column_find(const char *name);
const char *ep_top_lines_column_name(enum ep_top_column column);

/* ---- the view: what keys change ---- */

enum { EP_TOP_FILTER_BYTES = 128 };

struct ep_top_view {
    enum ep_top_column sort;
    bool by_path; /* a line for each path; else for each region */
    bool is_paused;
    bool is_typing;                   /* the filter is being typed */
    char filter[EP_TOP_FILTER_BYTES]; /* the filter, perhaps incomplete; "": none */
    char former[EP_TOP_FILTER_BYTES]; /* the filter before it was typed */
    size_t first;                     /* the line at the top */
    size_t room;                      /* the number of lines shown; 0: all */
};

/* Whether a name contains the filter or, if that has characters of fnmatch(), matches it. */
bool ep_top_lines_view_has(const struct ep_top_view *view, const char *name);
/* Lowers `first` if fewer than `room` of all `lines` lines would be shown. */
void ep_top_lines_view_fit(struct ep_top_view *view, size_t lines);

enum ep_top_wish {
    EP_TOP_WISH_NOTHING,
    EP_TOP_WISH_DRAW, /* the view has changed */
    EP_TOP_WISH_QUIT
};

/* Applies the bytes of one or several keys. Unknown and incomplete sequences are ignored. */
enum ep_top_wish ep_top_keys_take(struct ep_top_view *view, const char *bytes, size_t count);

/* ---- the command line ---- */

struct ep_top_options {
    const char *target;   /* a file, or a process id */
    uint64_t interval_ns; /* from one refresh to the next */
    size_t frames;        /* the command ends after so many; 0: no end */
    size_t lines;         /* at most so many are shown; 0: those that there is room for */
    bool is_raw;
    const char *debug_directory; /* also searched for separate debug information; NULL: none */
    struct ep_top_view view;     /* at the beginning */
};

/* Exits on a wrong command line and on --help. */
struct ep_top_options ep_top_options_read(int argc, char **argv);

/* ---- a sight: the figures at one moment, and their growth since the sight before ---- */

/* All zero: no sight. */
struct ep_top_sight {
    struct eprof_snapshot *snapshot;
    struct ep_growths growths; /* in elapsed_ns */
    uint64_t elapsed_ns;       /* since the sight before, or since the start; 0: not known */
    bool is_of_all; /* elapsed_ns is all the time since the program began, or was reset */
    enum ep_image_life state;
    uint64_t monotonic_ns;     /* when the image was read */
    uint64_t age_ns;           /* for how long the program had recorded by then; 0: not known */
    bool is_age_estimated;     /* with an error of at most an eighth */
    uint64_t reset_generation; /* that of the last reset */
};

/* Finds growths and elapsed_ns. 0, or -1 and ENOMEM. */
int ep_top_watch_sight_compare(struct ep_top_sight *sight, const struct ep_top_sight *before);
/* Whether both are sights of one process. */
bool ep_top_watch_sight_is_of_same(const struct ep_top_sight *a, const struct ep_top_sight *b);

/* ---- a file that is read again and again ---- */

struct ep_top_target {
    char path[PATH_MAX]; /* opened at each refresh, since another file may replace it */
    int file;            /* the image of a process, which `path` leads to; else -1 */
};

/* `name` is a process id if it has only digits, unless a file has this name. The image of a process
 * stays open, so that it can be read after the process has ended, wherever its file is. Returns 0,
 * or -1 with a complaint. */
int ep_top_target_open(struct ep_top_target *target, const char *name);
void ep_top_target_close(struct ep_top_target *target);

/* Text that is shown with the sight. */
struct ep_top_notes {
    const char *name; /* of the file or process, as the user wrote it */
    uint64_t runs;    /* the number of programs that have recorded into the file so far */
    const char *why;  /* why it could not be read again, to end a line; NULL: it could */
};

struct ep_top_watch {
    struct ep_top_target target;
    struct ep_look_up look_up;
    struct ep_top_sight sight; /* the last one */
    struct ep_top_notes notes;
    struct stat seen; /* the file of the last sight */
    char why[160];    /* for notes.why */
    bool is_raw;
    uint64_t interval_ns;
    uint64_t due_ns; /* the time of the next sight, of CLOCK_MONOTONIC */
};

/* Takes the first sight. Returns 0, or -1 with a complaint. */
int ep_top_watch_open(struct ep_top_watch *watch, const struct ep_top_options *options);
/* Takes another sight. Returns 0; or -1, then the last sight stays, and the notes say why. */
int ep_top_watch_look(struct ep_top_watch *watch);
void ep_top_watch_close(struct ep_top_watch *watch);

/* ---- lines: a region or a path each ---- */

struct ep_top_line {
    const struct eprof_row *row;
    const struct ep_growth *growth;
    uint64_t key;  /* its figure in the column that lines are sorted by */
    size_t number; /* the index of the row, or of the top function */
    struct ep_site_mark mark;
};

struct ep_top_lines {
    struct ep_top_line *at; /* those that pass the filter, sorted */
    size_t count;
    size_t functions, scopes, instances, values; /* among them */
};

/* The rows still belong to the snapshot. 0, or -1 and ENOMEM. */
int ep_top_lines_make(struct ep_top_lines *lines, const struct ep_top_sight *sight,
                      const struct ep_top_view *view);
void ep_top_lines_free(struct ep_top_lines *lines);
/* Writes the lines that the view shows and, if `says_rest`, how many more there are below. Without
 * memory the output fails. */
void ep_top_lines_list(struct ep_output *out, const struct ep_top_sight *sight,
                       const struct ep_top_lines *lines, const struct ep_top_view *view,
                       const struct ep_report_sheet_style *style, bool says_rest);

/* ---- a frame: the lines about the program, the list, the keys ---- */

struct ep_top_terminal {
    struct ep_report_sheet_style style;
    size_t rows; /* 0: it is no terminal, and there are no keys */
    size_t most; /* lines of the list; 0: those that there is room for */
};

/* How many lines are about the program, on a terminal of so many rows. */
size_t ep_top_frame_head_lines(const struct ep_top_sight *sight, const struct ep_top_notes *notes,
                               size_t rows);
/* Writes a frame. Sets `room` of the view and lowers `first` to fit. No memory: `out` fails. */
void ep_top_frame_write(struct ep_output *out, const struct ep_top_sight *sight,
                        struct ep_top_view *view, const struct ep_top_notes *notes,
                        const struct ep_top_terminal *terminal);

/*
 * ---- the terminal: the alternate screen, and keys one by one ----
 *
 * The command awaits signals and has no handlers for them. So it restores the terminal before it
 * ends, unless SIGKILL or a fault of its own ends it. While the command is stopped (^Z), the
 * terminal is as the shell left it.
 */

struct ep_top_screen {
    struct termios before; /* the former state of the terminal */
    sigset_t mask_before;  /* the former signal mask */
    int signals;           /* a signalfd of the signals that are awaited */
};

enum ep_top_event {
    EP_TOP_EVENT_TIME,  /* the time was reached */
    EP_TOP_EVENT_KEYS,  /* there are bytes */
    EP_TOP_EVENT_DRAW,  /* the terminal has another size, or was used by others */
    EP_TOP_EVENT_SIGNAL /* a signal to end, or the terminal is gone */
};

struct ep_top_input {
    char bytes[256];
    size_t count;
    int signal; /* 0: the terminal is gone */
};

/* Standard input and output are a terminal. 0, or -1 and errno. */
int ep_top_screen_open(struct ep_top_screen *screen);
void ep_top_screen_close(struct ep_top_screen *screen);

/* 24 rows and 80 columns if the size is not known. */
struct winsize ep_top_screen_size(void);
/* Replaces what is shown by the first `rows` lines of a text, in one write. 0, or -1 and errno. */
int ep_top_screen_show(const char *text, size_t rows);

/* Waits until a time of CLOCK_MONOTONIC; UINT64_MAX: for ever. */
enum ep_top_event ep_top_screen_wait(struct ep_top_screen *screen, uint64_t until_ns,
                                     struct ep_top_input *input);

#endif /* EP_CLI_TOP_TOP_H */
