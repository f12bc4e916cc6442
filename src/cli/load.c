#include "cli/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/complain.h"
#include "image/names.h"
#include "image/read.h"

/* ---- a progress bar: one line of stderr, if that is a terminal ---- */

enum { HUNDREDTHS = 100, BAR_COLUMNS = 25 };

struct progress {
    size_t steps, done;
    bool is_seen;
    unsigned shown; /* hundredths that are drawn */
};

/* Moves to the beginning of the line, and clears the line (ECMA-48: EL). */
#define BEGIN_LINE "\r\033[K"

/* Draws only if the bar looks different. */
static void progress_step(struct progress *progress)
{
    char bar[BAR_COLUMNS + 1] = "";
    unsigned reached = (unsigned)(++progress->done * HUNDREDTHS / progress->steps);
    if (!progress->is_seen || reached == progress->shown)
        return;
    progress->shown = reached;
    for (unsigned i = 0; i < BAR_COLUMNS; i++)
        bar[i] = i < reached * BAR_COLUMNS / HUNDREDTHS ? '#' : '.';
    fprintf(stderr, BEGIN_LINE "reading [%s] %zu of %zu", bar, progress->done, progress->steps);
}

/* ---- one profile file ---- */

/* Also reports that a file is still being written, unless `is_again`: then it was reported before.
 * Returns 0, or -1 with a complaint. */
static int load_profile(const char *path, struct ep_image *image, bool is_again)
{
    struct ep_image_file_state state;
    const char *why;
    struct ep_image_moment moment = ep_image_read_moment_take();
    if (ep_image_read(path, image, &state, &why) != 0) {
        ep_complain(path, "%s", why);
        return -1;
    }
    if (!state.is_being_written)
        return 0;
    bool is_of_now = ep_image_read_moment_put(image, &moment); /* else its clock cannot be read */
    if (!is_again)
        ep_complain(path, "its program still runs: the figures are those of now%s",
                    is_of_now ? "" : ", but open scopes have only the time of what ended in them");
    return 0;
}

/* ---- names of functions ---- */

static void complain_of_failure(int error)
{
    static const char start[] = "functions are shown by dynamic symbol, or address";
#ifdef EPROF_SYMBOLS
    ep_complain(NULL, "%s: their names cannot be looked up: %s", start,
                error == EPROTO ? "the process that does it broke off" : strerror(error));
#else
    (void)error;
    ep_complain(NULL, "%s: this eprof was built without what looks their names up", start);
#endif
}

static int ask(struct ep_look_up *look_up)
{
    char *arguments[] = {(char[]){EP_COMMAND_ITSELF}, (char[]){"symbolize"}, NULL, NULL};
    if (look_up->debug_directory &&
        asprintf(&arguments[2], "--debug-directory=%s", look_up->debug_directory) < 0) {
        errno = ENOMEM;
        return -1;
    }
    int result = ep_image_names_ask(&look_up->names, arguments);
    int error = errno;
    free(arguments[2]);
    errno = error;
    return result;
}

/* Looks up the names that were added and are not known yet. */
static void look_up_names(struct ep_look_up *look_up)
{
    const struct ep_image_names *names = &look_up->names;
    if (look_up->has_failed)
        return;
    look_up->has_failed = ask(look_up) != 0;
    if (look_up->is_quiet)
        return;
    if (look_up->has_failed)
        complain_of_failure(errno);
    for (size_t i = 0; i < names->count; i++)
        if (*names->modules[i].fault)
            ep_complain(NULL, "%s %s: its functions are shown by dynamic symbol, or address",
                        names->modules[i].path, names->modules[i].fault);
}

static int fill_in_names(struct ep_look_up *look_up, struct ep_image *image)
{
    struct ep_image_names *names = &look_up->names;
    if (names->count == 0)
        return 0;
    if (ep_image_extend(image, ep_image_names_cells(names)) != 0)
        return -1;
    return ep_image_names_fill(names, image);
}

int ep_load_look_up_name(struct ep_look_up *look_up, struct ep_image *image)
{
    if (ep_image_names_add(&look_up->names, image) != 0)
        return -1;
    look_up_names(look_up);
    return fill_in_names(look_up, image);
}

void ep_load_look_up_free(struct ep_look_up *look_up)
{
    ep_image_names_free(&look_up->names);
}

/* ---- files as one image ---- */

static int load_single(struct ep_load *load, const struct ep_load_files *files)
{
    if (load_profile(files->paths[0], &load->single, false) != 0)
        return -1;
    struct ep_look_up look_up = {.debug_directory = files->debug_directory};
    int result = ep_load_look_up_name(&look_up, &load->single);
    ep_load_look_up_free(&look_up);
    if (result == 0)
        return 0;
    ep_image_destroy(&load->single);
    return ep_complain_of_memory();
}

static void inspect_for_merge(void *merge, size_t file, const union ep_cell *header)
{
    (void)file;
    ep_merge_inspect(merge, header);
}

static int add_to_merge(void *merge, size_t file, const struct ep_image *image)
{
    (void)file;
    return ep_merge_add(merge, image);
}

static int load_several(struct ep_load *load, const struct ep_load_files *files)
{
    load->merge = ep_merge_begin(files->is_raw);
    if (!load->merge)
        return ep_complain_of_memory();
    const struct ep_load_visitor visitor = {load->merge, inspect_for_merge, add_to_merge, NULL};
    if (ep_load_each(files, &visitor) == 0)
        return 0;
    ep_merge_end(load->merge);
    return -1;
}

int ep_load_files(struct ep_load *load, const struct ep_load_files *files)
{
    load->merge = NULL;
    return files->count == 1 ? load_single(load, files) : load_several(load, files);
}

const struct ep_image *ep_load_image(const struct ep_load *load)
{
    return load->merge ? ep_merge_image(load->merge) : &load->single;
}

struct eprof_snapshot *ep_load_snapshot(const struct ep_load_files *files,
                                        struct ep_snapshot_options options)
{
    struct ep_load load;
    if (ep_load_files(&load, files) != 0)
        return NULL;
    const struct ep_image *image = ep_load_image(&load);
    struct eprof_snapshot *snapshot = image ? ep_snapshot_take_stored(image, options) : NULL;
    if (!snapshot)
        ep_complain_of_memory();
    ep_load_free(&load);
    return snapshot;
}

void ep_load_free(struct ep_load *load)
{
    if (load->merge)
        ep_merge_end(load->merge);
    else
        ep_image_destroy(&load->single);
}

/* ---- files one after the other ---- */

struct loading {
    const struct ep_load_files *files;
    const struct ep_load_visitor *visitor;
    struct ep_look_up look_up;
};

static int inspect(struct loading *loading, size_t file)
{
    struct ep_image image;
    if (load_profile(loading->files->paths[file], &image, false) != 0)
        return -1;
    loading->visitor->inspect(loading->visitor->context, file, image.cells);
    int result = ep_image_names_add(&loading->look_up.names, &image);
    ep_image_destroy(&image);
    return result == 0 ? 0 : ep_complain_of_memory();
}

static int add(struct loading *loading, size_t file)
{
    struct ep_image image;
    if (load_profile(loading->files->paths[file], &image, true) != 0)
        return -1;
    int result = fill_in_names(&loading->look_up, &image);
    if (result == 0)
        result = loading->visitor->add(loading->visitor->context, file, &image);
    ep_image_destroy(&image);
    if (result == 0 && loading->visitor->finish)
        result = loading->visitor->finish(loading->visitor->context);
    return result == 0 ? 0 : ep_complain_of_memory();
}

int ep_load_each(const struct ep_load_files *files, const struct ep_load_visitor *visitor)
{
    const size_t count = files->count;
    int result = 0;
    struct loading loading = {
        .files = files, .visitor = visitor, .look_up = {.debug_directory = files->debug_directory}};
    struct progress progress = {.steps = 2 * count, .is_seen = isatty(STDERR_FILENO)};
    for (size_t i = 0; i < count; i++, progress_step(&progress))
        if (inspect(&loading, i) != 0)
            result = -1;
    if (result == 0)
        look_up_names(&loading.look_up);
    for (size_t i = 0; i < count && result == 0; i++, progress_step(&progress))
        result = add(&loading, i);
    if (progress.shown > 0)
        fputs(BEGIN_LINE, stderr);
    ep_load_look_up_free(&loading.look_up);
    return result;
}
