/*
 * fuzz_names.c - takes bytes as the answer of the program that is asked for names of functions
 *
 * The understood part of the answer is stored in an image: the image must stay sound, and have the
 * same content when it is read. A complete answer, written again as the program would write it,
 * must give the same result.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "functions_image.h"
#include "fuzz_target.h"
#include "given_answer.h"
#include "image/names.h"
#include "image/read.h"
#include "memory_file.h"
#include "require.h"
#include "snapshot_text.h"

struct fuzz_counts fuzz_counts;

static void read_image(struct ep_image *copy, const struct ep_image *image)
{
    struct ep_image_file_state state;
    const char *why;
    size_t bytes = (size_t)ep_image_root(image)->cells_used * EP_CELL_BYTES;
    require(ep_image_read(memory_file_of(image->cells, bytes), copy, &state, &why) == 0,
            "an image is sound");
}

/* ---- questions ---- */

static void require_bounded(const struct ep_names_module *module)
{
    require(strlen(module->fault) <= 200 && !(module->answered > module->count),
            "of a module no more is known than was asked");
    for (size_t i = 0; i < module->count; i++) {
        const struct ep_name *name = &module->functions[i];
        require(strlen(name->name) <= EP_LABEL_BYTES && strlen(name->file) <= EP_LABEL_BYTES,
                "texts are no longer than an image takes");
        require(name->line <= INT32_MAX, "nor are lines");
    }
}

static bool has_unreadable(const struct ep_image_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->modules[i].fault, EP_IMAGE_NAMES_UNREADABLE) == 0)
            return true;
    return false;
}

/* Whether the answer was complete: it has reached its end, and no module has stopped it. */
static bool ask(struct ep_image_names *names, const struct ep_image *image)
{
    char program[] = "program", *arguments[] = {program, NULL};
    *names = (struct ep_image_names){.modules = NULL};
    require(ep_image_names_add(names, image) == 0, "there is memory for names");
    require(names->count > 0, "there is something to be asked for");
    int result = ep_image_names_ask(names, arguments);
    require(result == 0 || errno == EPROTO, "it is told what was wrong");
    for (size_t i = 0; i < names->count; i++)
        require_bounded(&names->modules[i]);
    return result == 0 && !has_unreadable(names);
}

/* ---- storing the names ---- */

static void fill(struct ep_image_names *names, struct ep_image *image)
{
    struct ep_image again;
    require(ep_image_extend(image, ep_image_names_cells(names)) == 0, "there is memory for cells");
    require(ep_image_names_fill(names, image) == 0, "names have as many cells as was said");
    read_image(&again, image);
    require_same_text(snapshot_text_of_image(image, true), snapshot_text_of_image(&again, true),
                      "names are read as they were written");
    ep_image_destroy(&again);
}

/* ---- the same answer again ---- */

static void write_answer(struct ep_fields *answer, const struct ep_image_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        const struct ep_names_module *module = &names->modules[i];
        ep_strings_add(answer, "M");
        ep_strings_add(answer, module->fault);
        for (size_t k = 0; k < module->count; k++) {
            ep_strings_add(answer, "A");
            ep_strings_add(answer, module->functions[k].name);
            ep_strings_add(answer, module->functions[k].file);
            ep_strings_print(answer, "%" PRIu32, module->functions[k].line);
        }
    }
    ep_strings_add(answer, "E");
    require(!answer->is_incomplete, "there is memory for an answer");
}

static void answer_again(const struct ep_image_names *names, const struct ep_image *image)
{
    struct ep_fields answer = {.bytes = NULL}, second = {.bytes = NULL};
    struct ep_image_names again;
    write_answer(&answer, names);
    given_answer_set(answer.bytes, answer.count);
    require(ask(&again, image), "what is written is an answer");
    write_answer(&second, &again);
    require(second.count == answer.count && memcmp(second.bytes, answer.bytes, answer.count) == 0,
            "it says the same");
    ep_image_names_free(&again);
    ep_strings_free(&answer);
    ep_strings_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ep_image image;
    struct ep_image_names names;
    read_image(&image, functions_image());
    given_answer_set(data, size);
    bool is_whole = ask(&names, &image);
    if (is_whole)
        answer_again(&names, &image);
    fill(&names, &image);
    ep_image_names_free(&names);
    ep_image_destroy(&image);
    is_whole ? fuzz_counts.sound++ : fuzz_counts.refused++;
    return 0;
}
