#include "made_files.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer.h"
#include "array.h"
#include "image_check.h"
#include "profile_pattern.h"
#include "read_at.h"

/* No two images have both in common. */
struct ep_made_file {
    uint64_t process_id;
    uint64_t realtime_ns;
};

/* ---- one file ---- */

static bool read_header(int descriptor, struct ep_made_file *file)
{
    union ep_cell header[EP_HEADER_CELLS];
    if (ep_read_at(descriptor, 0, header, sizeof header) != (ssize_t)sizeof header ||
        ep_image_check_header(header, sizeof header) != NULL)
        return false;
    const struct ep_identity_cell *identity = &header[EP_CELL_IDENTITY].identity;
    *file = (struct ep_made_file){identity->process_id, identity->realtime_ns};
    return true;
}

/* Whether a profile is there. */
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

/* ---- those of a pattern ---- */

/* What is done with each; 0, or -1 and errno. */
typedef int visit(struct ep_made_files *files, const char *path, const struct ep_made_file *file);

/* glob() knows no numbers: "p-%p.eprof" finds "p-1-2.eprof" as well, but so no process would
 * have called its file. 1: it is one, 0, or -1 and ENOMEM. */
static int is_of(const char *path, const char *pattern, uint64_t process_id, bool is_forked)
{
    char *name = ep_profile_pattern_path(pattern, process_id, is_forked);
    int is = name ? strcmp(name, path) == 0 : -1;
    free(name);
    return is;
}

static int visit_found(struct ep_made_files *files, const char *pattern, bool is_forked,
                       const glob_t *found, visit *visit_file)
{
    int result = 0;
    for (size_t i = 0; i < found->gl_pathc && result == 0; i++) {
        struct ep_made_file file;
        if (!look_at(found->gl_pathv[i], &file))
            continue;
        int is = is_of(found->gl_pathv[i], pattern, file.process_id, is_forked);
        result = is > 0 ? visit_file(files, found->gl_pathv[i], &file) : is;
    }
    return result;
}

static int visit_kind(struct ep_made_files *files, const char *pattern, bool is_forked,
                      visit *visit_file)
{
    glob_t found;
    char *text = ep_profile_pattern_glob(pattern, is_forked);
    if (!text)
        return -1;
    int error = glob(text, 0, NULL, &found);
    free(text);
    if (error) {
        errno = ENOMEM;
        return error == GLOB_NOSPACE ? -1 : 0;
    }
    int result = visit_found(files, pattern, is_forked, &found, visit_file);
    globfree(&found);
    return result;
}

static int visit_all(struct ep_made_files *files, const char *pattern, visit *visit_file)
{
    if (visit_kind(files, pattern, false, visit_file) != 0)
        return -1;
    /* else each process has a name of its own anyway */
    return ep_profile_pattern_has(pattern, 'p') ? 0 : visit_kind(files, pattern, true, visit_file);
}

static int note(struct ep_made_files *files, const char *path, const struct ep_made_file *file)
{
    struct ep_made_file *grown =
        ep_array_room(files->before, files->before_count, &files->before_room, sizeof *grown);
    (void)path;
    if (!grown)
        return -1;
    files->before = grown;
    files->before[files->before_count++] = *file;
    return 0;
}

EP_ANALYZER_KEPT_BEGIN /* in files->paths */
static int add_if_new(struct ep_made_files *files, const char *path,
                      const struct ep_made_file *file)
{
    if (was_before(files, file))
        return 0;
    char **grown = ep_array_room(files->paths, files->count, &files->room, sizeof *grown);
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

int ep_made_files_note(struct ep_made_files *files, const char *pattern)
{
    files->before_count = 0;
    return visit_all(files, pattern, note);
}

int ep_made_files_find(struct ep_made_files *files, const char *pattern)
{
    return visit_all(files, pattern, add_if_new);
}

void ep_made_files_free(struct ep_made_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->paths[i]);
    free(files->paths);
    free(files->before);
    *files = (struct ep_made_files){.count = 0};
}
