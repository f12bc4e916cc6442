/*
 * every_call.c - makes each call of eprof.h, in each way that is allowed
 *
 * It is C11 and C++11, and must compile without a warning in both, with and without EPROF_DISABLE.
 * With EPROF_DISABLE the program is also run: it reports each call that evaluated an argument or
 * returned a value other than the documented one of a disabled call.
 */
#include <eprof.h>
#include <string.h>

static int evaluations;

/* An argument that reports its evaluation. */
static int counted(int value)
{
    ++evaluations;
    return value;
}

/* It is used only as an argument, and not defined: a disabled program must not refer to it, not
 * even at -O0. */
int defined_nowhere(void);

static uint64_t read_step(void *context)
{
    (void)context;
    return 1;
}

static int failures;

static void expect(int holds, const char *what)
{
    if (!holds) {
        printf("does not hold: %s\n", what);
        ++failures;
    }
}
#define EXPECT(condition) expect(condition, #condition)

static void call_as_statements(void)
{
    struct eprof_source source;
    struct eprof_row row;
    eprof_snapshot *snapshot = NULL;

    memset(&source, 0, sizeof source);
    memset(&row, 0, sizeof row);
    source.now = read_step;
    eprof_init();
    eprof_alloc((++evaluations, "label"));
    eprof_start(counted(0));
    eprof_stop(counted(0));
    eprof_start(defined_nowhere());
    eprof_free((++evaluations, "label"));
    eprof_release(counted(0));
    eprof_instance_for((++evaluations, "label"));
    eprof_print();
    eprof_now();
    eprof_ns((uint64_t)counted(0));
    eprof_record(counted(0), (uint64_t)counted(1), (uint64_t)counted(2));
    eprof_enter((++evaluations, "label"));
    eprof_leave();
    eprof_enter_site((++evaluations, eprof_site_for("label")));
    struct eprof_site *site = eprof_site_for((++evaluations, "label"));
    eprof_enter_site(site);
    eprof_leave();
    eprof_leave();
    eprof_hold();
    eprof_keep(counted(0) != 0);
    eprof_thread_name((++evaluations, "name"));
    eprof_thread_enter((++evaluations, "name"));
    eprof_thread_exit();
    eprof_setup((++evaluations, "off"));
    eprof_enable(counted(0) != 0);
    eprof_thread_enable(counted(0) != 0);
    eprof_reset();
    eprof_source_use((++evaluations, "auto"));
    eprof_source_name();
    eprof_source_add((++evaluations, &source));
    eprof_report((++evaluations, stdout), "table");
    eprof_save((++evaluations, "every-call.eprof"));
    eprof_snapshot_take();
    eprof_snapshot_take_threads();
    eprof_snapshot_rows((++evaluations, snapshot));
    eprof_snapshot_row(snapshot, (size_t)counted(0), &row);
    eprof_snapshot_free((++evaluations, snapshot));
}

static void call_for_values(void)
{
    struct eprof_source source;
    struct eprof_row row;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    const char *name = eprof_source_name();
    int id = eprof_alloc("label");
    uint64_t start_ticks = eprof_now();

    memset(&source, 0, sizeof source);
    memset(&row, 0, sizeof row);
    EXPECT(id == 0);
    EXPECT(eprof_instance_for("label") == 0);
    EXPECT(eprof_release(id) == 0);
    EXPECT(start_ticks == 0);
    EXPECT(eprof_ns(start_ticks + 7) == 0);
    EXPECT(eprof_setup("off") == 0);
    EXPECT(eprof_source_use("no such source") == 0);
    EXPECT(name != NULL && name[0] == '\0');
    EXPECT(eprof_source_add(&source) == 0);
    EXPECT(eprof_report(stdout, "no such format") == 0);
    EXPECT(eprof_save("no/such/folder") == 0);
    EXPECT(snapshot == NULL);
    EXPECT(eprof_snapshot_take_threads() == NULL);
    EXPECT(eprof_snapshot_rows(snapshot) == 0);
    EXPECT(eprof_snapshot_row(snapshot, 0, &row) == 0);
    eprof_snapshot_free(snapshot);
}

static void call_through_addresses(void)
{
    void (*init)(void) = eprof_init;
    int (*alloc)(const char *) = eprof_alloc;
    void (*start)(int) = &eprof_start;
    void (*stop)(int) = &eprof_stop;
    void (*free_label)(const char *) = eprof_free;
    int (*release)(int) = eprof_release;
    int (*instance_for)(const char *) = eprof_instance_for;
    void (*print)(void) = eprof_print;
    uint64_t (*now)(void) = eprof_now;
    uint64_t (*ns)(uint64_t) = eprof_ns;
    void (*record)(int, uint64_t, uint64_t) = eprof_record;
    void (*enter)(const char *) = eprof_enter;
    struct eprof_site *(*site_for)(const char *) = eprof_site_for;
    void (*enter_site)(struct eprof_site *) = eprof_enter_site;
    void (*leave)(void) = eprof_leave;
    void (*hold)(void) = eprof_hold;
    void (*keep)(bool) = eprof_keep;
    void (*thread_name)(const char *) = eprof_thread_name;
    void (*thread_enter)(const char *) = eprof_thread_enter;
    void (*thread_exit)(void) = eprof_thread_exit;
    int (*setup)(const char *) = eprof_setup;
    void (*enable)(bool) = eprof_enable;
    void (*thread_enable)(bool) = eprof_thread_enable;
    void (*reset)(void) = eprof_reset;
    int (*source_use)(const char *) = eprof_source_use;
    const char *(*source_name)(void) = eprof_source_name;
    int (*source_add)(const struct eprof_source *) = eprof_source_add;
    int (*report)(FILE *, const char *) = eprof_report;
    int (*save)(const char *) = eprof_save;
    eprof_snapshot *(*snapshot_take)(void) = eprof_snapshot_take;
    eprof_snapshot *(*snapshot_take_threads)(void) = eprof_snapshot_take_threads;
    void (*snapshot_free)(eprof_snapshot *) = eprof_snapshot_free;
    size_t (*snapshot_rows)(const eprof_snapshot *) = eprof_snapshot_rows;
    int (*snapshot_row)(const eprof_snapshot *, size_t, struct eprof_row *) = eprof_snapshot_row;

    init();
    EXPECT(alloc("label") == 0);
    start(0);
    stop(0);
    free_label("label");
    EXPECT(instance_for("label") == 0);
    EXPECT(release(0) == 0);
    print();
    EXPECT(now() == 0);
    EXPECT(ns(7) == 0);
    record(0, 1, 2);
    enter("label");
    leave();
    EXPECT(site_for("label") == NULL);
    enter_site(NULL);
    leave();
    hold();
    keep(true);
    thread_name("name");
    thread_enter("name");
    thread_exit();
    EXPECT(setup("off") == 0);
    enable(true);
    thread_enable(true);
    reset();
    EXPECT(source_use("auto") == 0);
    EXPECT(source_name()[0] == '\0');
    EXPECT(source_add(NULL) == 0);
    EXPECT(report(stdout, "table") == 0);
    EXPECT(save("no/such/folder") == 0);
    EXPECT(snapshot_take() == NULL);
    EXPECT(snapshot_take_threads() == NULL);
    EXPECT(snapshot_rows(NULL) == 0);
    EXPECT(snapshot_row(NULL, 0, NULL) == 0);
    snapshot_free(NULL);
}

/* Only the call uses them: no build may report them as unused. */
static int used_by_the_call_only(void)
{
    return 0;
}

static void call_with_odd_arguments(int parameter)
{
    struct {
        unsigned handle : 5;
    } bits = {0};
    const int local = 0;
    static int kept;

    eprof_start(parameter);
    eprof_start(bits.handle);
    eprof_stop(local);
    eprof_stop(kept);
    eprof_stop(used_by_the_call_only());
    if (parameter)
        eprof_start(parameter);
    else
        eprof_stop(parameter);
    for (; parameter > 0; eprof_stop(parameter))
        --parameter;
    parameter ? eprof_start(parameter) : eprof_stop(parameter);
    eprof_start(parameter), eprof_stop(parameter);
    eprof_record(eprof_alloc("in"), eprof_now(), eprof_now());
}

/* Each scope, in the places where it is allowed; a block is the same loop in both builds. */
static int use_scopes(int rounds)
{
    EPROF_FUNC;
    int blocks = 0;
    EPROF_SCOPE("function");
    for (int i = 0; i < rounds; ++i) {
        EPROF_SCOPE("round");
        EPROF_SLOW("slow", (uint64_t)counted(1000));
        EPROF_FRAME("frame", (uint64_t)counted(1000));
        if (i)
            EPROF_VALUE("value", counted(1));
        else
            EPROF_BYTES("bytes", (size_t)counted(1));
        EPROF_BLOCK("outer")
        {
            ++blocks;
            EPROF_BLOCK("inner")
            {
                if (i == 0)
                    continue;
                if (i == 1)
                    break;
                ++blocks;
            }
        }
        if (i == 3)
            return blocks;
    }
    return blocks;
}

#ifdef __cplusplus
template <int first, int second> static int sum()
{
    return first + second;
}

static void call_as_cxx_does()
{
    ::eprof_start(sum<1, 2>());
    ::eprof_stop(sum<1, 2>());
    const int id = ::eprof_alloc("label");
    auto stop = [id] { eprof_stop(id); };
    stop();
}
#else
/* It has external linkage: so it must not refer to anything that is static. */
void inline_with_linkage(int id);
inline void inline_with_linkage(int id)
{
    eprof_start(id);
    if (eprof_alloc("label") == 0)
        eprof_stop(id);
}
void inline_with_linkage(int id);
#endif

int main(void)
{
    call_as_statements();
    EXPECT(evaluations == 0);
    call_for_values();
    call_through_addresses();
    call_with_odd_arguments(0);
    evaluations = 0;
    EXPECT(use_scopes(10) == 6);
    EXPECT(evaluations == 0);
#ifdef __cplusplus
    call_as_cxx_does();
#else
    inline_with_linkage(0);
#endif
    return failures != 0;
}
