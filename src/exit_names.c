#include "exit_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image_names_ask.h"
#include "process.h"
#include "stderr_line.h"
#include "symbolizer_program.h"

static struct ep_image_names names;
static bool was_program_found;
static int error; /* why it did not tell all; 0: it did */

static bool has_functions(void)
{
    return ep_load_acquire(&ep_image_tree(&ep_process.image)->modules) != 0;
}

static int collect(void)
{
    if (ep_process_lock() != 0)
        return -1;
    int result = ep_image_names_add(&names, &ep_process.image);
    ep_process_unlock();
    return result;
}

static int ask(char *program)
{
    char *arguments[] = {program, (char[]){"symbolize"}, NULL};
    errno = ENOENT;
    return program ? ep_image_names_ask(&names, arguments) : -1;
}

static int fill(void)
{
    if (ep_process_lock() != 0)
        return -1;
    int result = ep_image_names_fill(&names, &ep_process.image);
    ep_process_unlock();
    return result;
}

/* What could be had is used, whatever went wrong. */
void ep_exit_names_find(void)
{
    if (!has_functions())
        return;
    char *program = ep_symbolizer_program_find();
    was_program_found = program != NULL;
    if (collect() != 0 || ask(program) != 0)
        error = errno;
    if (fill() != 0 && !error)
        error = errno;
    free(program);
}

/* ---- what could not be had ---- */

static void explain_failure(void)
{
    const char *why = strerror(error);
    if (!was_program_found)
        why = "those of no dynamic symbol are missing, since the program eprof was not found: run "
              "this program by `eprof run`, or name it by symbolizer=PATH in EPROF";
    else if (error == EPROTO)
        why = "some are missing, since symbolizer=PATH in EPROF, or the eprof that was found, is "
              "another program, or broke off: run this program by `eprof run`";
    ep_stderr_line("", "names of functions", "", why);
}

/* The fault as the name is: it was written by another program. */
static void explain_fault(const struct ep_names_module *module)
{
    char *what;
    if (!*module->fault || asprintf(&what, "%s %s", module->path, module->fault) < 0)
        return;
    ep_stderr_line("", what, "", "its functions are shown by dynamic symbol, or address");
    free(what);
}

void ep_exit_names_explain(void)
{
    if (error)
        explain_failure();
    for (size_t i = 0; i < names.count; i++)
        explain_fault(&names.modules[i]);
}
