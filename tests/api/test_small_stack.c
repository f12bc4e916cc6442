/*
 * The calls on a thread with the smallest possible stack: the library takes few bytes of it, and
 * the program may end there.
 *
 * Not built with a sanitizer, whose frames are larger.
 */
#include "program.h"
#include "rerun.h"
#include "scratch.h"

#include <limits.h>
#include <pthread.h>
#include <stdint.h>

enum {
    STACK_BYTES = 256 << 10,
    /* of PTHREAD_STACK_MIN, which is 16 KiB: the C library takes 4 for the thread, and the kernel
     * up to 3.5 for a signal, with the registers of AVX-512 */
    MOST_BYTES = 8 << 10,
    PAINT = 0xa5,
    DEEP = 500,
    WIDE = 100
};

/* ------------------------------------------------ how much stack a call takes -- */

/* Shared by the test and the program. The stack is shared too, if the program ends on it. */
struct measured {
    char *stack;
    bool is_unbuffered; /* the file of the report */
    const char *format;
    void (*prepare)(const struct measured *measured);
    void (*act)(const struct measured *measured);
    char *entry; /* of the thread: the call uses the stack from here downwards */
    size_t bytes;
};

static void *run_act(void *measured)
{
    struct measured *m = measured;
    char here;
    m->entry = (char *)((uintptr_t)&here / 64 * 64);
    m->act(m);
    return NULL;
}

/* Memory that is shared with the test would also be shared with the child of a fork. */
static void *private_stack(void)
{
    return mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static size_t bytes_taken(const struct measured *measured, const char *stack)
{
    size_t first = 0;
    while (first < STACK_BYTES && (unsigned char)stack[first] == PAINT)
        first++;
    return (size_t)(measured->entry - &stack[first]);
}

static void run_on_painted_stack(void *measured)
{
    struct measured *m = measured;
    pthread_attr_t attributes;
    pthread_t thread;
    char *stack = m->stack ? m->stack : private_stack();
    if (m->prepare)
        m->prepare(m);
    memset(stack, PAINT, STACK_BYTES);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, STACK_BYTES);
    if (pthread_create(&thread, &attributes, run_act, m) != 0)
        _exit(1);
    pthread_join(thread, NULL);
    m->bytes = bytes_taken(m, stack);
}

static void assert_takes_little(const char *name, const char *items, struct measured *measured)
{
    struct program program;
    program_run(&program, items, run_on_painted_stack, measured);
    if (program.status != 0)
        fail_msg("%s: status %d: %s", name, program.status, program.err);
    size_t bytes = measured->stack ? bytes_taken(measured, measured->stack) : measured->bytes;
    print_message("%-28s %5zu bytes of stack\n", name, bytes);
    if (bytes > MOST_BYTES)
        fail_msg("%s takes %zu bytes of stack", name, bytes);
}

/* --------------------------------------------------------- what is measured -- */

static void record_much(const struct measured *unused)
{
    char label[16];
    (void)unused;
    hand_clock_use();
    for (int i = 0; i < DEEP + WIDE; i++) {
        snprintf(label, sizeof label, "scope %d", i);
        eprof_enter(label);
        hand_ticks += 10;
        if (i >= DEEP)
            eprof_leave();
    }
    for (int i = 0; i < WIDE; i++) {
        snprintf(label, sizeof label, "instance %d", i);
        program_record(eprof_alloc(label));
    }
    for (int i = 0; i < DEEP; i++)
        eprof_leave();
}

static void use(const struct measured *unused)
{
    (void)unused;
    eprof_now();
}

static void record(const struct measured *unused)
{
    (void)unused;
    EPROF_SCOPE("of the small stack");
    EPROF_SLOW("slow", 5);
    int id = eprof_alloc("of the small stack");
    eprof_start(id);
    eprof_hold();
    program_enter("held");
    eprof_keep(true);
    eprof_stop(id);
}

static void control(const struct measured *unused)
{
    (void)unused;
    record(NULL);
    eprof_thread_enter("small");
    eprof_enable(false);
    eprof_enable(true);
    eprof_source_use("auto");
    eprof_reset();
    eprof_init();
    eprof_thread_exit();
}

static void set_up(const struct measured *unused)
{
    (void)unused;
    eprof_setup("csv=figures,image=profile,source=sundial,nonsense");
}

static void fork_a_child(const struct measured *unused)
{
    (void)unused;
    record(NULL);
    pid_t child = fork();
    if (child == 0) {
        record(NULL);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void take_snapshots(const struct measured *unused)
{
    (void)unused;
    eprof_snapshot_free(eprof_snapshot_take());
    eprof_snapshot *snapshot = eprof_snapshot_take_threads();
    struct eprof_row row = {.size = sizeof row};
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++)
        eprof_snapshot_row(snapshot, i, &row);
    eprof_snapshot_free(snapshot);
}

static void save(const struct measured *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) /* over the first one as well */
        if (eprof_save("saved") != 0)
            _exit(1);
}

static void report(const struct measured *measured)
{
    FILE *file = fopen("report", "w");
    if (file && measured->is_unbuffered)
        setvbuf(file, NULL, _IONBF, 0);
    if (!file || eprof_report(file, measured->format) != 0)
        _exit(1);
    fclose(file);
}

static void end(const struct measured *unused)
{
    (void)unused;
    exit(0);
}

TEST(calls_take_little_of_the_stack)
{
    static const struct {
        const char *name, *items;
        void (*prepare)(const struct measured *measured);
        void (*act)(const struct measured *measured);
    } calls[] = {
        {"first use", NULL, NULL, use},
        {"first use into an image", "image=profile,csv=figures,nonsense", NULL, use},
        {"first record", NULL, NULL, record},
        {"record", NULL, record_much, record},
        {"control", NULL, record_much, control},
        {"setup", NULL, NULL, set_up},
        {"fork", NULL, record_much, fork_a_child},
        {"fork of an image", "image=profile", record_much, fork_a_child},
        {"snapshot", NULL, record_much, take_snapshots},
        {"save", NULL, record_much, save},
    };
    struct measured *measured = program_share(sizeof *measured);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        measured->prepare = calls[i].prepare;
        measured->act = calls[i].act;
        assert_takes_little(calls[i].name, calls[i].items, measured);
    }
}

static const char *const formats[] = {"table",  "tree",       "json",      "csv",        "html",
                                      "folded", "speedscope", "callgrind", "openmetrics"};
enum { FORMATS = sizeof formats / sizeof formats[0] };

TEST(reports_take_little_of_the_stack)
{
    char threads[32];
    struct measured *measured = program_share(sizeof *measured);
    measured->prepare = record_much;
    measured->act = report;
    for (size_t i = 0; i < FORMATS; i++) {
        measured->format = formats[i];
        assert_takes_little(formats[i], NULL, measured);
        snprintf(threads, sizeof threads, "%s:threads", formats[i]);
        measured->format = strcmp(formats[i], "openmetrics") == 0 ? formats[i] : threads;
        measured->is_unbuffered = true;
        assert_takes_little(measured->format, NULL, measured);
        measured->is_unbuffered = false;
    }
}

TEST(reports_at_exit_take_little_of_the_stack)
{
    struct measured *measured = program_share(sizeof *measured);
    measured->prepare = record_much;
    measured->act = end;
    measured->stack = program_share(STACK_BYTES);
    for (size_t i = 0; i < FORMATS; i++) {
        char name[32], items[64];
        snprintf(name, sizeof name, "%s at exit", formats[i]);
        /* over an old file, beside an image, and one that cannot be written */
        snprintf(items, sizeof items, "%s=old,image=profile,csv=/nowhere/figures", formats[i]);
        scratch_write("old", "of the run before\n");
        assert_takes_little(name, items, measured);
    }
    assert_takes_little("tree to stderr at exit", "tree", measured);
}

/* -------------------------------------------------------- on the smallest one -- */

static void *report_all(void *unused)
{
    (void)unused;
    EPROF_SCOPE("of the small stack");
    for (size_t i = 0; i < FORMATS; i++)
        report(&(struct measured){.format = formats[i], .is_unbuffered = i % 2});
    take_snapshots(NULL);
    save(NULL);
    return NULL;
}

static void report_all_on_smallest_stack(void *unused)
{
    (void)unused;
    rerun_on_smallest_stack(report_all);
}

TEST(thread_with_the_smallest_stack_may_report)
{
    struct program program;
    program_run(&program, "image=profile", report_all_on_smallest_stack, NULL);
    if (program.status != 0)
        fail_msg("status %d: %s", program.status, program.err);
    assert_string_equal(program.err, "");
}

TEST(program_may_end_on_a_thread_with_the_smallest_stack)
{
    struct rerun run;
    RERUN(&run, NULL, "small_exit");
    assert_non_null(strstr(run.err, "eProf Tree"));
    assert_non_null(strstr(run.err, "\ns "));
    RERUN(&run, "tree=-,csv=figures,html=/dev/null,image=profile", "small_exit");
    assert_string_equal(run.err, "");
    assert_non_null(strstr(run.out, "eProf Tree"));
    assert_non_null(strstr(scratch_read("figures"), "\nscope,s,s,*,"));
}

int main(int count, char **arguments)
{
    if (count > 1)
        return rerun_main(arguments + 1);
    return tests_run("small stack", scratch_enter, scratch_leave);
}
