#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "cli/symbols/symbols.h"

static void assert_stem(const char *linkage, const char *stem)
{
    char *found = strndup(linkage, ep_symbols_demangle_stem(linkage));
    assert_non_null(found);
    assert_string_equal(found, stem);
    free(found);
}

TEST(stem_is_without_what_compilers_add)
{
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

TEST(stem_keeps_other_dots)
{
    assert_stem("main.main", "main.main");
    assert_stem("foo.colder", "foo.colder");
    assert_stem("foo.1", "foo.1");
    assert_stem("foo.bar.cold", "foo.bar");
    assert_stem(".cold", ".cold");
    assert_stem("", "");
}

static void assert_demangled(const char *linkage, const char *name)
{
    char *found = ep_symbols_demangle(linkage);
    assert_non_null(found);
    assert_string_equal(found, name);
    free(found);
}

TEST(names_of_cxx_are_shown_with_parameters)
{
    assert_demangled("_Z3fooic", "foo(int, char)");
    assert_demangled("_ZN1a1bC1Ev", "a::b::b()");
}

TEST(names_of_c_are_no_names_of_cxx)
{
    assert_null(ep_symbols_demangle("foo"));
    assert_null(ep_symbols_demangle("i")); /* as a type it would be int */
    assert_null(ep_symbols_demangle("_Z"));
    assert_null(ep_symbols_demangle("_Zfoo"));
    assert_null(ep_symbols_demangle(""));
}

static void assert_bare(const char *name, const char *bare)
{
    char *found = ep_symbols_demangle_bare(name);
    assert_non_null(found);
    assert_string_equal(found, bare);
    free(found);
}

TEST(bare_name_is_without_parameters)
{
    assert_bare("foo()", "foo");
    assert_bare("foo(int, char)", "foo");
    assert_bare("a::b::b(double)", "a::b::b");
    assert_bare("a::b::get() const &", "a::b::get");
    assert_bare("foo(void (*)(int))", "foo");
    assert_bare("foo[abi:cxx11](int)", "foo[abi:cxx11]");
    assert_bare("foo", "foo");
    assert_bare("", "");
}

TEST(bare_name_is_without_what_it_returns)
{
    assert_bare("int foo<int>(int)", "foo<int>");
    assert_bare("unsigned long const& std::min<unsigned long>(unsigned long const&)",
                "std::min<unsigned long>");
    assert_bare("std::pair<int, int> a::make<int (*)(int)>(int)", "a::make<int (*)(int)>");
}

TEST(bare_name_of_an_operator_is_whole)
{
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

TEST(bare_name_of_what_has_none_is_whole)
{
    assert_bare("a::(anonymous namespace)::foo(int)", "a::(anonymous namespace)::foo");
    assert_bare("(anonymous namespace)::foo()", "(anonymous namespace)::foo");
    assert_bare("main::{lambda(int)#1}::operator()(int) const",
                "main::{lambda(int)#1}::operator()");
}

TEST(bare_name_of_nonsense_ends)
{
    assert_bare("foo<(", "foo<(");
    assert_bare(">)](x)", ">)](x)");
    assert_bare("operator", "operator");
    assert_bare("operator(", "operator");
}
