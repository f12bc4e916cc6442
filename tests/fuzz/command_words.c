#include "command_words.h"

#include <argp.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/usage.h"
#include "require.h"
#include "sanitizer.h"

error_t __wrap_argp_parse(const struct argp *argp, int count, char **words, unsigned flags,
                          int *end, void *input);
error_t __real_argp_parse(const struct argp *argp, int count, char **words, unsigned flags,
                          int *end, void *input);
_Noreturn void __wrap_exit(int status);
_Noreturn void __real_exit(int status);
void __wrap_ep_complain(const char *name, const char *format, ...);
void __wrap_ep_complain_values(const char *name, const char *format, va_list values);

void *__wrap_calloc(size_t count, size_t bytes);
void *__real_calloc(size_t count, size_t bytes);

/* ---- replacing the end of the program ---- */

static jmp_buf before, before_option;
static bool is_reading, is_in_option, was_told;
static error_t (*read_option)(int key, char *argument, struct argp_state *state);

/* Memory of a call that does not return normally. */
enum { HELD_MOST = 8 };
static void *held[HELD_MOST];
static size_t held_count;

void *__wrap_calloc(size_t count, size_t bytes)
{
    void *memory = __real_calloc(count, bytes);
    if (is_reading && held_count < HELD_MOST)
        held[held_count++] = memory;
    return memory;
}

static _Noreturn void give_up(void)
{
    for (size_t i = 0; i < held_count; i++)
        free(held[i]);
    longjmp(before, 1);
}

/* For argp, an end of the program becomes an option that is not understood, so that argp frees its
 * memory. */
static error_t read_option_to_its_end(int key, char *argument, struct argp_state *state)
{
    is_in_option = true;
    volatile error_t error = EINVAL;
    take_as_written(state, sizeof *state); /* on the stack of argp, not instrumented */
    if (setjmp(before_option) == 0)
        error = read_option(key, argument, state);
    is_in_option = false;
    return error;
}

error_t __wrap_argp_parse(const struct argp *argp, int count, char **words, unsigned flags,
                          int *end, void *input)
{
    struct argp guarded = *argp;
    guarded.parser = read_option_to_its_end;
    read_option = argp->parser;
    if (__real_argp_parse(&guarded, count, words, flags | ARGP_SILENT, end, input) != 0)
        give_up();
    return 0;
}

/* The test itself also ends by exit(). */
void __wrap_exit(int status)
{
    if (!is_reading)
        __real_exit(status);
    require(status == EP_STATUS_USAGE && was_told, "why a command ends is told");
    if (is_in_option)
        longjmp(before_option, 1);
    give_up();
}

void __wrap_ep_complain(const char *name, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    __wrap_ep_complain_values(name, format, values);
    va_end(values);
}

void __wrap_ep_complain_values(const char *name, const char *format, va_list values)
{
    char line[1024];
    vsnprintf(line, sizeof line, format, values);
    require(*line && (!name || strlen(name) < SIZE_MAX), "a complaint says something");
    was_told = true;
}

/* ---- words ---- */

void command_words_part(struct command_words *words, const uint8_t *data, size_t size)
{
    *words = (struct command_words){.text = calloc(1, size + 1)};
    require(words->text != NULL, "there is memory for words");
    memcpy(words->text, data, size);
    for (char *at = words->text; at <= words->text + size && words->count < COMMAND_WORDS_MOST;
         at += strlen(at) + 1)
        words->words[words->count++] = at;
}

void command_words_free(struct command_words *words)
{
    free(words->text);
}

bool command_words_read(struct command_words *words,
                        void (*read)(int count, char **words, void *to), void *to)
{
    memcpy(words->order, words->words, sizeof words->order);
    was_told = false;
    held_count = 0;
    is_reading = true;
    volatile bool is_understood = setjmp(before) == 0;
    if (is_understood)
        read(words->count, words->order, to);
    is_reading = false;
    unsetenv("NO_COLOR");
    unsetenv("CLICOLOR_FORCE");
    return is_understood;
}
