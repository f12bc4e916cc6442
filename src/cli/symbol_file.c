#include "symbol_file.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cell.h"

/* Where libdwfl looks by itself; the file's own directory is the empty one. */
#define USUAL_DEBUG_PATH ":.debug:/usr/lib/debug"

static const char has_changed[] = "has changed since the profile was taken";

static const char *reason(int error)
{
    static char text[256];
    if (error == ENOENT || error == ENOTDIR)
        return "is not there any more";
    snprintf(text, sizeof text, "cannot be read: %s", strerror(error));
    return text;
}

/* Neither waits for the writer of a pipe nor takes a terminal. */
static int open_regular(const char *path, struct stat *status, const char **why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        *why = reason(errno);
        return -1;
    }
    if (fstat(fd, status) == 0 && S_ISREG(status->st_mode))
        return fd;
    *why = "is no file";
    close(fd);
    return -1;
}

static uint64_t modified_ns(const struct stat *status)
{
    return (uint64_t)status->st_mtim.tv_sec * 1000000000 + (uint64_t)status->st_mtim.tv_nsec;
}

/* An image has the beginning of a build id that is longer. */
static bool is_build_id(const char *wanted, const unsigned char *id, size_t bytes)
{
    char text[2 * EP_BUILD_ID_BYTES + 1] = "";
    size_t kept = bytes < EP_BUILD_ID_BYTES ? bytes : EP_BUILD_ID_BYTES;
    for (size_t i = 0; i < kept; i++)
        snprintf(text + 2 * i, 3, "%02x", id[i]);
    return strcasecmp(wanted, text) == 0;
}

static bool is_unchanged(Elf *elf, const struct stat *status, const struct ep_symbol_source *source)
{
    const void *id;
    if (*source->build_id) {
        ssize_t bytes = dwelf_elf_gnu_build_id(elf, &id);
        return bytes > 0 && is_build_id(source->build_id, id, (size_t)bytes);
    }
    return source->modified_ns == 0 || source->modified_ns == modified_ns(status);
}

static const char *fault_of(struct ep_symbol_file *file, const struct stat *status,
                            const struct ep_symbol_source *source)
{
    GElf_Addr bias;
    GElf_Ehdr header;
    Elf *elf = dwfl_module_getelf(file->module, &bias);
    if (!elf || !gelf_getehdr(elf, &header))
        return "cannot be understood";
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return "is neither a program nor a library";
    return is_unchanged(elf, status, source) ? NULL : has_changed;
}

/* Of a relative one libdwfl takes no build ids. NULL: no memory. */
static char *debug_path_of(const char *directory)
{
    char *path;
    if (!directory)
        return strdup(USUAL_DEBUG_PATH);
    char *absolute = realpath(directory, NULL);
    int length = asprintf(&path, "%s:" USUAL_DEBUG_PATH, absolute ? absolute : directory);
    free(absolute);
    return length < 0 ? NULL : path;
}

static int begin_session(struct ep_symbol_file *file, const char *debug_directory)
{
    static Dwfl_Callbacks callbacks; /* libdwfl keeps the pointer, and one to the path */
    static char *path;
    file->debug_path = path = debug_path_of(debug_directory);
    callbacks = (Dwfl_Callbacks){.find_debuginfo = dwfl_standard_find_debuginfo,
                                 .section_address = dwfl_offline_section_address,
                                 .debuginfo_path = &path};
    file->session = path ? dwfl_begin(&callbacks) : NULL;
    if (file->session)
        return 0;
    free(path);
    return -1;
}

int ep_symbol_file_open(struct ep_symbol_file *file, const struct ep_symbol_source *source,
                        const char **why)
{
    struct stat status;
    int fd = open_regular(source->path, &status, why);
    if (fd < 0)
        return -1;
    if (begin_session(file, source->debug_directory) != 0) {
        *why = reason(ENOMEM);
        close(fd);
        return -1;
    }
    dwfl_report_begin(file->session);
    file->module = dwfl_report_elf(file->session, source->path, source->path, fd, 0, true);
    dwfl_report_end(file->session, NULL, NULL);
    if (!file->module)
        close(fd); /* else it is the session's */
    *why = file->module ? fault_of(file, &status, source) : "is no ELF file";
    if (!*why)
        return 0;
    ep_symbol_file_close(file);
    return -1;
}

void ep_symbol_file_close(struct ep_symbol_file *file)
{
    dwfl_end(file->session);
    free(file->debug_path);
}
