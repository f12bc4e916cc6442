#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger.h"
#include "trial_process.h"

static void prepare(const struct trial_places *places, const struct subject *subject)
{
    static const char old[] = "old\n";
    const char *out = trial_files_path(places, "run/out");
    trial_files_remove_each(trial_files_path(places, "run"));
    if (subject->promises & SUBJECT_HAS_PROFILE)
        trial_files_copy(trial_files_path(places, "one"), out);
    else
        trial_files_write(out, old, sizeof old - 1);
}

static void keep_file(const char *path, const char *name, void *context)
{
    struct trial *trial = context;
    if (trial->file_count == TRIAL_FILES)
        return;
    size_t i = trial->file_count++;
    snprintf(trial->files[i].name, sizeof trial->files[i].name, "%s", name);
    trial->files[i].text = trial_files_read(path);
}

void trial_run(struct trial *trial, const struct trial_places *places,
               const struct subject *subject)
{
    *trial = (struct trial){.status = 0};
    prepare(places, subject);
    trial->status = trial_process_run(places, subject, &trial->hung);
    trial->out = trial_files_read(trial_files_path(places, "stdout"));
    trial->err = trial_files_read(trial_files_path(places, "stderr"));
    trial_files_each(trial_files_path(places, "run"), keep_file, trial);
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

bool trial_is_profile(const struct trial_places *places, const char *name)
{
    char words[128];
    struct ledger kept = *places->ledger;
    snprintf(words, sizeof words, "eprof report --format=csv %s", name);
    int status = trial_process_run_plainly(places, words, NULL);
    *places->ledger = kept;
    return status == 0;
}
