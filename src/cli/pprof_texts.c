#include "pprof_texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "escape_name.h"
#include "text_output.h"

void ep_pprof_texts_open(struct ep_pprof_texts *texts, struct ep_output *out)
{
    *texts = (struct ep_pprof_texts){.out = out};
    ep_pprof_texts_find(texts, "");
}

int64_t ep_pprof_texts_find(struct ep_pprof_texts *texts, const char *text)
{
    return ep_pprof_texts_find_bytes(texts, text, strlen(text));
}

int64_t ep_pprof_texts_find_bytes(struct ep_pprof_texts *texts, const char *text, size_t bytes)
{
    uint32_t number = bytes <= UINT32_MAX
                          ? ep_merge_names_find(&texts->names, text, (uint32_t)bytes)
                          : EP_MAP_NONE;
    if (number != EP_MAP_NONE)
        return number;
    ep_output_fail(texts->out, ENOMEM);
    return 0;
}

/* To be freed. NULL and errno. */
static char *as_on_a_terminal(const char *text)
{
    struct ep_text_output shown;
    if (ep_text_output_open(&shown) != 0)
        return NULL;
    ep_escape_name(&shown.out, text);
    return ep_text_output_close(&shown);
}

static void write_text(struct ep_pprof_pieces *pieces, const char *text)
{
    char *shown = as_on_a_terminal(text);
    if (!shown) {
        ep_output_fail(pieces->out, errno);
        return;
    }
    Ep__Pprof__Profile piece = EP__PPROF__PROFILE__INIT;
    piece.n_string_table = 1;
    piece.string_table = &shown;
    ep_pprof_pieces_write(pieces, &piece);
    free(shown);
}

void ep_pprof_texts_write(const struct ep_pprof_texts *texts, struct ep_pprof_pieces *pieces)
{
    for (size_t i = 0; i < texts->names.count && !pieces->out->error; i++)
        write_text(pieces, texts->names.at[i].text);
}

void ep_pprof_texts_close(struct ep_pprof_texts *texts)
{
    ep_merge_names_free(&texts->names);
}
