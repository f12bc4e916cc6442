/* eprof_enter(), eprof_enter_site() and eprof_leave(), and the result if one of them is missing. */
#include "calls.h"
#include "threads.h"
#include "tree_text.h"

/* ------------------------------------------------------------------ pairs -- */

TEST(they_nest_with_each_other_and_with_the_macros)
{
    eprof_enter("a");
    pass(1);
    EPROF_BLOCK("b")
    {
        pass(10);
        eprof_enter("c");
        pass(100);
        EPROF_BLOCK("d") scope_of("e", 1000);
        eprof_leave();
    }
    scope_of("f", 10000);
    eprof_leave();
    assert_tree("a 1/1 11111 1\na;b 1/1 1110 10\na;b;c 1/1 1100 100\na;b;c;d 1/1 1000 0\n"
                "a;b;c;d;e 1/1 1000 1000\na;f 1/1 10000 10000\n");
    assert_diagnostics("");
}

static __attribute__((noinline)) void enter(const char *label)
{
    eprof_enter(label);
    pass(1);
}

static __attribute__((noinline)) void leave(void)
{
    pass(10);
    eprof_leave();
}

/* A language's own run-time library would call them in this way. */
TEST(they_may_be_called_in_functions_of_their_own)
{
    enter("a");
    enter("b");
    leave();
    enter("c");
    leave();
    leave();
    assert_tree("a 1/1 33 11\na;b 1/1 11 11\na;c 1/1 11 11\n");
    assert_diagnostics("");
}

TEST(they_keep_errno)
{
    errno = 1234;
    eprof_enter("label that is new");
    assert_int_equal(errno, 1234);
    eprof_leave();
    eprof_leave();
    assert_int_equal(errno, 1234);
}

/* -------------------------------------------------------- left too often -- */

TEST(leave_without_enter_is_counted_and_nothing_else)
{
    eprof_leave();
    assert_diagnostics("unbalanced 1");
    assert_tree("");
    scope_of("a", 1);
    eprof_leave();
    eprof_leave();
    scope_of("a", 10);
    assert_tree("a 2/2 11 11\n");
    assert_diagnostics("unbalanced 3");
}

TEST(leave_too_many_does_not_leave_what_a_macro_entered)
{
    EPROF_BLOCK("a")
    {
        eprof_leave();
        pass(1);
        scope_of("b", 10);
        eprof_leave();
        EPROF_BLOCK("c")
        {
            eprof_leave();
            pass(100);
        }
    }
    assert_tree("a 1/1 111 1\na;b 1/1 10 10\na;c 1/1 100 100\n");
    assert_diagnostics("unbalanced 3");
}

/* ------------------------------------------------------------ never left -- */

TEST(scope_around_closes_what_was_not_left)
{
    EPROF_BLOCK("a")
    {
        pass(1);
        eprof_enter("b");
        pass(10);
        eprof_enter("c");
        pass(100);
    }
    scope_of("d", 1000);
    assert_tree("a 1/1 111 1\na;b 1/1 110 10\na;b;c 1/1 100 100\nd 1/1 1000 1000\n");
    assert_diagnostics("forced_closes 2");
}

static __attribute__((noinline)) void enter_and_return(int times)
{
    for (int i = 0; i < times; i++) {
        EPROF_SCOPE("macro");
        eprof_enter("never left");
        pass(1);
    }
}

TEST(they_do_not_pile_up)
{
    enter_and_return(1000);
    assert_tree("macro 1000/1000 1000 0\nmacro;never left 1000/1000 1000 1000\n");
    assert_diagnostics("forced_closes 1000");
}

/* Without a macro around it the library cannot see that the scope has ended: later scopes are shown
 * inside it, and if it is entered again, that is recursion. */
TEST(what_is_not_left_is_open)
{
    for (int i = 0; i < 3; i++) {
        eprof_enter("a");
        pass(1);
    }
    scope_of("b", 10);
    assert_tree("a 0/0 13 3 open 3\na;b 1/1 10 10\n");
    for (int i = 0; i < 3; i++)
        eprof_leave();
    assert_tree("a 3/1 13 3\na;b 1/1 10 10\n");
    assert_diagnostics("");
}

static void enter_three_and_end(void *unused)
{
    (void)unused;
    eprof_enter("a");
    pass(1);
    eprof_enter("b");
    pass(10);
    eprof_enter("a");
    pass(100);
}

TEST(end_of_the_thread_closes_what_was_not_left)
{
    on_a_thread(enter_three_and_end, NULL);
    pass(1000);
    assert_tree("a 2/1 111 101\na;b 1/1 110 10\n");
    assert_diagnostics("forced_closes 3");
    on_a_thread(enter_three_and_end, NULL); /* the next one begins at its root */
    assert_tree("a 4/2 222 202\na;b 2/2 220 20\n");
    assert_diagnostics("forced_closes 6");
}

TEST(exit_of_the_thread_by_call_closes_them_too)
{
    eprof_enter("a");
    pass(1);
    eprof_thread_exit();
    pass(10);
    scope_of("b", 100);
    assert_tree("a 1/1 1 1\nb 1/1 100 100\n");
    assert_diagnostics("forced_closes 1");
    eprof_leave();
    assert_diagnostics("unbalanced 1, forced_closes 1");
}

TEST(reset_forgets_what_was_not_left)
{
    EPROF_BLOCK("a")
    {
        eprof_enter("b");
        eprof_reset();
        pass(1);
    }
    assert_tree("");
    assert_diagnostics("");
}

/* ------------------------------------------- sites of names made at run time -- */

TEST(equal_labels_give_the_same_site)
{
    char label[] = "made";
    struct eprof_site *made = eprof_site_for(label);
    assert_non_null(made);
    assert_ptr_equal(eprof_site_for("made"), made);
    label[0] = 'f'; /* it was copied */
    assert_ptr_not_equal(eprof_site_for(label), made);
    assert_ptr_equal(eprof_site_for("made"), made);
    assert_ptr_equal(eprof_site_for(NULL), eprof_site_for(""));
    eprof_init();
    assert_ptr_equal(eprof_site_for("made"), made);
}

TEST(long_labels_that_are_cut_alike_give_the_same_site)
{
    enum { KEPT = 4095 };
    static char label[KEPT + 3];
    memset(label, 'l', KEPT + 2);
    struct eprof_site *longer = eprof_site_for(label);
    label[KEPT] = '\0';
    assert_ptr_equal(eprof_site_for(label), longer);
    label[KEPT - 1] = '\0';
    assert_ptr_not_equal(eprof_site_for(label), longer);
}

static void enter_site_of(const char *label)
{
    eprof_enter_site(eprof_site_for(label));
}

TEST(site_and_label_are_one_scope)
{
    for (int i = 0; i < 100; i++) {
        enter_site_of("a");
        pass(1);
        scope_of("b", 10);
        enter_site_of("b");
        pass(100);
        eprof_leave();
        eprof_leave();
        eprof_enter("a");
        pass(1000);
        eprof_leave();
    }
    assert_tree("a 200/200 111100 100100\na;b 200/200 11000 11000\n");
    assert_diagnostics("");
}

/* Under a budget most of these calls only count. */
TEST(sites_nest_with_each_other_and_with_the_macros)
{
    struct eprof_site *outer = eprof_site_for("outer"), *inner = eprof_site_for("inner");
    for (int i = 0; i < 1000; i++) {
        eprof_enter_site(outer);
        EPROF_BLOCK("macro")
        {
            eprof_enter_site(inner);
            EPROF_BLOCK("in a macro") pass(1);
            eprof_enter_site(outer);
            eprof_leave();
            eprof_leave();
        }
        eprof_enter_site(inner);
        eprof_leave();
        eprof_leave();
    }
    assert_tree("outer 2000/1000 1000 0\nouter;inner 1000/1000 0 0\n"
                "outer;macro 1000/1000 1000 0\nouter;macro;inner 1000/1000 1000 0\n"
                "outer;macro;inner;in a macro 1000/1000 1000 1000\n");
    assert_diagnostics("");
}

TEST(macro_around_closes_sites_that_were_not_left)
{
    struct eprof_site *site = eprof_site_for("never left");
    for (int i = 0; i < 1000; i++) {
        EPROF_SCOPE("macro");
        eprof_enter_site(site);
        pass(1);
    }
    assert_tree("macro 1000/1000 1000 0\nmacro;never left 1000/1000 1000 1000\n");
    assert_diagnostics("forced_closes 1000");
}

TEST(site_may_be_entered_and_left_in_functions_of_their_own)
{
    for (int i = 0; i < 1000; i++) {
        EPROF_SCOPE("macro");
        enter("a");
        enter_site_of("b");
        leave();
        leave();
    }
    assert_tree("macro 1000/1000 21000 0\nmacro;a 1000/1000 21000 11000\n"
                "macro;a;b 1000/1000 10000 10000\n");
    assert_diagnostics("");
}

TEST(no_site_is_not_recorded_and_is_left_as_one)
{
    eprof_enter("a");
    for (int i = 0; i < 3; i++)
        eprof_enter_site(NULL);
    pass(1);
    scope_of("b", 10);
    for (int i = 0; i < 3; i++)
        eprof_leave();
    scope_of("c", 100);
    eprof_leave();
    assert_tree("a 1/1 111 1\na;b 1/1 10 10\na;c 1/1 100 100\n");
    assert_diagnostics("");
}

TEST(site_that_was_entered_while_recording_was_off_is_left_as_one)
{
    struct eprof_site *site = eprof_site_for("a");
    for (int i = 0; i < 3; i++) {
        eprof_enter_site(site);
        eprof_enable(false);
        eprof_enter_site(site);
        eprof_enable(true);
        scope_of("b", 1);
        eprof_leave();
        eprof_leave();
    }
    assert_tree("a 3/3 3 0\na;b 3/3 3 3\n");
    assert_diagnostics("");
}

static struct eprof_site *seen;

static void see_site(void *label)
{
    struct eprof_site *site = eprof_site_for(label);
    eprof_enter_site(site);
    pass(1);
    eprof_leave();
    seen = site;
}

TEST(threads_share_sites)
{
    static char label[] = "shared";
    struct eprof_site *site = eprof_site_for(label);
    for (int i = 0; i < 3; i++) {
        seen = NULL;
        on_a_thread(see_site, label);
        assert_ptr_equal(seen, site);
    }
    assert_tree("shared 3/3 3 3\n");
    assert_diagnostics("");
}

TEST(many_names_have_sites_of_their_own)
{
    enum { NAMES = 1000 };
    static struct eprof_site *sites[NAMES];
    char label[16];
    for (int i = 0; i < NAMES; i++) {
        snprintf(label, sizeof label, "name %d", i);
        sites[i] = eprof_site_for(label);
        assert_non_null(sites[i]);
    }
    for (int i = 0; i < NAMES; i++) {
        snprintf(label, sizeof label, "name %d", i);
        assert_ptr_equal(eprof_site_for(label), sites[i]);
        assert_true(i == 0 || sites[i] != sites[i - 1]);
    }
}

/* Both by a site and by a label that the thread knows already, and in a hold, whose end does not
 * find them either. */
TEST(scope_by_hand_that_begins_while_recording_is_off_is_discarded)
{
    enum { KNOWN = 20 };
    struct eprof_site *site = eprof_site_for("known");
    for (int i = 0; i < 2 * KNOWN; i++) {
        eprof_enter("around");
        eprof_hold();
        eprof_enter_site(site);
        eprof_leave();
        eprof_enable(i < KNOWN);
        if (i % 2)
            eprof_enter_site(site);
        else
            eprof_enter("known");
        eprof_enable(true);
        eprof_leave();
        eprof_keep(true);
        eprof_leave();
    }
    assert_tree("around 40/40 0 0\n"
                "around;known 60/60 0 0\n");
    assert_diagnostics("");
}

TEST(site_keeps_errno)
{
    struct eprof_site *site = eprof_site_for("keeps errno");
    errno = 1234;
    eprof_enter_site(site);
    eprof_leave();
    eprof_enter_site(NULL);
    eprof_leave();
    assert_int_equal(errno, 1234);
}

TEST_EACH(hand_clock_begin, NULL)
