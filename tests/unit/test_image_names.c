/* The names of the functions in images, asked of shells that answer in every way. */
#include "../sanitizer.h"
#include "fake_function.h"

#include <stdlib.h>

#include "image_names_ask.h"

static struct ep_image_names names;

static int begin(void **state)
{
    ep_image_names_free(&names);
    return fake_begin(state);
}

static int end(void **state)
{
    ep_image_names_free(&names);
    return fake_end(state);
}

static int ask(const char *script)
{
    char *copy = strdup(script);
    char *arguments[] = {(char[]){"/bin/bash"}, (char[]){"-c"}, copy, NULL};
    int result = ep_image_names_ask(&names, arguments);
    int error = errno;
    free(copy);
    errno = error;
    return result;
}

/* Names each function after its address; of modules whose path has "bad" in it, does `worst`. */
static char *script_with(const char *worst)
{
    char *script;
    assert_true(asprintf(&script,
                         "while IFS= read -r -d '' tag; do\n"
                         "    IFS= read -r -d '' text\n"
                         "    if [ $tag = A ]; then\n"
                         "        printf 'A\\0f_%%s\\0a.c\\0007\\0' $text\n"
                         "    else\n"
                         "        case $text in *bad*) %s ;; esac\n"
                         "        read -r -d ''; read -r -d ''; printf 'M\\0\\0'\n"
                         "    fi\n"
                         "done\n"
                         "printf 'E\\0'\n",
                         worst) >= 0);
    return script;
}

static void ask_each_by_address(void)
{
    char *script = script_with("exit");
    int result = ask(script);
    free(script);
    assert_return_code(result, errno);
}

static void add(void)
{
    assert_return_code(ep_image_names_add(&names, &fake), errno);
}

static void fill(void)
{
    assert_return_code(ep_image_names_fill(&names, &fake), errno);
}

static const char *label_of(const struct ep_site_cell *function)
{
    return ep_image_string(&fake, function->label);
}

static void assert_is_named(const struct ep_site_cell *function, const char *name, const char *file,
                            uint32_t line)
{
    assert_string_equal(label_of(function), name);
    assert_int_equal(function->label_bytes, strlen(name));
    assert_string_equal(ep_image_string(&fake, function->file), file);
    assert_int_equal(function->file_bytes, strlen(file));
    assert_int_equal(function->line, line);
    assert_int_equal(function->naming, EP_NAMING_WHOLE);
}

static void assert_is_unnamed(const struct ep_site_cell *function)
{
    assert_int_equal(function->label, 0);
    assert_int_equal(function->file, 0);
    assert_int_equal(function->line, 0);
    assert_int_equal(function->naming, EP_NAMING_NONE);
}

/* ---- filled in ---- */

static void function_gets_name_file_and_line(void **state)
{
    (void)state;
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    add();
    assert_return_code(ask("printf 'M\\0\\0A\\0main\\0/src/main.c\\00012\\0E\\0'"), errno);
    assert_is_unnamed(f);
    fill();
    assert_is_named(f, "main", "/src/main.c", 12);
    assert_string_equal(names.modules[0].fault, "");
}

static void function_without_debug_information_gets_its_name_alone(void **state)
{
    (void)state;
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    add();
    assert_return_code(ask("printf 'M\\0\\0A\\0main\\0\\0000\\0E\\0'"), errno);
    fill();
    assert_is_named(f, "main", "", 0);
    assert_int_equal(f->file, 0);
}

static void each_function_gets_its_own_name(void **state)
{
    enum { FUNCTIONS = 300 };
    (void)state;
    struct ep_site_cell *functions[FUNCTIONS];
    ep_ref modules[] = {fake_module("/usr/bin/prog"), fake_module("/usr/lib/libz.so.1")};
    for (unsigned i = 0; i < FUNCTIONS; i++)
        functions[i] = fake_function(modules[i % 2], 0x1000 + 16 * i);
    add();
    ask_each_by_address();
    fill();
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        char name[16];
        snprintf(name, sizeof name, "f_%x", 0x1000 + 16 * i);
        assert_is_named(functions[i], name, "a.c", 7);
    }
}

static void name_of_a_dynamic_symbol_is_replaced(void **state)
{
    (void)state;
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    fake_name(f, "_Z1fv", EP_NAMING_DYNAMIC);
    add();
    ask_each_by_address();
    fill();
    assert_is_named(f, "f_1139", "a.c", 7);
}

static void name_of_a_dynamic_symbol_stays_where_no_better_is_known(void **state)
{
    (void)state;
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    fake_name(f, "_Z1fv", EP_NAMING_DYNAMIC);
    add();
    assert_return_code(ask("printf 'M\\0\\0A\\0\\0\\0000\\0E\\0'"), errno);
    fill();
    assert_string_equal(label_of(f), "_Z1fv");
    assert_int_equal(f->naming, EP_NAMING_DYNAMIC);
}

static void functions_of_two_images_are_named_by_one_answer(void **state)
{
    (void)state;
    fake_function(fake_module("/usr/bin/prog"), 0x1139);
    add();
    ep_image_destroy(&fake);
    assert_return_code(ep_image_create(&fake), errno);
    fake_function(fake_module("/usr/bin/other"), 0x1139);
    ep_ref module = fake_module("/usr/bin/prog");
    struct ep_site_cell *g = fake_function(module, 0x1200), *f = fake_function(module, 0x1139);
    add();
    assert_int_equal(names.count, 2);
    assert_int_equal(names.modules[0].count, 2);
    ask_each_by_address();
    fill();
    assert_is_named(f, "f_1139", "a.c", 7);
    assert_is_named(g, "f_1200", "a.c", 7);
}

/* ---- asked for ---- */

/* As the name that the only function then has. */
#define ECHO_REQUEST "request=$(tr '\\0' ' '); printf 'M\\0\\0A\\0%s\\0\\0000\\0E\\0' \"$request\""

static void request_tells_modules_and_addresses(void **state)
{
    (void)state;
    ep_ref module = fake_module("/usr/bin/prog");
    struct ep_module_cell *cell = fake_module_cell(module);
    memcpy(cell->build_id, "\x01\xAB\xFF", 3);
    cell->build_id_bytes = 3;
    cell->modified_ns = UINT64_C(1790000000123456789);
    struct ep_site_cell *f = fake_function(module, UINT64_C(0xFFFFFFFF80001139));
    add();
    assert_return_code(ask(ECHO_REQUEST), errno);
    fill();
    assert_string_equal(label_of(f),
                        "M /usr/bin/prog 01abff 1790000000123456789 A ffffffff80001139 ");
}

static void only_functions_that_could_have_a_better_name_are_asked_for(void **state)
{
    (void)state;
    ep_ref module = fake_module("/usr/bin/prog");
    fake_name(fake_function(module, 0x1000), "known", EP_NAMING_WHOLE);
    fake_site("a.c", 1, "scope");
    fake_function(fake_module(NULL), 0x2000);
    struct ep_site_cell *f = fake_function(module, 0x3000);
    add();
    assert_return_code(ask(ECHO_REQUEST), errno);
    fill();
    assert_string_equal(label_of(f), "M /usr/bin/prog  0 A 3000 ");
}

static void function_is_asked_for_once(void **state)
{
    (void)state;
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    add();
    add();
    assert_return_code(ask(ECHO_REQUEST), errno);
    add();
    assert_return_code(ask("exit 1"), errno); /* and nobody asks */
    fill();
    assert_string_equal(label_of(f), "M /usr/bin/prog  0 A 1139 ");
    struct ep_site_cell *g = fake_function(f->module, 0x2000);
    add();
    assert_return_code(ask(ECHO_REQUEST), errno);
    fill();
    assert_string_equal(label_of(g), "M /usr/bin/prog  0 A 2000 ");
}

static void modules_that_differ_in_anything_are_asked_for_apart(void **state)
{
    (void)state;
    ep_ref modules[] = {fake_module("/usr/bin/prog"), fake_module("/usr/bin/prog"),
                        fake_module("/usr/bin/prog"), fake_module("/usr/bin/prog2")};
    fake_module_cell(modules[1])->modified_ns = 1;
    fake_module_cell(modules[2])->build_id_bytes = 1;
    for (int i = 0; i < 4; i++)
        fake_function(modules[i], 0x1139);
    add();
    assert_int_equal(names.count, 4);
}

static void build_id_that_is_longer_than_its_place_is_cut(void **state)
{
    (void)state;
    ep_ref module = fake_module("/usr/bin/prog");
    fake_module_cell(module)->build_id_bytes = UINT32_MAX;
    fake_function(module, 0x1139);
    add();
    assert_int_equal(strlen(names.modules[0].build_id), 2 * EP_BUILD_ID_BYTES);
}

/* ---- answers that are not trusted ---- */

static void fault_of_a_module_is_handed_on(void **state)
{
    (void)state;
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    add();
    assert_return_code(ask("printf 'M\\0is not there any more\\0A\\0\\0\\0000\\0E\\0'"), errno);
    fill();
    assert_string_equal(names.modules[0].fault, "is not there any more");
    assert_is_unnamed(f);
}

static void name_is_cut_at_a_character(void **state)
{
    (void)state;
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    add();
    assert_return_code(ask("x=$(head -c 4094 /dev/zero | tr '\\0' x)\n"
                           "printf 'M\\0\\0A\\0%s\\303\\251y\\0%s\\303\\251\\0007\\0E\\0' $x $x"),
                       errno);
    fill();
    assert_int_equal(f->label_bytes, EP_LABEL_BYTES - 1);
    assert_int_equal(strlen(label_of(f)), EP_LABEL_BYTES - 1);
    assert_int_equal(f->file_bytes, EP_LABEL_BYTES - 1);
    assert_int_equal(label_of(f)[EP_LABEL_BYTES - 2], 'x');
}

static void line_that_is_no_number_is_none(void **state)
{
    static const char *const lines[] = {"-1", "x", "12x", "4294967297", "99999999999999999999",
                                        " 1", ""};
    (void)state;
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char script[200];
        ep_image_names_free(&names);
        f->naming = EP_NAMING_NONE;
        f->line = 3;
        add();
        snprintf(script, sizeof script, "printf 'M\\0\\0A\\0f\\0a.c\\0%%s\\0E\\0' '%s'", lines[i]);
        assert_return_code(ask(script), errno);
        fill();
        assert_is_named(f, "f", "a.c", 0);
    }
}

static void answer_that_is_not_whole_is_an_error(void **state)
{
    static const char *const scripts[] = {
        "",
        "printf 'M\\0\\0A\\0f\\0a.c\\0001\\0'",
        "printf 'M\\0\\0A\\0f\\0a.c\\0001\\0E'",
        "printf 'M\\0\\0A\\0f\\0a.c\\0E\\0'",
        "printf 'M\\0\\0A\\0f'",
        "printf 'M\\0\\0E\\0'",
        "printf 'M\\0'",
        "printf 'A\\0f\\0a.c\\0001\\0E\\0'",
        "printf 'M\\0\\0B\\0f\\0a.c\\0001\\0E\\0'",
        "echo unknown command symbolize",
        "head -c 100000 /dev/urandom",
    };
    (void)state;
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        ep_image_names_free(&names);
        f->naming = EP_NAMING_NONE;
        add();
        if (ask(scripts[i]) != -1 || errno != EPROTO)
            fail_msg("%s: %s", scripts[i], strerror(errno));
        fill();
    }
}

#if VFORK_IS_NO_FORK
static void program_that_cannot_be_started_is_an_error(void **state)
{
    (void)state;
    char *arguments[] = {(char[]){"/nowhere/eprof"}, NULL};
    fake_function(fake_module("/usr/bin/prog"), 0x1139);
    add();
    assert_int_equal(ep_image_names_ask(&names, arguments), -1);
    assert_int_equal(errno, ENOENT);
}
#endif

static void names_before_the_program_broke_off_are_kept(void **state)
{
    (void)state;
    struct ep_site_cell *first = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    struct ep_site_cell *bad = fake_function(fake_module("/usr/lib/bad.so"), 0x2000);
    struct ep_site_cell *last = fake_function(fake_module("/usr/lib/libz.so"), 0x3000);
    char *script = script_with("kill -SEGV $$");
    add();
    int result = ask(script);
    free(script);
    assert_int_equal(result, -1);
    assert_int_equal(errno, EPROTO);
    assert_int_equal(names.modules[1].answered, 0);
    assert_int_equal(names.modules[2].answered, 0);
    fill();
    assert_is_named(first, "f_1139", "a.c", 7);
    assert_is_unnamed(bad);
    assert_is_unnamed(last);
}

/* ---- room ---- */

static void image_of_a_file_has_room_for_all_names(void **state)
{
    enum { FUNCTIONS = 2000 };
    (void)state;
    struct ep_arena texts = {.chunks = NULL};
    ep_ref module = fake_module("/usr/bin/prog");
    for (unsigned i = 0; i < FUNCTIONS; i++)
        fake_function(module, 16 * i);
    add();
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        size_t bytes = 1 + i * 2654435761u % EP_LABEL_BYTES;
        char *text = ep_arena_take(&texts, bytes + 1);
        memset(text, 'x', bytes);
        text[bytes] = '\0';
        names.modules[0].functions[i].name = names.modules[0].functions[i].file = text;
    }
    ep_image_root(&fake)->free_texts[0] = UINT32_MAX; /* which nobody believes */
    assert_return_code(ep_image_extend(&fake, ep_image_names_cells(&names)), errno);
    fill();
    struct ep_site_cell *site;
    unsigned count = 0;
    for (ep_ref ref = ep_image_tree(&fake)->sites; ref; ref = site->next, count++) {
        site = &fake.cells[ref].site;
        const char *name = names.modules[0].functions[count].name;
        assert_is_named(site, name, name, 0);
    }
    assert_int_equal(count, FUNCTIONS);
    ep_arena_free(&texts);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(function_gets_name_file_and_line),
        TEST(function_without_debug_information_gets_its_name_alone),
        TEST(each_function_gets_its_own_name),
        TEST(name_of_a_dynamic_symbol_is_replaced),
        TEST(name_of_a_dynamic_symbol_stays_where_no_better_is_known),
        TEST(functions_of_two_images_are_named_by_one_answer),
        TEST(request_tells_modules_and_addresses),
        TEST(only_functions_that_could_have_a_better_name_are_asked_for),
        TEST(function_is_asked_for_once),
        TEST(modules_that_differ_in_anything_are_asked_for_apart),
        TEST(build_id_that_is_longer_than_its_place_is_cut),
        TEST(fault_of_a_module_is_handed_on),
        TEST(name_is_cut_at_a_character),
        TEST(line_that_is_no_number_is_none),
        TEST(answer_that_is_not_whole_is_an_error),
#if VFORK_IS_NO_FORK
        TEST(program_that_cannot_be_started_is_an_error),
#endif
        TEST(names_before_the_program_broke_off_are_kept),
        TEST(image_of_a_file_has_room_for_all_names),
    };
    return cmocka_run_group_tests_name("image_names", tests, NULL, NULL);
}
