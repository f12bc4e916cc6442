#include "cli/run_files.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output.h"
#include "image/check.h"
#include "report/format.h"

/* ---- patterns of names ---- */

#define ENDING ".eprof"

/* Writes an escape before each of the special bytes. */
static void write_escaped(struct ep_output *out, const char *text, const char *special, char escape)
{
    for (; *text; text++) {
        ep_output_repeat(out, escape, strchr(special, *text) != NULL);
        ep_output_bytes(out, text, 1);
    }
}

/* The texts for the parts of a pattern. */
struct rendering {
    const char *run;     /* for %n */
    const char *process; /* for %p */
    const char *percent; /* for %%, and for a % before any other character */
    const char *special; /* bytes that need a backslash before them */
};

static void render(struct ep_output *out, const char *pattern, struct rendering as)
{
    for (const char *c = pattern; *c; c++) {
        if (*c != '%') {
            ep_output_repeat(out, '\\', strchr(as.special, *c) != NULL);
            ep_output_bytes(out, c, 1);
        } else if (c[1] == 'n' || c[1] == 'p') {
            ep_output_text(out, *++c == 'n' ? as.run : as.process);
        } else {
            ep_output_text(out, as.percent);
            c += c[1] == '%';
        }
    }
}

struct number {
    char text[sizeof "18446744073709551615"]; /* 2^64 - 1 */
};

static struct number number_text(uint64_t value)
{
    struct number number;
    snprintf(number.text, sizeof number.text, "%" PRIu64, value);
    return number;
}

char *ep_run_files_pattern_of_program(const char *program)
{
    struct ep_text_output text;
    if (ep_output_text_open(&text) != 0)
        return NULL;
    /* in a pattern a percent sign is doubled */
    write_escaped(&text.out, ep_report_format_label_base_name(program), "%", '%');
    ep_output_text(&text.out, ENDING);
    return ep_output_text_close(&text);
}

bool ep_run_files_pattern_has(const char *pattern, char letter)
{
    for (const char *c = pattern; (c = strchr(c, '%')) != NULL; c += c[1] ? 2 : 1)
        if (c[1] == letter)
            return true;
    return false;
}

char *ep_run_files_pattern_for_several(const char *pattern)
{
    size_t bytes = strlen(pattern), ending = strlen(ENDING);
    bool has_ending = bytes > ending && strcmp(pattern + bytes - ending, ENDING) == 0;
    char *several;
    int before = (int)(has_ending ? bytes - ending : bytes);
    return asprintf(&several, "%.*s.%%n%s", before, pattern, pattern + before) < 0 ? NULL : several;
}

char *ep_run_files_pattern_of_run(const char *pattern, uint64_t run)
{
    bool is_absolute = pattern[0] == '/';
    struct ep_text_output text;
    char *path = NULL, *directory = is_absolute ? NULL : getcwd(NULL, 0);
    if ((is_absolute || directory) && ep_output_text_open(&text) == 0) {
        if (directory) {
            write_escaped(&text.out, directory, "%", '%');
            ep_output_text(&text.out, "/");
        }
        render(&text.out, pattern, (struct rendering){number_text(run).text, "%p", "%%", ""});
        path = ep_output_text_close(&text);
    }
    free(directory);
    return path;
}

/* The library appends ".PID" in a forked child if the path has no %p. */
static char *rendered(const char *pattern, struct rendering as, bool is_forked)
{
    struct ep_text_output text;
    if (ep_output_text_open(&text) != 0)
        return NULL;
    render(&text.out, pattern, as);
    if (is_forked)
        ep_output_print(&text.out, ".%s", as.process);
    return ep_output_text_close(&text);
}

char *ep_run_files_pattern_path(const char *pattern, uint64_t process_id, bool is_forked)
{
    struct number number = number_text(process_id);
    return rendered(pattern, (struct rendering){"%n", number.text, "%", ""}, is_forked);
}

char *ep_run_files_pattern_glob(const char *pattern, bool is_forked)
{
    return rendered(pattern, (struct rendering){"%n", "[0-9]*", "%", "*?[\\"}, is_forked);
}

/* ---- the value of EPROF= for the program ---- */

/* A final backslash escapes nothing now, but would escape the comma that is appended. */
static bool ends_in_a_plain_backslash(const char *items)
{
    bool is_escaping = false;
    for (const char *c = items; *c; c++)
        is_escaping = *c == '\\' && !is_escaping;
    return is_escaping;
}

char *ep_run_files_items(const char *before, const char *image, const char *source)
{
    struct ep_text_output text;
    if (ep_output_text_open(&text) != 0)
        return NULL;
    if (before && *before)
        ep_output_print(&text.out, "%s%s,", before, ends_in_a_plain_backslash(before) ? "\\" : "");
    ep_output_text(&text.out, "image=");
    write_escaped(&text.out, image, ",\\", '\\');
    if (source) {
        ep_output_text(&text.out, ",source=");
        write_escaped(&text.out, source, ",\\", '\\');
    }
    return ep_output_text_close(&text);
}

/* ---- the files that a run has made ---- */

/* Identifies an image: no two have the same values. */
struct ep_made_file {
    uint64_t process_id;
    uint64_t realtime_ns;
};

static bool read_header(int descriptor, struct ep_made_file *file)
{
    union ep_cell header[EP_HEADER_CELLS];
    if (ep_file_read_at(descriptor, 0, header, sizeof header) != (ssize_t)sizeof header ||
        ep_image_check_header(header, sizeof header) != NULL)
        return false;
    const struct ep_identity_cell *identity = &header[EP_CELL_IDENTITY].identity;
    *file = (struct ep_made_file){identity->process_id, identity->realtime_ns};
    return true;
}

/* Whether there is a profile at the path. */
static bool look_at(const char *path, struct ep_made_file *file)
{
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
    bool is_profile = descriptor >= 0 && read_header(descriptor, file);
    if (descriptor >= 0)
        close(descriptor);
    return is_profile;
}

static bool was_before(const struct ep_made_files *files, const struct ep_made_file *file)
{
    for (size_t i = 0; i < files->before_count; i++) {
        const struct ep_made_file *old = &files->before[i];
        if (old->process_id == file->process_id && old->realtime_ns == file->realtime_ns)
            return true;
    }
    return false;
}

/* Before the run: notes the file. After it: adds the file if it is new. Returns 0, or -1 and
 * ENOMEM. */
EP_ANALYZER_KEPT_BEGIN /* in files->paths */
static int take(struct ep_made_files *files, const char *path, const struct ep_made_file *file)
{
    if (!files->has_run) {
        struct ep_made_file *grown =
            ep_memory_room(files->before, files->before_count, &files->before_room, sizeof *grown);
        if (!grown)
            return -1;
        files->before = grown;
        files->before[files->before_count++] = *file;
        return 0;
    }
    if (was_before(files, file))
        return 0;
    char **grown = ep_memory_room(files->paths, files->count, &files->room, sizeof *grown);
    if (!grown)
        return -1;
    files->paths = grown;
    files->paths[files->count] = strdup(path);
    if (!files->paths[files->count])
        return -1;
    files->count++;
    return 0;
}
EP_ANALYZER_KEPT_END

/* Whether the process would have given its file this path. glob() has no pattern for a number:
 * "p-%p.eprof" also finds "p-1-2.eprof". Returns 1 or 0, or -1 and ENOMEM. */
static int is_of(const char *path, const char *pattern, uint64_t process_id, bool is_forked)
{
    char *name = ep_run_files_pattern_path(pattern, process_id, is_forked);
    int is = name ? strcmp(name, path) == 0 : -1;
    free(name);
    return is;
}

static int take_found(struct ep_made_files *files, const char *pattern, bool is_forked,
                      const glob_t *found)
{
    int result = 0;
    for (size_t i = 0; i < found->gl_pathc && result == 0; i++) {
        struct ep_made_file file;
        if (!look_at(found->gl_pathv[i], &file))
            continue;
        int is = is_of(found->gl_pathv[i], pattern, file.process_id, is_forked);
        result = is > 0 ? take(files, found->gl_pathv[i], &file) : is;
    }
    return result;
}

static int take_kind(struct ep_made_files *files, const char *pattern, bool is_forked)
{
    glob_t found;
    char *text = ep_run_files_pattern_glob(pattern, is_forked);
    if (!text)
        return -1;
    int error = glob(text, 0, NULL, &found);
    free(text);
    if (error) {
        errno = ENOMEM;
        return error == GLOB_NOSPACE ? -1 : 0;
    }
    int result = take_found(files, pattern, is_forked, &found);
    globfree(&found);
    return result;
}

static int take_all(struct ep_made_files *files, const char *pattern, bool has_run)
{
    /* with %p the files of forked processes have names of the same form */
    bool has_forks = !ep_run_files_pattern_has(pattern, 'p');
    files->has_run = has_run;
    int result = take_kind(files, pattern, false);
    return result == 0 && has_forks ? take_kind(files, pattern, true) : result;
}

int ep_run_files_made_note(struct ep_made_files *files, const char *pattern)
{
    files->before_count = 0;
    return take_all(files, pattern, false);
}

int ep_run_files_made_find(struct ep_made_files *files, const char *pattern)
{
    return take_all(files, pattern, true);
}

void ep_run_files_made_free(struct ep_made_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->paths[i]);
    free(files->paths);
    free(files->before);
    *files = (struct ep_made_files){.count = 0};
}
