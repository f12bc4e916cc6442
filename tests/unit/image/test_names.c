/* The names of the functions in images. Shells, which answer in all possible ways, take the place
 * of the program that is asked for them. */
#include "sanitizer.h"
#include "support/fake_image.h"

#include <stdlib.h>

#include "image/names.h"

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

/* A script that names each function after its address. For modules whose path contains "bad", it
 * runs `worst`. */
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

TEST(function_gets_name_file_and_line)
{
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    add();
    assert_return_code(ask("printf 'M\\0\\0A\\0main\\0/src/main.c\\00012\\0E\\0'"), errno);
    assert_is_unnamed(f);
    fill();
    assert_is_named(f, "main", "/src/main.c", 12);
    assert_string_equal(names.modules[0].fault, "");
}

TEST(function_without_debug_information_gets_its_name_alone)
{
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    add();
    assert_return_code(ask("printf 'M\\0\\0A\\0main\\0\\0000\\0E\\0'"), errno);
    fill();
    assert_is_named(f, "main", "", 0);
    assert_int_equal(f->file, 0);
}

TEST(each_function_gets_its_own_name)
{
    enum { FUNCTIONS = 300 };
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

TEST(name_of_a_dynamic_symbol_is_replaced)
{
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    fake_name(f, "_Z1fv", EP_NAMING_DYNAMIC);
    add();
    ask_each_by_address();
    fill();
    assert_is_named(f, "f_1139", "a.c", 7);
}

TEST(name_of_a_dynamic_symbol_stays_without_a_better_one)
{
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    fake_name(f, "_Z1fv", EP_NAMING_DYNAMIC);
    add();
    assert_return_code(ask("printf 'M\\0\\0A\\0\\0\\0000\\0E\\0'"), errno);
    fill();
    assert_string_equal(label_of(f), "_Z1fv");
    assert_int_equal(f->naming, EP_NAMING_DYNAMIC);
}

TEST(functions_of_two_images_are_named_by_one_answer)
{
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

/* A script that gives the request itself as the name of the only function. */
#define ECHO_REQUEST "request=$(tr '\\0' ' '); printf 'M\\0\\0A\\0%s\\0\\0000\\0E\\0' \"$request\""

TEST(request_contains_modules_and_addresses)
{
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

TEST(only_functions_that_could_have_a_better_name_are_asked_for)
{
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

TEST(function_is_asked_for_once)
{
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    add();
    add();
    assert_return_code(ask(ECHO_REQUEST), errno);
    add();
    assert_return_code(ask("exit 1"), errno); /* and no process is started */
    fill();
    assert_string_equal(label_of(f), "M /usr/bin/prog  0 A 1139 ");
    struct ep_site_cell *g = fake_function(f->module, 0x2000);
    add();
    assert_return_code(ask(ECHO_REQUEST), errno);
    fill();
    assert_string_equal(label_of(g), "M /usr/bin/prog  0 A 2000 ");
}

TEST(modules_that_differ_in_anything_are_asked_for_apart)
{
    ep_ref modules[] = {fake_module("/usr/bin/prog"), fake_module("/usr/bin/prog"),
                        fake_module("/usr/bin/prog"), fake_module("/usr/bin/prog2")};
    fake_module_cell(modules[1])->modified_ns = 1;
    fake_module_cell(modules[2])->build_id_bytes = 1;
    for (int i = 0; i < 4; i++)
        fake_function(modules[i], 0x1139);
    add();
    assert_int_equal(names.count, 4);
}

TEST(build_id_that_is_longer_than_its_place_is_cut)
{
    ep_ref module = fake_module("/usr/bin/prog");
    fake_module_cell(module)->build_id_bytes = UINT32_MAX;
    fake_function(module, 0x1139);
    add();
    assert_int_equal(strlen(names.modules[0].build_id), 2 * EP_BUILD_ID_BYTES);
}

/* ---- answers that are not trusted ---- */

TEST(fault_of_a_module_is_handed_on)
{
    struct ep_site_cell *f = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    add();
    assert_return_code(ask("printf 'M\\0is not there any more\\0A\\0\\0\\0000\\0E\\0'"), errno);
    fill();
    assert_string_equal(names.modules[0].fault, "is not there any more");
    assert_is_unnamed(f);
}

TEST(name_is_cut_at_a_character)
{
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

TEST(line_that_is_no_number_is_none)
{
    static const char *const lines[] = {"-1", "x", "12x", "4294967297", "99999999999999999999",
                                        " 1", ""};
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

TEST(answer_that_is_not_whole_is_an_error)
{
    static const char *const scripts[] = {
        "",
        "printf 'M\\0\\0A\\0f\\0a.c\\0001\\0'",
        "printf 'M\\0\\0A\\0f\\0a.c\\0001\\0E'",
        "printf 'M\\0\\0A\\0f\\0a.c\\0E\\0'",
        "printf 'A\\0f\\0a.c\\0001\\0E\\0'",
        "printf 'M\\0\\0B\\0f\\0a.c\\0001\\0E\\0'",
        "echo unknown command symbolize",
        "head -c 100000 /dev/urandom",
    };
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
TEST(program_that_cannot_be_started_is_an_error)
{
    char *arguments[] = {(char[]){"/nowhere/eprof"}, NULL};
    fake_function(fake_module("/usr/bin/prog"), 0x1139);
    add();
    assert_int_equal(ep_image_names_ask(&names, arguments), -1);
    assert_int_equal(errno, ENOENT);
}
#endif

TEST(names_before_an_answer_that_is_none_are_kept)
{
    struct ep_site_cell *first = fake_function(fake_module("/usr/bin/prog"), 0x1139);
    struct ep_site_cell *bad = fake_function(fake_module("/usr/lib/bad.so"), 0x2000);
    struct ep_site_cell *last = fake_function(fake_module("/usr/lib/libz.so"), 0x3000);
    char *script = script_with("printf 'X\\0'; exit");
    add();
    int result = ask(script);
    int error = errno;
    free(script);
    assert_int_equal(result, -1);
    assert_int_equal(error, EPROTO);
    assert_int_equal(names.modules[1].answered, 0);
    assert_int_equal(names.modules[2].answered, 0);
    fill();
    assert_is_named(first, "f_1139", "a.c", 7);
    assert_is_unnamed(bad);
    assert_is_unnamed(last);
}

/* ---- modules that end the program ---- */

TEST(answer_that_stops_within_a_module_is_a_fault_of_it)
{
    static const char *const scripts[] = {
        "printf 'M\\0'",
        "printf 'M\\0\\0'",
        "printf 'M\\0\\0A\\0f'",
        "printf 'M\\0\\0A\\0f\\0a.c\\0001'",
    };
    fake_function(fake_module("/usr/bin/prog"), 0x1139);
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        ep_image_names_free(&names);
        add();
        if (ask(scripts[i]) != 0)
            fail_msg("%s: %s", scripts[i], strerror(errno));
        assert_string_equal(names.modules[0].fault, EP_IMAGE_NAMES_UNREADABLE);
    }
}

TEST(module_that_ends_the_program_costs_no_names_of_others)
{
    static const char *const paths[] = {"/usr/lib/bad.so", "/usr/bin/prog", "/usr/lib/bad.so.1",
                                        "/usr/lib/bad.so.2", "/usr/lib/libz.so"};
    enum { MODULES = sizeof paths / sizeof paths[0] };
    struct ep_site_cell *functions[MODULES];
    for (size_t i = 0; i < MODULES; i++)
        functions[i] = fake_function(fake_module(paths[i]), 0x1000);
    char *script = script_with("printf 'M\\0'; kill -SEGV $$");
    add();
    int result = ask(script);
    free(script);
    assert_return_code(result, errno);
    fill();
    for (size_t i = 0; i < MODULES; i++)
        if (strstr(paths[i], "bad")) {
            assert_string_equal(names.modules[i].fault, EP_IMAGE_NAMES_UNREADABLE);
            assert_is_unnamed(functions[i]);
        } else {
            assert_string_equal(names.modules[i].fault, "");
            assert_is_named(functions[i], "f_1000", "a.c", 7);
        }
}

/* ---- room ---- */

TEST(image_of_a_file_has_room_for_all_names)
{
    enum { FUNCTIONS = 2000 };
    struct ep_arena texts = {.chunks = NULL};
    ep_ref module = fake_module("/usr/bin/prog");
    for (unsigned i = 0; i < FUNCTIONS; i++)
        fake_function(module, 16 * i);
    add();
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        size_t bytes = 1 + i * 2654435761u % EP_LABEL_BYTES;
        char *text = ep_memory_take(&texts, bytes + 1);
        memset(text, 'x', bytes);
        text[bytes] = '\0';
        names.modules[0].functions[i].name = names.modules[0].functions[i].file = text;
    }
    ep_image_root(&fake)->free_texts[0] = UINT32_MAX; /* which is not accepted */
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
    ep_memory_free(&texts);
}

TEST_EACH(begin, end)
