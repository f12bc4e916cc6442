/* Reading from files and writing to them, while calls for files and memory are refused. */
#include "scarce.h"

#include "support/fake_profile.h"

#include "base/file.h"
#include "image/file.h"
#include "image/read.h"
#include "support/test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define GOLDEN EPROF_GOLDEN_DIR "/image-1.eprof"

static struct ep_image image;
static char folder[] = "/tmp/eprof-scarce-XXXXXX";

static int begin(void **state)
{
    struct ep_image_file_state file;
    const char *why;
    (void)state;
    scarce.with_files = true;
    return mkdtemp(folder) && chdir(folder) == 0 && ep_image_read(GOLDEN, &image, &file, &why) == 0
               ? 0
               : -1;
}

static int end(void **state)
{
    (void)state;
    ep_image_destroy(&image);
    unlink("file");
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

/* ---- an existing file ---- */

enum { OLD_BYTES = 100 };

static void put_old(const char *text)
{
    FILE *file = fopen("file", "w");
    assert_non_null(file);
    for (int i = 0; i < OLD_BYTES; i++)
        fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

int __real_stat(const char *path, struct stat *status);

static long bytes_of_file(void)
{
    struct stat status;
    return __real_stat("file", &status) == 0 ? (long)status.st_size : -1;
}

static int count_files(void)
{
    int count = 0;
    DIR *here = opendir(".");
    for (const struct dirent *entry; (entry = readdir(here)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(here);
    return count;
}

/* After an act there is the complete old file or the complete new one, and no other file. */
static int leave(FILE *out, int result, long old_bytes, long new_bytes)
{
    int error = errno;
    long bytes = bytes_of_file(), expected = result == 0 ? new_bytes : old_bytes;
    if (bytes != expected)
        fprintf(out, "the file has %ld bytes, not %ld\n", bytes, expected);
    int files = count_files(), expected_files = bytes < 0 ? 0 : 1;
    if (files != expected_files)
        fprintf(out, "%d files are there, not %d\n", files, expected_files);
    errno = error;
    return bytes == expected && files == expected_files ? result : 0; /* then the text says so */
}

/* ---- read ---- */

static int read_file(FILE *out)
{
    struct ep_image read;
    struct ep_image_file_state file;
    const char *why;
    if (ep_image_read(GOLDEN, &read, &file, &why) != 0) {
        bool is_said = strcmp(why, strerror(ENOMEM)) == 0 || strcmp(why, strerror(EIO)) == 0;
        if (!is_said)
            fprintf(out, "%s\n", why);
        return is_said ? -1 : 0;
    }
    fprintf(out, "%u cells\n", ep_image_root(&read)->cells_used);
    ep_image_destroy(&read);
    return 0;
}

TEST(file_is_read_or_the_reason_is_reported)
{
    scarce_try(read_file);
}

/* ---- saved ---- */

static bool is_there;

static int save(FILE *out)
{
    const char *why = NULL;
    long bytes = (long)ep_image_root(&image)->cells_used * EP_CELL_BYTES;
    long refused = scarce.refused;
    scarce.refused = -1; /* the file there is not a part of it */
    unlink("file");
    if (is_there && ep_image_file_save(&image, "file", &why) != 0)
        abort();
    scarce.refused = refused;
    scarce.requests = 0;
    int result = ep_image_file_save(&image, "file", &why), error = errno;
    scarce.refused = -1;
    if (result != 0 && (!why || strcmp(why, strerror(error)) != 0))
        fprintf(out, "%s\n", why ? why : "no reason");
    errno = error;
    return leave(out, result, is_there ? bytes : -1, bytes);
}

TEST(file_is_saved_whole_or_not_at_all)
{
    is_there = false;
    scarce_try(save);
    is_there = true;
    scarce_try(save);
}

/* ---- replaced ---- */

static int replace(FILE *out)
{
    struct ep_replace file;
    long refused = scarce.refused;
    scarce.refused = -1;
    unlink("file");
    if (is_there)
        put_old("old");
    scarce.refused = refused;
    scarce.requests = 0;
    int result = ep_file_replace_open(&file, "file");
    if (result == 0) {
        fputs("new", file.stream);
        result = ep_file_replace_close(&file, 1);
    }
    scarce.refused = -1;
    return leave(out, result, is_there ? 3 * OLD_BYTES : -1, 3);
}

TEST(file_is_replaced_whole_or_not_at_all)
{
    is_there = false;
    scarce_try(replace);
    is_there = true;
    scarce_try(replace);
}

TEST_ALL(begin, end)
