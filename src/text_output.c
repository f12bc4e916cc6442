#include "text_output.h"

#include <errno.h>
#include <stdlib.h>

int ep_text_output_open(struct ep_text_output *output)
{
    output->stream = open_memstream(&output->text, &output->bytes);
    if (!output->stream)
        return -1;
    ep_output_open(&output->out, output->stream);
    return 0;
}

char *ep_text_output_close(struct ep_text_output *output)
{
    int error = ep_output_close(&output->out) != 0 ? errno : 0;
    if (fclose(output->stream) != 0 && !error)
        error = errno;
    if (!error)
        return output->text;
    free(output->text);
    errno = error;
    return NULL;
}
