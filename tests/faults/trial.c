#include "trial.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

/* Far more than any takes, under a sanitizer on a busy machine too. */
enum { MOST_SECONDS = 60, MOST_WORDS = 24, MOST_LINE = 512 };

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void try(int result, const char *what)
{
    if (result < 0)
        die(what);
}

/* ---- files ---- */

/* `name` in the folder of all; it lives until the next but three. */
static const char *place(const struct trial_places *places, const char *name)
{
    static char paths[4][256];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", places->folder, name);
    return path;
}

static struct trial_text read_text(const char *path)
{
    struct trial_text text = {.bytes = NULL};
    FILE *file = fopen(path, "re");
    text.is_there = file != NULL;
    for (size_t got = 1; file && got > 0; text.count += got) {
        char *larger = realloc(text.bytes, text.count + 65536);
        if (!larger)
            die("memory");
        text.bytes = larger;
        got = fread(text.bytes + text.count, 1, 65535, file);
    }
    if (file)
        fclose(file);
    if (text.bytes)
        text.bytes[text.count] = '\0';
    return text;
}

static void write_text(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "we");
    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        die(path);
}

static void copy_file(const char *from, const char *to)
{
    struct trial_text text = read_text(from);
    write_text(to, text.bytes, text.count);
    free(text.bytes);
}

/* Calls `act` with the path and the name of each file of a folder. */
static void for_each_file(const char *folder, void (*act)(const char *, const char *, void *),
                          void *context)
{
    DIR *files = opendir(folder);
    if (!files)
        die(folder);
    for (struct dirent *entry; (entry = readdir(files)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_type != DT_DIR)
            act(path, entry->d_name, context);
    }
    closedir(files);
}

static void remove_file(const char *path, const char *name, void *unused)
{
    (void)name;
    (void)unused;
    unlink(path);
}

static void keep_file(const char *path, const char *name, void *context)
{
    struct trial *trial = context;
    if (trial->file_count == TRIAL_FILES)
        return;
    size_t i = trial->file_count++;
    snprintf(trial->files[i].name, sizeof trial->files[i].name, "%s", name);
    trial->files[i].text = read_text(path);
}

/* ---- a process ---- */

static void redirect(const char *path, int flags, int as)
{
    int file = open(path, flags, 0600);
    if (file < 0 || dup2(file, as) < 0)
        _exit(120);
    close(file);
}

/* verify_asan_link_order: what is preloaded comes before the sanitizer, and calls it in turn. */
static void set_environment(const struct trial_places *places, const struct subject *subject)
{
    char options[512];
    const char *given = getenv("ASAN_OPTIONS");
    snprintf(options, sizeof options, "%s:verify_asan_link_order=0:exitcode=99:detect_leaks=1",
             given ? given : "");
    setenv("ASAN_OPTIONS", options, 1);
    setenv("LD_PRELOAD", places->instrument, 1);
    setenv(LEDGER_VARIABLE, place(places, "ledger"), 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("EPROF");
    if (subject->items)
        setenv("EPROF", subject->items, 1);
}

static void split(char *line, char **words)
{
    size_t count = 0;
    for (char *word = strtok(line, " "); word && count < MOST_WORDS; word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
}

__attribute__((noreturn)) static void start(const struct trial_places *places,
                                            const struct subject *subject)
{
    const struct rlimit no_core = {0, 0};
    char line[MOST_LINE], *words[MOST_WORDS + 1];
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* where a limit of time ends the harness */
    setrlimit(RLIMIT_CORE, &no_core);
    redirect(place(places, "request"), O_RDONLY, STDIN_FILENO);
    redirect(place(places, "stdout"), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, STDOUT_FILENO);
    redirect(place(places, "stderr"), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, STDERR_FILENO);
    snprintf(line, sizeof line, "%s", subject->words);
    split(line, words);
    const char *program = strcmp(words[0], "eprof") == 0 ? places->eprof : places->host;
    set_environment(places, subject);
    if (chdir(place(places, "run")) == 0)
        execv(program, words);
    _exit(121);
}

/* SIGCHLD is blocked. What it leaves running is ended with it. */
static void await(struct trial *trial, pid_t child)
{
    const struct timespec limit = {.tv_sec = MOST_SECONDS};
    sigset_t end;
    int status;
    sigemptyset(&end);
    sigaddset(&end, SIGCHLD);
    trial->hung = false;
    while (waitpid(child, &status, WNOHANG) == 0)
        if (sigtimedwait(&end, NULL, &limit) < 0 && errno == EAGAIN) {
            trial->hung = true;
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
    kill(-child, SIGKILL);
    trial->status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void prepare(const struct trial_places *places, const struct subject *subject)
{
    static const char old[] = "old\n";
    for_each_file(place(places, "run"), remove_file, NULL);
    if (subject->promises & SUBJECT_HAS_PROFILE)
        copy_file(place(places, "one"), place(places, "run/out"));
    else
        write_text(place(places, "run/out"), old, sizeof old - 1);
}

void trial_run(struct trial *trial, const struct trial_places *places,
               const struct subject *subject)
{
    *trial = (struct trial){.status = 0};
    prepare(places, subject);
    fflush(NULL);
    pid_t child = fork();
    try(child, "fork");
    if (child == 0)
        start(places, subject);
    setpgid(child, child); /* whoever of both comes first */
    await(trial, child);
    trial->out = read_text(place(places, "stdout"));
    trial->err = read_text(place(places, "stderr"));
    for_each_file(place(places, "run"), keep_file, trial);
}

void trial_forget(struct trial *trial)
{
    free(trial->out.bytes);
    free(trial->err.bytes);
    for (size_t i = 0; i < trial->file_count; i++)
        free(trial->files[i].text.bytes);
}

const struct trial_text *trial_file(const struct trial *trial, const char *name)
{
    for (size_t i = 0; i < trial->file_count; i++)
        if (strcmp(trial->files[i].name, name) == 0)
            return &trial->files[i].text;
    return NULL;
}

/* ---- what they need ---- */

/* A run without faults whose status is to be 0; its folder stays as it is. */
static int run_plainly(const struct trial_places *places, const char *words, const char *items)
{
    const struct subject subject = {"plain", words, items, 0};
    struct trial trial;
    memset(places->ledger, 0, sizeof *places->ledger);
    fflush(NULL);
    pid_t child = fork();
    try(child, "fork");
    if (child == 0)
        start(places, &subject);
    await(&trial, child);
    return trial.status;
}

bool trial_is_profile(const struct trial_places *places, const char *name)
{
    char words[128];
    struct ledger kept = *places->ledger;
    snprintf(words, sizeof words, "eprof report --format=csv %s", name);
    int status = run_plainly(places, words, NULL);
    *places->ledger = kept;
    return status == 0;
}

static void make_profile(const struct trial_places *places, const char *name, const char *words,
                         const char *items)
{
    char to[128];
    snprintf(to, sizeof to, "%s", place(places, name));
    if (run_plainly(places, words, items) != 0 || rename(place(places, "run/made"), to) != 0)
        die(words);
}

/* Some functions of a program, in the words of src/symbol_request.h. */
static void make_request(const struct trial_places *places)
{
    enum { FIRST = 0x1000, LAST = 0x1800, STEP = 0x40 };
    char *request;
    size_t bytes;
    FILE *stream = open_memstream(&request, &bytes);
    fprintf(stream, "M%c%s%c%c0%c", 0, places->recorder, 0, 0, 0);
    for (int address = FIRST; address < LAST; address += STEP)
        fprintf(stream, "A%c%x%c", 0, address, 0);
    fclose(stream);
    write_text(place(places, "request"), request, bytes);
    free(request);
}

static void make_ledger(struct trial_places *places)
{
    static const struct ledger empty;
    const char *path = place(places, "ledger");
    write_text(path, (const char *)&empty, sizeof empty);
    setenv(LEDGER_VARIABLE, path, 1);
    places->ledger = ledger_open();
    if (!places->ledger)
        die(path);
}

void trial_begin(struct trial_places *places)
{
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGCHLD);
    sigprocmask(SIG_BLOCK, &end, NULL);
    snprintf(places->folder, sizeof places->folder, P_tmpdir "/eprof-faults-XXXXXX");
    if (!mkdtemp(places->folder))
        die(places->folder);
    try(mkdir(place(places, "run"), 0700), "run");
    try(symlink(places->recorder, place(places, "recorder")), "recorder");
    make_ledger(places);
    make_request(places);
    make_profile(places, "one", "eprof run -q -o made -- ../recorder", NULL);
    make_profile(places, "two", "eprof run -q -o made -- ../recorder late", NULL);
    make_profile(places, "hooked", "host functions", "image=made");
}

void trial_end(const struct trial_places *places)
{
    for_each_file(place(places, "run"), remove_file, NULL);
    rmdir(place(places, "run"));
    for_each_file(places->folder, remove_file, NULL);
    rmdir(places->folder);
}
