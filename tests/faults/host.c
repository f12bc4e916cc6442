/*
 * host.c - CHAPTER: goes through a part of the public interface, and sees whether the rest stands
 */
#include "host.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "ledger.h"

struct host_made host_made;
static struct ledger *ledger;
static int descriptors_before;
static bool is_child;

void host_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!ledger) {
        vfprintf(stderr, format, arguments);
        fputc('\n', stderr);
    } else if (!ledger->complaint[0]) {
        vsnprintf(ledger->complaint, sizeof ledger->complaint, format, arguments);
    }
    va_end(arguments);
}

/* ---- errors ---- */

static bool is_error_of(enum call call, int error)
{
    size_t count;
    const struct call_way *ways = call_ways(call, &count);
    for (size_t i = 0; i < count; i++)
        if (ways[i].error == error)
            return true;
    return false;
}

/* Of something that failed; of memory too, which is said of much; or a stream's that knows no
 * better (replace.c). An interruption is none. */
static bool is_explained(int error)
{
    if (!ledger || !ledger->harmful || error == EINTR)
        return false;
    for (int call = 0; call < CALLS; call++)
        if (ledger->failed_of[call] && is_error_of(call, error))
            return true;
    return error == ENOMEM || error == EIO || (error == EBUSY && ledger->failed_of[CALL_flock]);
}

int host_expect(int result, const char *call)
{
    if (result < 0 && (result != -1 || !is_explained(errno)))
        host_complain("%s gave %d, errno %d (%s)", call, result, errno, strerror(errno));
    return result;
}

void host_expect_setup(int result)
{
    if (!(result == -1 && errno == EINVAL && ledger && ledger->harmful))
        host_expect(result, "eprof_setup()");
}

int host_expect_pointer(const void *pointer, const char *call)
{
    return host_expect(pointer ? 0 : -1, call);
}

/* ---- what stands in the end ---- */

static int count_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

/* What the instrument counts, if there is one. */
static int count_mappings(void)
{
    int (*count)(void);
    void *found = dlsym(RTLD_DEFAULT, "fault_mappings");
    memcpy(&count, &found, sizeof count);
    return found ? count() : 0;
}

static void pause_faults(bool is_paused)
{
    if (ledger)
        __atomic_store_n(&ledger->is_paused, is_paused, __ATOMIC_RELEASE);
}

struct seen {
    struct host_made calls;
    uint64_t lost; /* a call is, or a memory of it is */
};

static void add_row(struct seen *seen, const struct eprof_row *row)
{
    if (strcmp(row->kind, "instance") == 0)
        seen->calls.instances += row->calls;
    else if (strcmp(row->kind, "scope") == 0)
        seen->calls.scopes += row->calls;
    else if (strcmp(row->kind, "function") == 0)
        seen->calls.functions += row->calls;
    else if (strcmp(row->name, "lost") == 0)
        seen->lost += row->calls;
}

static bool look(struct seen *seen)
{
    eprof_snapshot *snapshot = eprof_snapshot_take();
    *seen = (struct seen){.lost = 0};
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        if (eprof_snapshot_row(snapshot, i, &row) != 0)
            host_complain("no row %zu: %s", i, strerror(errno));
        else
            add_row(seen, &row);
    }
    eprof_snapshot_free(snapshot);
    return snapshot != NULL;
}

/* Of a pair both ends may be counted as lost. */
static void check_kind(const char *kind, uint64_t made, uint64_t seen, uint64_t lost)
{
    if (seen > made)
        host_complain("%llu calls of %s, of %llu", (unsigned long long)seen, kind,
                      (unsigned long long)made);
    if (host_made.is_counted && seen + lost < made)
        host_complain("%llu calls of %s and %llu lost, of %llu", (unsigned long long)seen, kind,
                      (unsigned long long)lost, (unsigned long long)made);
}

/* A forked child has its parent's image from a copy, for which there was no memory: where the file
 * was cut short it cannot be had afterwards either (image_backing.c). */
static bool may_have_no_image(void)
{
    return is_child && ledger && ledger->failed_of[CALL_mmap] > 1;
}

static void check_counts(void)
{
    struct seen seen;
    if (!look(&seen)) {
        if (may_have_no_image())
            return;
        host_complain("there is memory again, and no snapshot: %s", strerror(errno));
        return;
    }
    check_kind("instances", host_made.instances, seen.calls.instances, seen.lost);
    check_kind("scopes", host_made.scopes, seen.calls.scopes, seen.lost);
    check_kind("functions", host_made.functions, seen.calls.functions, seen.lost);
}

void host_check(void)
{
    pause_faults(true);
    check_counts();
    if (ledger) {
        /* nor are they where it is not known whether it was to record */
        ledger->mappings = host_made.is_counted ? count_mappings() : 0;
        ledger->descriptors = count_descriptors() - descriptors_before;
        ledger->is_through = 1;
        ledger->is_set_up = host_made.is_counted;
    }
    pause_faults(false);
}

int host_allocate(const char *label)
{
    int id = EXPECT(eprof_alloc(label));
    host_made.is_counted |= id >= 0;
    return id;
}

void host_forget_made(void)
{
    host_made = (struct host_made){.is_counted = host_made.is_counted};
}

void host_begin_child(void)
{
    host_made = (struct host_made){.is_counted = false};
    is_child = true;
}

/* ---- chapters ---- */

/* A program that has reported has no tree on stderr. */
static void report_nowhere(void)
{
    FILE *nowhere = fopen("/dev/null", "we");
    pause_faults(true);
    if (!nowhere || eprof_report(nowhere, "folded") != 0)
        host_complain("there is memory again, and no report: %s", strerror(errno));
    if (nowhere)
        fclose(nowhere);
    pause_faults(false);
}

static const struct host_chapter *find(const struct host_chapter *chapter, const char *name)
{
    while (chapter->name && strcmp(chapter->name, name) != 0)
        chapter++;
    return chapter->name ? chapter : NULL;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const struct host_chapter *chapter = find(host_recording, name);
    if (!chapter)
        chapter = find(host_results, name);
    if (!chapter) {
        fprintf(stderr, "usage: %s CHAPTER\n", argv[0]);
        return 2;
    }
    ledger = ledger_open();
    descriptors_before = count_descriptors();
    printf("%s begins\n", name);
    chapter->act();
    host_check();
    if (!chapter->has_tree)
        report_nowhere();
    printf("%s ends\n", name);
    return 0;
}
