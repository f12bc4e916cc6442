/*
 * trial_folder.h - the folder of all trials, with what the subjects need
 */
#ifndef FAULTS_TRIAL_FOLDER_H
#define FAULTS_TRIAL_FOLDER_H

#include "trial_files.h"

/* Makes it, the ledger and what subject.h tells of; ends the program if it cannot. */
void trial_folder_make(struct trial_places *places);
void trial_folder_remove(const struct trial_places *places);

#endif /* FAULTS_TRIAL_FOLDER_H */
