/*
 * written_file.h - image files, made of an image that was made by hand
 */
#ifndef WRITTEN_FILE_H
#define WRITTEN_FILE_H

#include "fake_tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "image_read.h"
#include "report.h"

static char image_path[] = P_tmpdir "/eprof-image-XXXXXX";

static inline size_t image_bytes(void)
{
    return (size_t)ep_image_root(&fake)->cells_used * EP_CELL_BYTES;
}

/* An empty file at image_path, open. */
static inline int image_make_file(void)
{
    strcpy(image_path + sizeof image_path - sizeof "XXXXXX", "XXXXXX");
    int file = mkstemp(image_path);
    assert_return_code(file, errno);
    return file;
}

/* The first `bytes` bytes of the fake image. */
static inline void image_write(size_t bytes)
{
    int file = image_make_file();
    const char *from = (const char *)fake.cells;
    for (size_t done = 0; done < bytes;) {
        ssize_t written = write(file, from + done, bytes - done);
        assert_return_code(written, errno);
        done += (size_t)written;
    }
    close(file);
}

/* The reports of a snapshot, one after the other; to be freed. */
static inline char *image_reports(const struct eprof_snapshot *snapshot)
{
    static void (*const writers[])(struct ep_output *, const struct eprof_snapshot *) = {
        ep_report_table, ep_report_tree, ep_report_csv, ep_report_json};
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        const struct ep_report report = {.write = writers[i]};
        assert_return_code(ep_report_write(&report, snapshot, stream), errno);
    }
    fclose(stream);
    return text;
}

/* What is reported of an image that is stored; to be freed. */
static inline char *image_report(const struct ep_image *image, struct ep_snapshot_options options)
{
    struct eprof_snapshot *snapshot = ep_snapshot_take_stored(image, options);
    assert_non_null(snapshot);
    char *text = image_reports(snapshot);
    ep_snapshot_free(snapshot);
    return text;
}

#endif /* WRITTEN_FILE_H */
