#include "trial_process.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ledger.h"

/* Far longer than any run takes, also with a sanitizer on a busy machine. */
enum { MOST_SECONDS = 60, MOST_WORDS = 24, MOST_LINE = 512 };

/* ---- in the child ---- */

static void redirect(const char *path, int flags, int as)
{
    int file = open(path, flags, 0600);
    if (file < 0 || dup2(file, as) < 0)
        _exit(120);
    close(file);
}

/* verify_asan_link_order: the preloaded library comes before the sanitizer, and calls it. */
static void set_environment(const struct trial_places *places, const struct subject *subject)
{
    char options[512];
    const char *given = getenv("ASAN_OPTIONS");
    snprintf(options, sizeof options, "%s:verify_asan_link_order=0:exitcode=99:detect_leaks=1",
             given ? given : "");
    setenv("ASAN_OPTIONS", options, 1);
    setenv("LD_PRELOAD", places->instrument, 1);
    setenv(LEDGER_VARIABLE, trial_files_path(places, "ledger"), 1);
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
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* so that it ends if a time limit ends the test program */
    setrlimit(RLIMIT_CORE, &no_core);
    redirect(trial_files_path(places, "request"), O_RDONLY, STDIN_FILENO);
    redirect(trial_files_path(places, "stdout"), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND,
             STDOUT_FILENO);
    redirect(trial_files_path(places, "stderr"), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND,
             STDERR_FILENO);
    snprintf(line, sizeof line, "%s", subject->words);
    split(line, words);
    const char *program = strcmp(words[0], "eprof") == 0 ? places->eprof : places->host;
    set_environment(places, subject);
    if (chdir(trial_files_path(places, "run")) == 0)
        execv(program, words);
    _exit(121);
}

/* ---- in the test program ---- */

/* `end` is the set of SIGCHLD, which is blocked. */
static int await(pid_t child, const sigset_t *end, bool *hung)
{
    const struct timespec limit = {.tv_sec = MOST_SECONDS};
    int status;
    *hung = false;
    while (waitpid(child, &status, WNOHANG) == 0)
        if (sigtimedwait(end, NULL, &limit) < 0 && errno == EAGAIN) {
            *hung = true;
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
    kill(-child, SIGKILL);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int trial_process_run(const struct trial_places *places, const struct subject *subject, bool *hung)
{
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGCHLD);
    sigprocmask(SIG_BLOCK, &end, NULL);
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        err(1, "fork");
    if (child == 0)
        start(places, subject);
    setpgid(child, child); /* the parent or the child, whichever comes first */
    return await(child, &end, hung);
}

int trial_process_run_plainly(const struct trial_places *places, const char *words,
                              const char *items)
{
    const struct subject subject = {"plain", words, items, 0};
    bool hung;
    memset(places->ledger, 0, sizeof *places->ledger);
    return trial_process_run(places, &subject, &hung);
}
