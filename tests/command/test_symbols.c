#include "test.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "cli/symbols/symbols.h"

static const struct ep_symbol_source self = {.path = "/proc/self/exe", .build_id = ""};

static int take_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(uint64_t *)bias = info->dlpi_addr;
    return 1; /* the first module is the program */
}

/* The address in the file. */
static uint64_t address_of(void (*function)(void))
{
    uint64_t bias;
    dl_iterate_phdr(take_bias, &bias);
    return (uint64_t)(uintptr_t)function - bias;
}

enum { LINE_OF_FIRST = __LINE__ + 1 };
static void first(void)
{
}

static volatile int sink;

/* gcc makes one function of two with the same body. */
static void second(void)
{
    sink = 2;
}

static void open_self(struct ep_symbols *symbols)
{
    const char *why;
    if (ep_symbols_open(symbols, &self, &why) != 0)
        fail_msg("this program %s", why);
}

TEST(function_has_name_file_and_line)
{
    struct ep_symbols symbols;
    open_self(&symbols);
    struct ep_symbol symbol = ep_symbols_find(&symbols, address_of(first));
    assert_non_null(symbol.name);
    assert_string_equal(symbol.name, "first");
    assert_non_null(symbol.linkage);
    assert_string_equal(symbol.linkage, "first");
    assert_non_null(symbol.file);
    assert_non_null(strstr(symbol.file, "test_symbols.c"));
    assert_int_equal(symbol.line, LINE_OF_FIRST);
    ep_symbols_close(&symbols);
}

TEST(address_of_no_function_has_nothing)
{
    static const uint64_t nowhere[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 47};
    struct ep_symbols symbols;
    open_self(&symbols);
    for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++) {
        struct ep_symbol symbol = ep_symbols_find(&symbols, nowhere[i]);
        assert_null(symbol.name);
        assert_null(symbol.linkage);
        assert_null(symbol.file);
        assert_int_equal(symbol.line, 0);
        assert_null(ep_symbols_symbol_name(&symbol));
    }
    ep_symbols_close(&symbols);
}

static bool is_left_out(const struct ep_ranges *left_out, uint64_t address)
{
    for (size_t i = 0; i < left_out->count; i++)
        if (left_out->at[i].begin <= address && address < left_out->at[i].end)
            return true;
    return false;
}

TEST(stretches_that_are_left_out_do_not_overlap)
{
    char *const none[] = {(char[]){"!first"}, (char[]){"!s*"}};
    char *const some[] = {(char[]){"first"}, (char[]){"w*"}, (char[]){"!write*"}};
    const struct ep_function_patterns patterns[] = {{none, 2}, {some, 3}, {some, 1}};
    static const bool is_first_out[] = {true, false, false};
    struct ep_symbols symbols;
    open_self(&symbols);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        struct ep_ranges left_out;
        assert_int_equal(ep_patterns_left_out_find(&left_out, &symbols, &patterns[i]), 0);
        assert_in_range(left_out.count, 1, 1000000);
        for (size_t j = 0; j < left_out.count; j++) {
            assert_in_range(left_out.at[j].begin, 0, left_out.at[j].end - 1);
            if (j > 0)
                assert_in_range(left_out.at[j].begin, left_out.at[j - 1].end, UINT64_MAX);
        }
        assert_int_equal(is_left_out(&left_out, address_of(first)), is_first_out[i]);
        assert_true(is_left_out(&left_out, address_of(second)));
        ep_debug_ranges_free(&left_out);
    }
    ep_symbols_close(&symbols);
}

TEST(files_are_opened_one_after_the_other)
{
    for (int i = 0; i < 3; i++) {
        const struct ep_symbol_source missing = {.path = "/missing", .build_id = ""};
        struct ep_symbols symbols;
        const char *why;
        assert_int_equal(ep_symbols_open(&symbols, &missing, &why), -1);
        assert_string_equal(why, "is not there any more");
        open_self(&symbols);
        struct ep_symbol symbol = ep_symbols_find(&symbols, address_of(second));
        assert_non_null(symbol.name);
        assert_string_equal(symbol.name, "second");
        ep_symbols_close(&symbols);
    }
}
