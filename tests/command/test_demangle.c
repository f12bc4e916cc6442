#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "demangle.h"

static void assert_stem(const char *linkage, const char *stem)
{
    char *found = strndup(linkage, ep_demangle_stem(linkage));
    assert_non_null(found);
    assert_string_equal(found, stem);
    free(found);
}

static void stem_is_without_what_compilers_add(void **state)
{
    (void)state;
    assert_stem("foo", "foo");
    assert_stem("foo.constprop.0", "foo");
    assert_stem("foo.part.12", "foo");
    assert_stem("foo.isra.0", "foo");
    assert_stem("foo.cold", "foo");
    assert_stem("foo.lto_priv.3", "foo");
    assert_stem("foo.localalias", "foo");
    assert_stem("foo.llvm.1234567890", "foo");
    assert_stem("foo.__uniq.1234", "foo");
    assert_stem("_Z3foov.constprop.0.isra.0.cold", "_Z3foov");
}

static void stem_keeps_other_dots(void **state)
{
    (void)state;
    assert_stem("main.main", "main.main");
    assert_stem("foo.colder", "foo.colder");
    assert_stem("foo.1", "foo.1");
    assert_stem("foo.bar.cold", "foo.bar");
    assert_stem(".cold", ".cold");
    assert_stem("", "");
}

static void assert_demangled(const char *linkage, const char *name)
{
    char *found = ep_demangle(linkage);
    assert_non_null(found);
    assert_string_equal(found, name);
    free(found);
}

static void names_of_cxx_are_shown_with_parameters(void **state)
{
    (void)state;
    assert_demangled("_Z3fooic", "foo(int, char)");
    assert_demangled("_ZN1a1bC1Ev", "a::b::b()");
}

static void names_of_c_are_no_names_of_cxx(void **state)
{
    (void)state;
    assert_null(ep_demangle("foo"));
    assert_null(ep_demangle("i")); /* of a type it would be int */
    assert_null(ep_demangle("_Z"));
    assert_null(ep_demangle("_Zfoo"));
    assert_null(ep_demangle(""));
}

static void assert_bare(const char *name, const char *bare)
{
    char *found = ep_demangle_bare(name);
    assert_non_null(found);
    assert_string_equal(found, bare);
    free(found);
}

static void bare_name_is_without_parameters(void **state)
{
    (void)state;
    assert_bare("foo()", "foo");
    assert_bare("foo(int, char)", "foo");
    assert_bare("a::b::b(double)", "a::b::b");
    assert_bare("a::b::get() const &", "a::b::get");
    assert_bare("foo(void (*)(int))", "foo");
    assert_bare("foo[abi:cxx11](int)", "foo[abi:cxx11]");
    assert_bare("foo", "foo");
    assert_bare("", "");
}

static void bare_name_is_without_what_it_returns(void **state)
{
    (void)state;
    assert_bare("int foo<int>(int)", "foo<int>");
    assert_bare("unsigned long const& std::min<unsigned long>(unsigned long const&)",
                "std::min<unsigned long>");
    assert_bare("std::pair<int, int> a::make<int (*)(int)>(int)", "a::make<int (*)(int)>");
}

static void bare_name_of_an_operator_is_whole(void **state)
{
    (void)state;
    assert_bare("a::operator+(a const&) const", "a::operator+");
    assert_bare("a::operator()(int)", "a::operator()");
    assert_bare("a::operator<(a const&)", "a::operator<");
    assert_bare("a::operator->()", "a::operator->");
    assert_bare("a::operator unsigned long() const", "a::operator unsigned long");
    assert_bare("operator new(unsigned long)", "operator new");
    assert_bare("std::ostream& operator<< <int>(std::ostream&, int)", "operator<< <int>");
    assert_bare("operators(int)", "operators");
    assert_bare("my_operator(int)", "my_operator");
}

static void bare_name_of_what_has_none_is_whole(void **state)
{
    (void)state;
    assert_bare("a::(anonymous namespace)::foo(int)", "a::(anonymous namespace)::foo");
    assert_bare("(anonymous namespace)::foo()", "(anonymous namespace)::foo");
    assert_bare("main::{lambda(int)#1}::operator()(int) const",
                "main::{lambda(int)#1}::operator()");
}

static void bare_name_of_nonsense_ends(void **state)
{
    (void)state;
    assert_bare("foo<(", "foo<(");
    assert_bare(">)](x)", ">)](x)");
    assert_bare("operator", "operator");
    assert_bare("operator(", "operator");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stem_is_without_what_compilers_add),
        cmocka_unit_test(stem_keeps_other_dots),
        cmocka_unit_test(names_of_cxx_are_shown_with_parameters),
        cmocka_unit_test(names_of_c_are_no_names_of_cxx),
        cmocka_unit_test(bare_name_is_without_parameters),
        cmocka_unit_test(bare_name_is_without_what_it_returns),
        cmocka_unit_test(bare_name_of_an_operator_is_whole),
        cmocka_unit_test(bare_name_of_what_has_none_is_whole),
        cmocka_unit_test(bare_name_of_nonsense_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
