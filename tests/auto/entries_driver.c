/*
 * entries_driver.c - patches the entries of the program that it is linked with, and counts how
 * often each of them is entered
 *
 * ENTRIES selects what happens at the start:
 *   (not set)  all entries are patched
 *   half       each second entry is patched
 *   denied     the process may not make pages executable
 *   busy       there is a second thread
 *   undo       all entries are patched, and then all calls are removed
 * The file ENTRIES_LOG gets the line `report MODULES FOUND PATCHED ERROR`, a line `opened ...` for
 * each module that is opened later, and at the end a line `MODULE ADDRESS COUNT` for each entry
 * that was found, with the address of its function in its file. Memory that is writable and
 * executable is reported as well.
 */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "auto/patch.h"

/* ---- the routine: it stores its return address ---- */

enum { MOST_CALLS = 1 << 20 };
__attribute__((visibility("hidden"))) uintptr_t driver_calls[MOST_CALLS];
__attribute__((visibility("hidden"))) uint64_t driver_count;
void driver_routine(void);

__asm__(".text\n.globl driver_routine\n.hidden driver_routine\n"
        ".type driver_routine, @function\ndriver_routine:\n"
        "pushq %rax\n"
        "pushq %rcx\n"
        "pushq %rdx\n"
        "movl $1, %eax\n"
        "lock xaddq %rax, driver_count(%rip)\n"
        "movq 24(%rsp), %rdx\n"
        "leaq driver_calls(%rip), %rcx\n"
        "andl $0xfffff, %eax\n"
        "movq %rdx, (%rcx,%rax,8)\n"
        "popq %rdx\n"
        "popq %rcx\n"
        "popq %rax\n"
        "ret\n.size driver_routine, . - driver_routine\n");

/* ---- the entries ---- */

enum { MOST_ENTRIES = 1 << 18 };
static struct {
    uintptr_t entry, address; /* address: in the file */
    uint64_t count;
    char module[32];
} table[MOST_ENTRIES];
static uint64_t counted;

static size_t place_of(uintptr_t entry)
{
    size_t at = entry * UINT64_C(0x9E3779B97F4A7C15) >> 46;
    while (table[at].entry && table[at].entry != entry)
        at = (at + 1) % MOST_ENTRIES;
    return at;
}

static void count_calls(void)
{
    for (; counted < driver_count; counted++)
        table[place_of(driver_calls[counted % MOST_CALLS] - EP_ENTRIES_BYTES)].count++;
}

struct search {
    uintptr_t entry;
    size_t place;
};

static int describe(struct dl_phdr_info *info, size_t bytes, void *data)
{
    const struct search *search = data;
    const char *slash = strrchr(info->dlpi_name, '/');
    (void)bytes;
    if (!ep_entries_segment(info, search->entry, PF_X))
        return 0;
    /* the landing mark */
    uintptr_t function =
        search->entry - 4 * (memcmp((const char *)search->entry - 4, "\xf3\x0f\x1e\xfa", 4) == 0);
    table[search->place].address = function - info->dlpi_addr;
    strncpy(table[search->place].module, *info->dlpi_name ? slash + 1 : "program",
            sizeof table->module - 1);
    return 1;
}

static bool is_wanted(void *context, uintptr_t entry)
{
    struct search search = {entry, place_of(entry)};
    const char *mode = context;
    static int number;
    if (search.entry) {
        count_calls();
        table[search.place].entry = entry;
        dl_iterate_phdr(describe, &search);
    }
    return strcmp(mode, "half") != 0 || number++ % 2;
}

/* ---- what it does ---- */

/* mprotect() with PROT_EXEC fails with EACCES. */
static void deny(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), /* seccomp_data.nr */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 32), /* the lower half of seccomp_data.args[2] */
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        exit(77);
}

static void *wait_for_end(void *nothing)
{
    pause();
    return nothing;
}

static FILE *log_file;

static void print(const char *what, const struct ep_patch_report *report)
{
    fprintf(log_file, "%s %zu %zu %zu %d\n", what, report->modules, report->found, report->patched,
            report->error);
}

/* After the code was written no memory may be both. */
static void check_protection(void)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, " rwx"))
            fprintf(log_file, "writable %s", line);
    if (maps)
        fclose(maps);
}

static void opened(void *context, const struct ep_patch_report *report)
{
    (void)context;
    print("opened", report);
    check_protection();
}

/* Before the constructors of the program. */
__attribute__((constructor(101))) static void begin(void)
{
    static char mode[8];
    struct ep_patch_report report = {.error = 0};
    pthread_t thread;
    strncpy(mode, getenv("ENTRIES") ? getenv("ENTRIES") : "", sizeof mode - 1);
    if (!getenv("ENTRIES_LOG") || !(log_file = fopen(getenv("ENTRIES_LOG"), "we")))
        return;
    if (strcmp(mode, "denied") == 0)
        deny();
    if (strcmp(mode, "busy") == 0)
        pthread_create(&thread, NULL, wait_for_end, NULL);
    ep_patch_tell_opened(opened);
    ep_patch_all(driver_routine, is_wanted, mode, &report);
    print("report", &report);
    check_protection();
    for (size_t i = 0; i < MOST_ENTRIES && strcmp(mode, "undo") == 0; i++)
        if (table[i].entry && ep_patch_undo(table[i].entry) != 0)
            fprintf(log_file, "undo %d\n", errno);
}

__attribute__((destructor(101))) static void end(void)
{
    if (!log_file)
        return;
    count_calls();
    for (size_t i = 0; i < MOST_ENTRIES; i++)
        if (table[i].entry || table[i].count)
            fprintf(log_file, "%s %016" PRIxPTR " %" PRIu64 "\n", table[i].module, table[i].address,
                    table[i].count);
    fclose(log_file);
}
