/* The functions that the filter leaves out of a module, as another program reports them. Here that
 * program is a shell, which answers in all possible ways. */
#include <eprof.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/helper.h"
#include "instrument/function_filter.h"
#include "record/process_life.h"
#include "support/test.h"

static char folder[] = "/tmp/eprof-filter-XXXXXX";
static char program[64], asked[64];

static int begin(void **state)
{
    (void)state;
    eprof_init();
    if (!mkdtemp(folder))
        return -1;
    snprintf(program, sizeof program, "%s/program", folder);
    snprintf(asked, sizeof asked, "%s/asked", folder);
    return ep_helper_program_set(program);
}

static int end(void **state)
{
    (void)state;
    unlink(program);
    unlink(asked);
    return rmdir(folder);
}

static int forget(void **state)
{
    (void)state;
    unlink(program);
    unlink(asked);
    ep_function_filter_release();
    return 0;
}

static void add(const char *pattern)
{
    ep_process_mutex_lock();
    int result = ep_function_filter_add(pattern);
    ep_process_mutex_unlock();
    assert_return_code(result, errno);
}

/* The script stores its request in a file; `answer` is a format of printf(1). */
static void answer_with(const char *answer)
{
    FILE *file = fopen(program, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\ncat >%s\nprintf '%s'\n", asked, answer);
    assert_int_equal(fclose(file), 0);
    assert_return_code(chmod(program, 0700), errno);
}

static struct ep_loaded_module ask(void)
{
    struct ep_module_cell cell = {
        .build_id_bytes = 2, .build_id = {0xAB, 0x01}, .modified_ns = 1700000000000000001};
    struct ep_loaded_module module = {.begin = 0x10000, .end = 0x20000, .bias = 0x10000};
    ep_function_filter_ask(&module, &cell, "/opt/program");
    return module;
}

/* The functions at the addresses 0, 0x10 ... 0x50 in the file: an x for each that is left out. */
static const char *left_out_of(const struct ep_loaded_module *module)
{
    static char text[7];
    for (int i = 0; i < 6; i++) {
        bool is_out = ep_function_filter_leaves_out(module, module->bias + 0x10 * (unsigned)i);
        text[i] = is_out ? 'x' : '-';
    }
    return text;
}

TEST(program_is_asked_about_the_module_by_all_patterns)
{
    static const char expected[] = "P\0work*\0P\0!work_in_vain\0"
                                   "M\0/opt/program\0ab01\0"
                                   "1700000000000000001\0S";
    char request[256] = "";
    add("work*");
    add("!work_in_vain");
    answer_with("M\\0\\0S\\0000\\0E\\0");
    ask();
    FILE *file = fopen(asked, "r");
    assert_non_null(file);
    size_t bytes = fread(request, 1, sizeof request, file);
    fclose(file);
    assert_int_equal(bytes, sizeof expected);
    assert_memory_equal(request, expected, sizeof expected);
}

TEST(addresses_in_the_answer_are_left_out)
{
    add("work*");
    answer_with("M\\0\\0S\\0002\\00010\\00018\\00030\\00050\\0E\\0");
    struct ep_loaded_module module = ask();
    assert_true(module.is_filtered);
    assert_string_equal(left_out_of(&module), "-x-xx-");
}

TEST(empty_answer_leaves_nothing_out)
{
    add("work*");
    answer_with("M\\0\\0S\\0000\\0E\\0");
    struct ep_loaded_module module = ask();
    assert_true(module.is_filtered);
    assert_string_equal(left_out_of(&module), "------");
}

TEST(no_program_is_asked_without_a_pattern)
{
    answer_with("M\\0\\0S\\0001\\0000\\000100\\0E\\0");
    struct ep_loaded_module module = ask();
    assert_false(module.is_filtered);
    assert_string_equal(left_out_of(&module), "------");
    assert_int_equal(access(asked, F_OK), -1);
}

/* In this case functions are known only by their dynamic symbols, and the functions of this test
 * have none: a pattern chooses none of them, and a negative pattern leaves none of them out. */
static void check_without_answer(const char *why)
{
    struct ep_loaded_module module = ask();
    if (module.is_filtered)
        fail_msg("%s: taken for an answer", why);
    if (strcmp(left_out_of(&module), "xxxxxx") != 0)
        fail_msg("%s: \"%s\" by no name", why, left_out_of(&module));
}

TEST(dynamic_symbols_decide_without_an_answer)
{
    static const char *const answers[] = {
        "",                                           /* none */
        "M\\0\\0S\\0001\\0000\\000100\\0",            /* cut short */
        "M\\0no such file\\0S\\0000\\0E\\0",          /* a fault */
        "M\\0\\0T\\0000\\0E\\0",                      /* of another kind */
        "M\\0\\0S\\000999999999999\\0000\\00010\\0E", /* too many */
        "M\\0\\0S\\0001\\0000\\00010\\0000\\0E\\0"};  /* too few */
    add("work*");
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        answer_with(answers[i]);
        check_without_answer(answers[i]);
    }
    unlink(program);
    check_without_answer("no program");
}

static bool leaves_out(uintptr_t function)
{
    struct ep_loaded_module module = {.begin = 0, .end = UINTPTR_MAX};
    return ep_function_filter_leaves_out(&module, function);
}

TEST(patterns_match_dynamic_symbols_without_an_answer)
{
    add("!lrand48"); /* no sanitizer replaces this function */
    assert_true(leaves_out((uintptr_t)lrand48));
    assert_false(leaves_out((uintptr_t)mrand48));
    assert_false(leaves_out(0x10)); /* it has no name */
    add("?rand48");
    assert_true(leaves_out((uintptr_t)lrand48));
    assert_false(leaves_out((uintptr_t)mrand48));
    assert_true(leaves_out((uintptr_t)labs));
    assert_true(leaves_out(0x10));
}

TEST_EACH(NULL, forget)
TEST_ALL(begin, end)
