/*
 * fake_profile.h - an image made by hand that has at least one cell of each kind; the result of its
 * check, and files made from it
 */
#ifndef FAKE_PROFILE_H
#define FAKE_PROFILE_H

#include "fake_image.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "image/check.h"
#include "image/read.h"
#include "report/report.h"

/* The parts of the image. */
struct fake_profile {
    struct ep_instance_cell *instance, *second;
    struct ep_thread_cell *main, *worker;
    struct ep_instance_cells *pair, *scratch_pair;
    struct ep_node_cell *root, *outer, *inner, *hold; /* on the thread main */
    struct ep_node_cell *worker_root, *worker_node;
    struct ep_open_scope_cell *lowest, *open; /* on the thread main */
    struct ep_site_cell *site;                /* the first of two */
    struct ep_module_cell *module, *second_module;
    struct ep_site_cell *named, *nameless; /* functions */
};

extern struct fake_profile made;

void fake_profile(void);
int fault_begin(void **state);
const char *fault_find(void);
void check_sound(void);

/* Asserts that the check of the image reports a fault whose text contains `part`. */
void check_fault(const char *part);

/* The cell after the last one. */
ep_ref end_cell(void);

extern char image_path[];

size_t image_bytes(void);

/* Opens a new, empty file at image_path. */
int image_make_file(void);

/* Writes the first `bytes` bytes of the fake image to the file. */
void image_write(size_t bytes);

/* The text of a report on a stored image. */
char *image_report(const struct ep_image *image, struct ep_snapshot_options options);

#endif /* FAKE_PROFILE_H */
