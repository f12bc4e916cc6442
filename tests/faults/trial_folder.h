/*
 * trial_folder.h - the folder of all trials, with the files that the subjects need
 */
#ifndef FAULTS_TRIAL_FOLDER_H
#define FAULTS_TRIAL_FOLDER_H

#include "trial_files.h"

/* Makes the folder, the ledger and the files that subject.h describes; ends the program on
 * failure. */
void trial_folder_make(struct trial_places *places);
void trial_folder_remove(const struct trial_places *places);

#endif /* FAULTS_TRIAL_FOLDER_H */
