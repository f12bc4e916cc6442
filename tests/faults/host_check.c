#include "host_check.h"

#include <dirent.h>
#include <dlfcn.h>
#include <eprof.h>
#include <errno.h>
#include <string.h>

#include "host.h"
#include "host_expect.h"
#include "host_made.h"
#include "ledger.h"

static int descriptors_before;

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

/* The mappings that the instrument counts, if there is an instrument. */
static int count_mappings(void)
{
    int (*count)(void);
    void *found = dlsym(RTLD_DEFAULT, "fault_mappings");
    memcpy(&count, &found, sizeof count);
    return found ? count() : 0;
}

void host_pause_faults(bool is_paused)
{
    if (host_ledger)
        __atomic_store_n(&host_ledger->is_paused, is_paused, __ATOMIC_RELEASE);
}

struct seen {
    struct host_made calls;
    uint64_t lost; /* a call, or the memory of one, is */
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

/* Both ends of a pair may be counted as lost. */
static void check_kind(const char *kind, uint64_t made, uint64_t seen, uint64_t lost)
{
    if (seen > made)
        host_complain("%llu calls of %s, of %llu", (unsigned long long)seen, kind,
                      (unsigned long long)made);
    if (host_made.is_counted && seen + lost < made)
        host_complain("%llu calls of %s and %llu lost, of %llu", (unsigned long long)seen, kind,
                      (unsigned long long)lost, (unsigned long long)made);
}

/* A forked child makes its image as a copy of its parent's, and there may have been no memory for
 * it: if the file was cut short, it cannot be made afterwards either (image/backing.c). */
static bool may_have_no_image(void)
{
    return host_made.is_of_child && host_ledger && host_ledger->failed_of[CALL_mmap] > 1;
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

void host_check_begin(void)
{
    descriptors_before = count_descriptors();
}

void host_check(void)
{
    host_pause_faults(true);
    check_counts();
    if (host_ledger) {
        /* they are not counted either if it is unknown whether the library was to record */
        host_ledger->mappings = host_made.is_counted ? count_mappings() : 0;
        host_ledger->descriptors = count_descriptors() - descriptors_before;
        host_ledger->is_through = 1;
        host_ledger->is_set_up = host_made.is_counted;
    }
    host_pause_faults(false);
}
