#include "cli/top/top.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/complain.h"
#include "image/layout.h"

/* ---- the mappings of a process ---- */

/* A line of /proc/PID/maps, proc(5). */
struct mapping {
    char range[40]; /* its addresses, the name of its file in map_files */
    bool is_shared;
    uint64_t inode;
    char *path;
};

static bool read_mapping(char *line, struct mapping *mapping)
{
    char modes[5];
    int path_at = 0;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%39s %4s %*x %*x:%*x %" SCNu64 " %n", mapping->range, modes, &mapping->inode,
               &path_at) != 3)
        return false;
    mapping->is_shared = modes[3] == 's';
    mapping->path = line + path_at;
    return true;
}

/* The id of the process in its innermost pid namespace, which is the last of several. */
static uint64_t own_id(const char *process)
{
    char path[64], line[256];
    uint64_t id = strtoull(process, NULL, 10);
    snprintf(path, sizeof path, "/proc/%s/status", process);
    FILE *status = fopen(path, "re");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "NSpid:", strlen("NSpid:")) == 0)
            id = strtoull(strrchr(line, '\t') ? strrchr(line, '\t') : "0", NULL, 10);
    if (status)
        fclose(status);
    return id;
}

/* ---- its image ---- */

/* Whether it is the image of this process, and not of the parent that it was forked from. */
static bool is_image_of(int file, uint64_t process_id)
{
    struct ep_identity_cell identity;
    return pread(file, &identity, sizeof identity, 0) == (ssize_t)sizeof identity &&
           memcmp(identity.magic, EP_IMAGE_MAGIC, sizeof identity.magic) == 0 &&
           identity.process_id == process_id;
}

/* -1: it is another file, or one that cannot be an image. */
static int open_if_same(const char *path, const struct mapping *mapping)
{
    struct stat status;
    bool is_same =
        stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_ino == mapping->inode;
    return is_same ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) : -1;
}

/* Opens the file by its path as the process sees it, if it still exists there; else by its
 * addresses, which the kernel allows only to root. */
static int open_mapping(const char *process, const struct mapping *mapping)
{
    char path[PATH_MAX];
    int written = snprintf(path, sizeof path, "/proc/%s/root%s", process, mapping->path);
    int file = written < (int)sizeof path ? open_if_same(path, mapping) : -1;
    if (file >= 0)
        return file;
    snprintf(path, sizeof path, "/proc/%s/map_files/%s", process, mapping->range);
    return open_if_same(path, mapping);
}

struct search {
    int image;          /* -1: none */
    bool was_forbidden; /* a file that may be one could not be opened */
};

static struct search find_image(FILE *maps, const char *process)
{
    struct search search = {.image = -1};
    struct mapping mapping;
    uint64_t process_id = own_id(process), last_inode = 0;
    char *line = NULL;
    size_t room = 0;
    while (search.image < 0 && getline(&line, &room, maps) > 0) {
        if (!read_mapping(line, &mapping) || !mapping.is_shared || mapping.path[0] != '/' ||
            mapping.inode == last_inode)
            continue;
        last_inode = mapping.inode;
        int file = open_mapping(process, &mapping);
        search.was_forbidden |= file < 0 && errno == EPERM;
        if (file >= 0 && is_image_of(file, process_id))
            search.image = file;
        else
            ep_file_close(file);
    }
    free(line);
    return search;
}

static FILE *open_maps(const char *process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/maps", process);
    FILE *maps = fopen(path, "re");
    if (!maps && errno == ENOENT)
        ep_complain(process, "no such process, and no such file");
    else if (!maps)
        ep_complain(process, "what it has mapped cannot be read: %s", strerror(errno));
    return maps;
}

static int open_process(struct ep_top_target *target, const char *process)
{
    FILE *maps = open_maps(process);
    if (!maps)
        return -1;
    struct search search = find_image(maps, process);
    fclose(maps);
    target->file = search.image;
    if (target->file >= 0)
        snprintf(target->path, sizeof target->path, "/proc/self/fd/%d", target->file);
    else if (search.was_forbidden)
        ep_complain(process, "a file that it has mapped was removed or replaced, and only root can "
                             "look whether that is its profile");
    else
        ep_complain(process, "records to no file; start it with `eprof run -o FILE -- PROGRAM' or "
                             "EPROF=image=FILE");
    return target->file >= 0 ? 0 : -1;
}

/* ---- a process or a file ---- */

/* A number of more digits is no process id. */
static bool is_process(const char *name)
{
    enum { MOST_DIGITS = 10 };
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && digits <= MOST_DIGITS && !name[digits] && access(name, F_OK) != 0;
}

int ep_top_target_open(struct ep_top_target *target, const char *name)
{
    *target = (struct ep_top_target){.file = -1};
    if (is_process(name))
        return open_process(target, name);
    if (strlen(name) < sizeof target->path) {
        strcpy(target->path, name);
        return 0;
    }
    ep_complain_of_error(name, ENAMETOOLONG);
    return -1;
}

void ep_top_target_close(struct ep_top_target *target)
{
    ep_file_close(target->file);
}
