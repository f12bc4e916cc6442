#include "rerun.h"

/* ----------------------------------------------------- the profiled program -- */

static int rerun_use(const char *unused)
{
    (void)unused;
    eprof_now();
    return 0;
}

/* The clock that is moved by hand; it is not the current clock then. */
static int rerun_add(const char *unused)
{
    const struct eprof_source hand = {
        .size = sizeof hand, .name = "hand", .now = hand_clock_now, .ticks_per_second = 1000000000};
    (void)unused;
    return eprof_source_add(&hand);
}

static void rerun_use_hand_clock(void)
{
    static bool is_in_use;
    if (!is_in_use)
        hand_clock_use();
    is_in_use = true;
}

int rerun_record(const char *unused)
{
    static int id = -1;
    (void)unused;
    rerun_use_hand_clock();
    if (id < 0)
        id = eprof_alloc("a");
    eprof_start(id);
    hand_ticks += 10;
    eprof_stop(id);
    return 0;
}

/* One call of 10 ns, of the scope "s". */
static int rerun_scope(const char *unused)
{
    (void)unused;
    rerun_use_hand_clock();
    EPROF_SCOPE("s");
    hand_ticks += 10;
    return 0;
}

/* Records this number of scopes, each at its own place in the source. */
static int rerun_paths(const char *count)
{
    char label[16];
    rerun_use_hand_clock();
    for (int i = 0; i < atoi(count); i++) {
        snprintf(label, sizeof label, "path %d", i);
        eprof_enter(label);
        hand_ticks += 10;
        eprof_leave();
    }
    return 0;
}

static void rerun_scope_at_exit(void)
{
    rerun_scope(NULL);
}

/* It must come before the first use of the library, so that its function is called when the report
 * is written. */
static int rerun_late(const char *unused)
{
    (void)unused;
    return atexit(rerun_scope_at_exit);
}

/* exit() is called in a scope that is still open. */
static int rerun_inside(const char *status)
{
    rerun_use_hand_clock();
    EPROF_SCOPE("outer");
    hand_ticks += 7;
    exit(atoi(status));
}

static int rerun_reset(const char *unused)
{
    (void)unused;
    eprof_reset();
    return 0;
}

/* A report that cannot be written. */
static int rerun_fail(const char *format)
{
    FILE *full = fopen("/dev/full", "w");
    return !full || eprof_report(full, format) == 0;
}

static int rerun_setup(const char *items)
{
    errno = 0;
    int result = eprof_setup(items);
    return printf("setup %d %s\n", result, result != 0 && errno == EINVAL ? "EINVAL" : "") < 0;
}

static int rerun_report(const char *format)
{
    return eprof_report(stdout, format);
}

static int rerun_print(const char *unused)
{
    (void)unused;
    eprof_print();
    return 0;
}

static int rerun_init(const char *unused)
{
    (void)unused;
    eprof_init();
    return 0;
}

static int rerun_enable(const char *unused)
{
    (void)unused;
    eprof_enable(true);
    eprof_thread_enable(true);
    return 0;
}

static int rerun_source(const char *unused)
{
    (void)unused;
    return printf("source %s\n", eprof_source_name()) < 0;
}

static int rerun_diagnostics(const char *unused)
{
    (void)unused;
    return printf("diagnostic %s\n", diagnostic_text()) < 0;
}

static int rerun_say(const char *text)
{
    return printf("%s\n", text) < 0;
}

static int rerun_getenv(const char *items)
{
    return setenv("EPROF", items, 1);
}

/* From now on the descriptor is that of another file; it is closed if the path is empty. */
static int rerun_redirect(int descriptor, const char *path)
{
    close(descriptor);
    return *path && open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) != descriptor;
}

static int rerun_stdout(const char *path)
{
    fflush(stdout);
    return rerun_redirect(STDOUT_FILENO, path);
}

static int rerun_stderr(const char *path)
{
    return rerun_redirect(STDERR_FILENO, path);
}

/* From now on files may have only this number of bytes, as on a full disk. */
static int rerun_disk(const char *bytes)
{
    struct rlimit limit = {strtoul(bytes, NULL, 10), RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    return setrlimit(RLIMIT_FSIZE, &limit);
}

int rerun_on_smallest_stack(void *(*act)(void *unused))
{
    pthread_attr_t attributes;
    pthread_t thread;
    int error = pthread_attr_init(&attributes);
    if (!error)
        error = pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN);
    if (!error)
        error = pthread_create(&thread, &attributes, act, NULL);
    return error ? error : pthread_join(thread, NULL);
}

static void *rerun_scope_and_exit(void *unused)
{
    (void)unused;
    rerun_scope(NULL);
    exit(0);
}

static int rerun_small_exit(const char *unused)
{
    (void)unused;
    return rerun_on_smallest_stack(rerun_scope_and_exit);
}

/* A signal ends a program that would wait for ever. */
static int rerun_alarm(const char *seconds)
{
    alarm((unsigned)atoi(seconds));
    return 0;
}

/* From here on a forked child performs the steps; the parent waits for it and ends. */
static int rerun_fork(const char *unused)
{
    int status = 0;
    (void)unused;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        return 0;
    if (child > 0 && waitpid(child, &status, 0) == child)
        printf("child %ld\n", (long)child);
    exit(status != 0);
}

static int rerun_exit(const char *status)
{
    exit(atoi(status));
}

int rerun_main(char *const *steps)
{
    static const struct {
        const char *name;
        int (*step)(const char *argument);
    } known[] = {
        {"use", rerun_use},       {"add", rerun_add},
        {"record", rerun_record}, {"setup", rerun_setup},
        {"report", rerun_report}, {"print", rerun_print},
        {"init", rerun_init},     {"enable", rerun_enable},
        {"source", rerun_source}, {"diagnostic", rerun_diagnostics},
        {"say", rerun_say},       {"putenv", rerun_getenv},
        {"chdir", chdir},         {"stdout", rerun_stdout},
        {"stderr", rerun_stderr}, {"scope", rerun_scope},
        {"paths", rerun_paths},   {"late", rerun_late},
        {"inside", rerun_inside}, {"reset", rerun_reset},
        {"fail", rerun_fail},     {"disk", rerun_disk},
        {"fork", rerun_fork},     {"exit", rerun_exit},
        {"alarm", rerun_alarm},   {"small_exit", rerun_small_exit},
    };
    for (; *steps; steps++) {
        size_t bytes = strcspn(*steps, "="), i = 0, count = sizeof known / sizeof known[0];
        while (i < count &&
               (strlen(known[i].name) != bytes || strncmp(*steps, known[i].name, bytes) != 0))
            i++;
        if (i == count || known[i].step(*steps + bytes + ((*steps)[bytes] == '=')) != 0) {
            printf("failed: %s\n", *steps);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}

/* A program that meanwhile wrote 16 kB into the other pipe would wait for ever; no test does
 * that. */
static void rerun_read(int end, char *text, size_t room)
{
    size_t bytes = 0;
    for (ssize_t got; (got = read(end, text + bytes, room - 1 - bytes)) > 0;)
        bytes += (size_t)got;
    text[bytes] = '\0';
    close(end);
}

void rerun(struct rerun *run, const char *items, const char *const *steps)
{
    int out[2], err[2], status = 0;
    assert_return_code(pipe2(out, O_CLOEXEC), errno);
    assert_return_code(pipe2(err, O_CLOEXEC), errno);
    run->process_id = fork();
    assert_return_code(run->process_id, errno);
    if (run->process_id == 0) {
        char *arguments[32] = {(char[]){"rerun"}};
        for (int i = 0; i < 30 && steps[i]; i++)
            arguments[i + 1] = strdup(steps[i]);
        dup2(out[1], STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
        if (items)
            setenv("EPROF", items, 1);
        else
            unsetenv("EPROF");
        execv(own_program(), arguments);
        _exit(127);
    }
    close(out[1]);
    close(err[1]);
    rerun_read(out[0], run->out, sizeof run->out);
    rerun_read(err[0], run->err, sizeof run->err);
    assert_int_equal(waitpid(run->process_id, &status, 0), run->process_id);
    run->status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}
