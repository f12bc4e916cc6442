/*
 * serve/serve.h - `eprof serve`: an HTTP server over image files
 *
 * The server process only speaks HTTP (http.c, libmicrohttpd). It reads no image. Each answer is
 * written by a child process, the renderer (renderer.c), into a temporary file without a name, and
 * sent from there, so neither an image nor a client takes memory of the server. One renderer runs
 * at a time, with a limit of memory and of time; if an image ends it, that image is left out until
 * the image changes.
 */
#ifndef EP_SERVE_SERVE_H
#define EP_SERVE_SERVE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/hash.h"
#include "base/memory.h"
#include "cli/load.h"
#include "image/read.h"

/* ---- the answer to a request: the page that it asks for (route.c) ---- */

enum ep_serve_page {
    EP_SERVE_LIST,    /* of processes */
    EP_SERVE_REPORT,  /* on one process, in any format */
    EP_SERVE_METRICS, /* of all processes, for Prometheus */
    EP_SERVE_PROFILE, /* pprof, of a number of seconds */
    EP_SERVE_MOVED    /* to `location` */
};

enum { EP_SERVE_FORMAT_BYTES = 256, EP_SERVE_MOST_SECONDS = 3600 };

struct ep_serve_route {
    enum ep_serve_page page;
    char process[PATH_MAX];             /* an id, or the name of an image; "": all */
    char format[EP_SERVE_FORMAT_BYTES]; /* of a report, as --format takes it */
    unsigned seconds;                   /* of a profile */
    unsigned first;                     /* of a list: so many processes come before */
    char location[PATH_MAX + 8];        /* relative, escaped */
};

/* Reads the target of a request line ("/p/12/?a=b", escaped). Returns the status: 200, 301, 400 or
 * 404, for the last two with *why as a line. */
int ep_serve_route_read(const char *target, struct ep_serve_route *route, const char **why);

/* Whether a Host header (RFC 9110, 7.2) has an address or localhost, and no other name. A page of
 * another site can give its own name this machine's address and so read the answers, but then its
 * name is in the header (DNS rebinding). */
bool ep_serve_route_is_local(const char *host);

/* ---- the images that are served (images.c) ---- */

/* A folder or a file of the command line. */
struct ep_serve_root {
    const char *path;   /* of the folder */
    const char *file;   /* its only file that is served; NULL: all */
    const char *prefix; /* of the names of its images, if several roots are served */
};

struct ep_serve_roots {
    struct ep_serve_root *at;
    size_t count, room;
    struct ep_arena texts;
};

/* Adds a folder or a file, which must exist. 0, or -1 and errno. */
int ep_serve_images_add_root(struct ep_serve_roots *roots, const char *path);
void ep_serve_images_free_roots(struct ep_serve_roots *roots);

/* A file, and when it was changed last. */
struct ep_serve_version {
    uint64_t device, inode, changed_ns;
};

struct ep_serve_image {
    const struct ep_serve_root *root;
    const char *file; /* its name in the folder */
    const char *name; /* unique: the file; of several roots, with what the command line has */
    struct ep_serve_version version;
    uint64_t modified_ns; /* by CLOCK_REALTIME */
    uint64_t process_id, realtime_ns;
    enum ep_image_life life;
    const char *fault; /* why it cannot be read; NULL: its header can */
};

/* Running processes first, then the newest. All zero: none. */
struct ep_serve_images {
    struct ep_serve_image *at;
    size_t count, room;
    struct ep_arena texts;
};

/* Finds the images of all roots. A folder that does not exist has none. 0, or -1 and ENOMEM. */
int ep_serve_images_find(struct ep_serve_images *images, const struct ep_serve_roots *roots);
void ep_serve_images_free(struct ep_serve_images *images);
/* The first image of a process, by its id, else by its name. NULL: none. */
const struct ep_serve_image *ep_serve_images_of(const struct ep_serve_images *images,
                                                const char *process);
/* Identifies the process of an image for some minutes: its id may be used again, and so may the
 * name of its file. */
struct ep_wide ep_serve_images_key(const struct ep_serve_image *image);

/* ---- a rendering (renderer.c): a child process writes an answer ---- */

enum ep_serve_type {
    EP_SERVE_TEXT,
    EP_SERVE_HTML,
    EP_SERVE_JSON,
    EP_SERVE_CSV,
    EP_SERVE_PROMETHEUS,  /* the text format of Prometheus */
    EP_SERVE_OPENMETRICS, /* the same text, for a client that asks for OpenMetrics */
    EP_SERVE_BYTES
};

/* In memory that both processes share. */
struct ep_serve_result {
    int status; /* of HTTP; 0: the renderer has not finished */
    enum ep_serve_type type;
    bool is_gzip;                    /* the answer is compressed */
    struct ep_serve_version reading; /* the image that is being read */
    uint64_t images_begun;           /* tells a slow renderer from one that hangs */
};

struct ep_serve_settings {
    struct ep_serve_roots roots;
    const char *listen;
    bool is_local;               /* it listens at a loopback address */
    size_t memory_mib;           /* of the server and its renderer */
    uint64_t ended_ns;           /* /metrics leaves out processes that ended longer ago; 0: none */
    const char *debug_directory; /* as in struct ep_load_files */
};

struct ep_serve_task {
    const struct ep_serve_settings *settings;
    const struct ep_serve_route *route;
    bool wants_openmetrics, takes_gzip;
    FILE *answer;
    FILE *before;   /* of a profile: the figures of its first moment; NULL: `answer` gets them */
    FILE *counters; /* of metrics: what was reported before; NULL: nothing */
    FILE *counted;  /* of metrics: gets what is reported now */
    const struct ep_serve_version *left_out; /* images that have ended a renderer */
    size_t left_out_count;
    struct ep_serve_result *result;
    struct ep_look_up look_up;
};

/* A process at one moment. */
struct ep_serve_sight {
    struct eprof_snapshot *snapshot;
    enum ep_image_life life;
    uint64_t reset_generation;
    uint64_t age_ns; /* for how long the program has recorded; 0: not known */
};

/* Reads an image. Returns the status of HTTP: 200, or another one and `why`, a line. */
enum { EP_SERVE_WHY_BYTES = 256 };
int ep_serve_images_take(struct ep_serve_task *task, const struct ep_serve_image *image,
                         struct ep_snapshot_options options, struct ep_serve_sight *sight,
                         char why[EP_SERVE_WHY_BYTES]);

/* A new file without a name, in the folder that TMPDIR names, in /var/tmp or in /tmp (temporary.c).
 * -1, or NULL, and errno. */
int ep_serve_temporary_file(void);
FILE *ep_serve_temporary(void);
/* The stream of such a file, which is closed with it. NULL: `file` is below 0, or no memory. */
FILE *ep_serve_temporary_stream(int file);
/* Copies a whole file to the end of another. 0, or -1 and errno. */
int ep_serve_temporary_copy(FILE *from, FILE *to);

/*
 * The figures that /metrics has reported, so that no counter of a process falls (counters.c, see
 * snapshot/monotonic.h). It is in a file, not in memory; each answer reads it and writes the next.
 */
struct ep_serve_counters {
    FILE *before; /* NULL: nothing was reported */
    FILE *after;
    struct ep_fingerprint_table places; /* of the processes in `before` */
};

/* 0, or -1 and errno. */
int ep_serve_counters_open(struct ep_serve_counters *counters, FILE *before, FILE *after);
/* Raises the figures of a process to those that were reported, and records what is reported now. 0,
 * or -1 and errno; with ENOMEM there is no record of the process any more, so that its counters
 * begin anew, and the other processes can go on. */
int ep_serve_counters_raise(struct ep_serve_counters *counters, const struct ep_serve_image *image,
                            const struct ep_serve_sight *sight);
/* The image cannot be read now: what was reported of it stays, unless there is no memory for it. 0,
 * or -1 and errno. */
int ep_serve_counters_keep(struct ep_serve_counters *counters, const struct ep_serve_image *image);
void ep_serve_counters_close(struct ep_serve_counters *counters);

/* Whether an Accept-Encoding header (RFC 9110, 12.5.3; NULL: none) has gzip. gzip.c: only with
 * EPROF_PPROF. */
bool ep_serve_gzip_is_accepted(const char *codings);
/* Replaces an answer by the same, compressed, unless that fails. 0, or -1 and errno: the answer is
 * lost. */
int ep_serve_gzip(FILE *answer, bool *is_gzip);

/* Writes the answer of a task and sets the result (answer.c). */
void ep_serve_answer(struct ep_serve_task *task);

/* The pages that may need all images. Each returns the status; for one that is not 200 the line for
 * the client is in `why`. */
int ep_serve_list(struct ep_serve_task *task, const struct ep_serve_images *images, char *why);
int ep_serve_metrics(struct ep_serve_task *task, const struct ep_serve_images *images, char *why);
/* Without a first moment it records the figures of that. Only with EPROF_PPROF. */
int ep_serve_profile(struct ep_serve_task *task, const struct ep_serve_images *images, char *why);

/* ---- the queue of requests that wait for the renderer (queue.c) ---- */

enum ep_serve_state {
    EP_SERVE_WAITS,   /* for the renderer */
    EP_SERVE_RENDERS, /* the renderer works on it */
    EP_SERVE_PAUSES,  /* a profile, between its two moments */
    EP_SERVE_DONE
};

struct ep_serve_request {
    struct ep_serve_request *next;
    enum ep_serve_state state;
    struct ep_serve_route route;
    bool wants_openmetrics, takes_gzip;
    int answer, before; /* files, as in struct ep_serve_task; -1: none */
    unsigned tries;     /* with images that ended the renderer */
    uint64_t due_ns;    /* when its pause ends */
    int status;         /* of HTTP */
    enum ep_serve_type type;
    bool is_gzip;
    const char *why;              /* a line in place of an answer; NULL: none */
    uint64_t bytes, before_bytes; /* of the two files */
};

/* More than `eprof serve` is tested with; they take 384 KiB. */
enum { EP_SERVE_LEFT_OUT_MOST = 16384 };

struct ep_serve_renderer {
    pid_t process;                     /* 0: none runs */
    struct ep_serve_result *result;    /* shared with it */
    uint64_t begun_seen, seen_ns;      /* its last progress, and when that was seen */
    int counters, counted;             /* files; -1: none */
    struct ep_serve_version *left_out; /* a ring of at most EP_SERVE_LEFT_OUT_MOST */
    size_t left_out_count, left_out_room, left_out_next;
};

struct ep_serve_queue {
    const struct ep_serve_settings *settings;
    struct ep_serve_request *first;
    struct ep_serve_renderer renderer;
    uint64_t stored_bytes; /* of the answers that clients have not read yet, and of first moments */
};

/* 0, or -1 and errno. */
int ep_serve_renderer_open(struct ep_serve_renderer *renderer);
void ep_serve_renderer_close(struct ep_serve_renderer *renderer);
/* Starts it for a request. 0, or -1 and errno. */
int ep_serve_renderer_start(struct ep_serve_renderer *renderer,
                            const struct ep_serve_settings *settings,
                            const struct ep_serve_request *request);
void ep_serve_renderer_kill(struct ep_serve_renderer *renderer);
/* Whether it has ended; one that hangs is ended. */
bool ep_serve_renderer_has_ended(struct ep_serve_renderer *renderer, uint64_t now_ns);
/* After a renderer that has failed: leaves the image out that it was reading. False: it was reading
 * none. */
bool ep_serve_renderer_leave_out(struct ep_serve_renderer *renderer);

void ep_serve_queue_add(struct ep_serve_queue *queue, struct ep_serve_request *request);
/* The client is gone, or has its answer: closes the files of the request, which may be in the
 * queue. */
void ep_serve_queue_drop(struct ep_serve_queue *queue, struct ep_serve_request *request);
/* Goes on with all requests. Returns one that is done, no longer in the queue; NULL: none. */
struct ep_serve_request *ep_serve_queue_step(struct ep_serve_queue *queue, uint64_t now_ns);
/* When it has to be called again at the latest; SIGCHLD is another reason. UINT64_MAX: never. */
uint64_t ep_serve_queue_due_ns(const struct ep_serve_queue *queue);

/* ---- HTTP (http.c) ---- */

/* Serves on the socket until SIGTERM, SIGINT or SIGHUP, which are blocked, arrives at `signals`, a
 * signalfd that also has SIGCHLD. 0, or -1 and errno. */
int ep_serve_http_run(const struct ep_serve_settings *settings, int socket, int signals);

#endif /* EP_SERVE_SERVE_H */
