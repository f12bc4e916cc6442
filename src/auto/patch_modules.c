#include "patch.h"

#if defined(__x86_64__) && defined(__LP64__)

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "base/compiler.h"

/* Written while the process has one thread. */
static struct {
    void (*routine)(void); /* NULL: nothing was patched yet */
    bool (*is_wanted)(void *context, uintptr_t entry);
    void *context;
    void (*opened)(void *context, const struct ep_patch_report *report);
    size_t
        modules_before; /* those that were loaded then: a module that is opened comes after them */
} patching;

/* ---- the loaded modules ---- */

struct module {
    uintptr_t address; /* searched for; 0: by index */
    size_t index, seen;
    struct dl_phdr_info info; /* found; valid until it is closed */
};

static int look(struct dl_phdr_info *info, size_t bytes, void *data)
{
    struct module *module = data;
    (void)bytes;
    module->info = *info;
    if (module->address ? ep_entries_segment(info, module->address, 0) != NULL
                        : module->seen == module->index)
        return 1;
    module->seen++;
    return 0;
}

/* The loader holds a lock during the search only. */
static bool find_module(struct module *module)
{
    return dl_iterate_phdr(look, module) != 0;
}

static const char *path_of(const struct dl_phdr_info *info)
{
    return *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
}

/* They have no entries, except libeprof if the flags of its build say so. The routine may use them.
 */
static bool is_left_out(const struct dl_phdr_info *info)
{
    static const char *const names[] = {"libeprof.so",    "libeprof-auto.so", "libc.so.",
                                        "libpthread.so.", "ld-linux",         "linux-vdso.so"};
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *name = slash ? slash + 1 : info->dlpi_name;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* ---- patching ---- */

static void remove_unwanted(struct ep_entries *entries)
{
    size_t count = 0;
    for (size_t i = 0; i < entries->count; i++)
        if (patching.is_wanted(patching.context, entries->at[i]))
            entries->at[count++] = entries->at[i];
    entries->count = count;
}

static ssize_t patch_found(const struct dl_phdr_info *info, struct ep_entries *entries)
{
    remove_unwanted(entries);
    if (!entries->count)
        return 0;
    uintptr_t target = ep_patch_target(info, patching.routine);
    return target ? ep_patch_write(info, path_of(info), entries, target) : -1;
}

/* refusal: why nothing may be patched, an errno; 0: it may. */
static void patch_module(const struct dl_phdr_info *info, int refusal,
                         struct ep_patch_report *report)
{
    struct ep_entries entries;
    ssize_t patched = ep_entries_find(info, path_of(info), 0, &entries);
    report->modules += patched == 0 && entries.count;
    report->found += entries.count;
    if (patched == 0 && refusal) {
        remove_unwanted(&entries);
        patched = entries.count ? -1 : 0;
        errno = refusal;
    } else if (patched == 0) {
        patched = patch_found(info, &entries);
    }
    if (patched >= 0) {
        report->patched += (size_t)patched;
    } else if (!report->error) {
        report->error = errno;
        report->module = info->dlpi_name;
    }
    ep_entries_free(&entries);
}

/* In a directory of the process file system, subdirectories are links: one for each thread. */
static bool has_one_thread(void)
{
    struct stat tasks;
    return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 2 + 1;
}

int ep_patch_all(void (*routine)(void), bool (*is_wanted)(void *context, uintptr_t entry),
                 void *context, struct ep_patch_report *report)
{
    int refusal = !routine ? ENOTSUP : has_one_thread() ? 0 : EBUSY;
    patching.routine = routine;
    patching.is_wanted = is_wanted;
    patching.context = context;
    struct module module = {.index = 0};
    for (; module.seen = 0, find_module(&module); module.index++)
        if (!is_left_out(&module.info))
            patch_module(&module.info, refusal, report);
    patching.modules_before = module.index;
    errno = report->error;
    return report->error ? -1 : 0;
}

int ep_patch_undo(uintptr_t address)
{
    struct module module = {.address = address};
    struct ep_entries entries;
    if (!find_module(&module)) {
        errno = ENOENT;
        return -1;
    }
    uintptr_t target = ep_patch_target(&module.info, patching.routine);
    if (!target || ep_entries_find(&module.info, path_of(&module.info), target, &entries) != 0)
        return -1;
    ssize_t written = ep_patch_write(&module.info, path_of(&module.info), &entries, 0);
    ep_entries_free(&entries);
    return written < 0 ? -1 : 0;
}

/* ---- modules that are opened later ---- */

void ep_patch_tell_opened(void (*opened)(void *context, const struct ep_patch_report *report))
{
    patching.opened = opened;
}

/* The start of each module that is linked with the C library's start files calls this function, if
 * there is one, before its constructors. It is made for gprof: a program linked with -pg has its
 * own, which is taken. An interposed dlopen() would have the wrong RUNPATH, and constructors would
 * run before it returns (docs/internals/decisions.md). */
/* NOLINTNEXTLINE(bugprone-reserved-identifier): the name is the C library's */
__attribute__((weak)) EP_EXPORT void __gmon_start__(void);

void __gmon_start__(void)
{
    EP_KEEP_ERRNO;
    struct module module = {.address = (uintptr_t)__builtin_return_address(0)};
    struct ep_patch_report report = {.error = 0};
    if (!patching.routine || !find_module(&module) || module.seen < patching.modules_before ||
        is_left_out(&module.info))
        return;
    patch_module(&module.info, 0, &report);
    if (patching.opened && (report.modules || report.error))
        patching.opened(patching.context, &report);
}

#endif
