#include "trial_folder.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger.h"
#include "trial_process.h"

static void make_profile(const struct trial_places *places, const char *name, const char *words,
                         const char *items)
{
    char to[128];
    snprintf(to, sizeof to, "%s", trial_files_path(places, name));
    if (trial_process_run_plainly(places, words, items) != 0 ||
        rename(trial_files_path(places, "run/made"), to) != 0)
        err(1, "%s", words);
}

/* Some functions of a program, in the format of src/image/names.h. */
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
    trial_files_write(trial_files_path(places, "request"), request, bytes);
    free(request);
}

static void make_ledger(struct trial_places *places)
{
    static const struct ledger empty;
    const char *path = trial_files_path(places, "ledger");
    trial_files_write(path, (const char *)&empty, sizeof empty);
    setenv(LEDGER_VARIABLE, path, 1);
    places->ledger = ledger_open();
    if (!places->ledger)
        err(1, "%s", path);
}

void trial_folder_make(struct trial_places *places)
{
    snprintf(places->folder, sizeof places->folder, P_tmpdir "/eprof-faults-XXXXXX");
    if (!mkdtemp(places->folder))
        err(1, "%s", places->folder);
    if (mkdir(trial_files_path(places, "run"), 0700) != 0)
        err(1, "run");
    if (symlink(places->recorder, trial_files_path(places, "recorder")) != 0)
        err(1, "recorder");
    make_ledger(places);
    make_request(places);
    make_profile(places, "one", "eprof run -q -o made -- ../recorder", NULL);
    make_profile(places, "two", "eprof run -q -o made -- ../recorder late", NULL);
    make_profile(places, "hooked", "host functions", "image=made");
}

void trial_folder_remove(const struct trial_places *places)
{
    const char *run = trial_files_path(places, "run");
    trial_files_remove_each(run);
    rmdir(run);
    trial_files_remove_each(places->folder);
    rmdir(places->folder);
}
