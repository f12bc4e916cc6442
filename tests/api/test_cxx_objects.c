/* The objects of eprof.hpp: they end with their block, and name functions without their types. */
#include "cxx_objects.h"
#include "hand_clock.h"
#include "tree_text.h"

#include "rows.h"

void pass(uint64_t ticks)
{
    hand_ticks += ticks;
}

/* ---------------------------------------------------------------- scopes -- */

TEST(scopes_nest_by_site_by_name_and_with_the_macros)
{
    cxx_nest_scopes();
    assert_tree("before main 3/3 3333 3\n"
                "before main;literal 6/6 3330 3030\n"
                "before main;literal;macro 3/3 300 0\n"
                "before main;literal;macro;made at run time 3/3 300 300\n");
    assert_diagnostics("");
}

TEST(scope_ends_early_and_once)
{
    cxx_end_early();
    assert_tree("outer 1/1 11 10\nouter;inner 1/1 1 1\n");
    assert_diagnostics("");
}

TEST(scope_may_be_a_member_of_an_object)
{
    cxx_scopes_as_members();
    assert_tree("first 1/1 11 10\nfirst;second 1/1 1 1\n");
    assert_diagnostics("");
}

TEST(exception_ends_scopes)
{
    cxx_throw_across_scopes();
    assert_tree("test 3/3 39 0\n"
                "test;caught 3/3 30 30\n"
                "test;thrown 9/3 9 0\n"
                "test;thrown;depth 0 3/3 3 3\n"
                "test;thrown;depth 1 3/3 6 3\n"
                "test;thrown;depth 2 3/3 9 3\n");
    assert_diagnostics("");
}

TEST(threads_share_a_site)
{
    cxx_scopes_on_threads();
    assert_tree("before main 3/3 3 3\n");
    assert_diagnostics("");
}

/* ---------------------------------------------------- timers, pairs, spans -- */

static void assert_instance(const char *label, uint64_t calls, uint64_t total_ns)
{
    struct eprof_row row = instance_row(label);
    assert_figures(row, calls, total_ns);
    assert_int_equal(row.open, 0);
}

TEST(timers_of_one_name_share_an_instance_that_outlives_them)
{
    cxx_time_by_timers();
    assert_instance("static", 3, 30);
    assert_instance("local", 3, 3);
    assert_diagnostics("");
}

TEST(timer_moves_with_its_instance)
{
    cxx_move_timers();
    assert_instance("timer 0", 1, 1);
    assert_instance("timer 1", 2, 1);
    assert_instance("timer 2", 1, 1);
    assert_diagnostics("");
}

TEST(pair_ends_with_its_block_early_or_by_an_exception)
{
    cxx_time_pairs();
    assert_instance("timer", 5, 1013);
    assert_diagnostics("");
}

TEST(span_ends_on_another_thread)
{
    cxx_end_spans_on_another_thread();
    assert_instance("span", 3, 33);
    assert_diagnostics("");
}

TEST(span_moves_and_is_cancelled)
{
    cxx_move_and_cancel_spans();
    assert_instance("span", 2, 1111);
    assert_diagnostics("");
}

TEST(span_of_a_coroutine_goes_on_while_it_is_suspended)
{
    cxx_suspend_in_a_span();
    assert_instance("coroutine", 1, 111);
    assert_tree("after 1/1 10 10\nbefore 1/1 1 1\n");
    assert_diagnostics("");
}

/* ----------------------------------------------------------------- holds -- */

TEST(hold_counts_only_if_it_was_kept)
{
    cxx_keep_and_drop();
    assert_tree("around 4/4 14 13\naround;held 1/1 1 1\naround;not held 4/4 0 0\n");
    assert_diagnostics("");
}

/* ----------------------------------------------------------------- names -- */

TEST(instances_of_a_template_are_one_row)
{
    cxx_plain_names();
#ifdef __clang__
    const char *lambda = "cxx_plain_names::anonymous::operator() 1/1 100 100\n";
#else
    const char *lambda = "cxx_plain_names::lambda 1/1 100 100\n";
#endif
    char tree[256];
    snprintf(tree, sizeof tree, "%s%s",
             "box::operator() 2/2 20 20\n"
             "box::put 3/3 3 3\n",
             lambda);
    assert_tree(tree);
}

TEST(name_of_a_function_is_without_types)
{
    static const char *const names[][2] = {
        {"int main()", "main"},
        {"void shop::{anonymous}::hidden()", "shop::hidden"},
        {"void shop::(anonymous namespace)::hidden()", "shop::hidden"},
        {"shop::cart<T>::cart() [with T = std::vector<char [4]>]", "shop::cart::cart"},
        {"shop::cart<std::vector<char[4]>>::~cart() [T = std::vector<char[4]>]",
         "shop::cart::~cart"},
        {"U shop::cart<T>::add(const std::vector<T>&, U) const [with U = int; T = char]",
         "shop::cart::add"},
        {"static const char* shop::cart<T>::name() [with T = int]", "shop::cart::name"},
        {"bool cart<T>::operator<(const cart<T>&) const [with T = int]", "cart::operator<"},
        {"cart<T>& cart<T>::operator<<(int) [with T = int]", "cart::operator<<"},
        {"cart<T>* cart<T>::operator->() [with T = int]", "cart::operator->"},
        {"int cart<T>::operator()(int) [with T = int]", "cart::operator()"},
        {"int cart<T>::operator[](int) [with T = int]", "cart::operator[]"},
        {"cart<T>::operator bool() [with T = int]", "cart::operator bool"},
        {"decltype(auto) f(char (&)[N]) [with int N = 3]", "f"},
        {"decltype ((t + 1)) g(T) [with T = int]", "g"},
        {"main()::<lambda(int)>", "main::lambda"},
        {"main()::<lambda(auto:1)> [with auto:1 = int]", "main::lambda"},
        {"auto main()::(anonymous class)::operator()(int) const", "main::anonymous::operator()"},
        {"void (* fp(int))(char)", "fp"},
        {"void (*fp(int))(char)", "fp"},
        {"void main()::local::m()", "main::local::m"},
        {"", ""},
        {"<", ""},
        {"f(", "f"},
        {"operator", "operator"},
    };
    char name[512];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cxx_name_of(names[i][0], name, sizeof name);
        assert_string_equal(name, names[i][1]);
    }
}

TEST(long_name_is_cut)
{
    char pretty[1024], name[512];
    memset(pretty, 'f', sizeof pretty);
    pretty[sizeof pretty - 1] = '\0';
    cxx_name_of(pretty, name, sizeof name);
    assert_int_equal(strlen(name), 255);
}

int main(void)
{
    return tests_run("cxx_objects", hand_clock_begin, NULL);
}
