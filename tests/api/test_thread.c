/* Rows per thread, and the names that threads give themselves. */
#include "rows.h"
#include "work.h"

#include <stdio.h>

/* The work of a whole thread. */
struct life {
    const char *name_before, *name_after; /* recording; "-": the thread does not name itself then */
    uint64_t ns;
};

static void live(void *own)
{
    const struct life *life = own;
    uint64_t ns = life->ns;
    if (!life->name_before || strcmp(life->name_before, "-") != 0)
        eprof_thread_enter(life->name_before);
    record_ns(&ns);
    if (!life->name_after || strcmp(life->name_after, "-") != 0)
        eprof_thread_enter(life->name_after);
}

static void one_thread(const char *name_before, const char *name_after, uint64_t ns)
{
    struct life life = {name_before, name_after, ns};
    on_a_thread(live, &life);
}

/* The name of the one row that does not belong to main. */
static void assert_one_row_of_a_nameless_thread(uint64_t calls, uint64_t total_ns)
{
    eprof_snapshot *snapshot = eprof_snapshot_take_threads();
    struct eprof_row row;
    unsigned number = 0;
    assert_int_equal(find_rows(snapshot, "instance", "work", NULL, &row), 1);
    if (sscanf(row.thread, "thread %u", &number) != 1 || number == 0)
        fail_msg("the thread without a name is called %s", row.thread);
    assert_figures(row, calls, total_ns);
    eprof_snapshot_free(snapshot);
}

/* ------------------------------------------------------------------ rows -- */

TEST(thread_main_is_called_main)
{
    uint64_t ns = 7;
    record_ns(&ns);
    assert_figures(thread_row("work", "main"), 1, 7);
    assert_int_equal(count_thread_rows(NULL, NULL), 1);
}

TEST(threads_alive_together_have_a_row_each)
{
    struct worker first, second;
    uint64_t ns[] = {1, 20, 300};
    worker_begin(&first);
    worker_begin(&second);
    record_ns(&ns[0]);
    worker_do(&first, record_ns, &ns[1]);
    worker_do(&second, record_ns, &ns[2]);
    assert_figures(thread_row("work", "main"), 1, 1);
    assert_int_equal(count_thread_rows("work", NULL), 3);
    assert_figures(instance_row("work"), 3, 321);
    worker_end(&first);
    worker_end(&second);
    assert_int_equal(count_thread_rows("work", NULL), 3);
    assert_figures(instance_row("work"), 3, 321);
}

TEST(row_per_thread_has_only_what_that_thread_recorded)
{
    struct worker red, blue;
    uint64_t ns[] = {10, 200};
    char red_name[] = "red", blue_name[] = "blue";
    worker_begin(&red);
    worker_begin(&blue);
    worker_do(&red, name_this_thread, red_name);
    worker_do(&blue, name_this_thread, blue_name);
    for (int i = 0; i < 3; i++) {
        worker_do(&red, record_ns, &ns[0]);
        worker_do(&blue, record_ns, &ns[1]);
    }
    assert_figures(thread_row("work", "red"), 3, 30);
    assert_figures(thread_row("work", "blue"), 3, 600);
    worker_end(&red);
    worker_end(&blue);
    assert_figures(thread_row("work", "red"), 3, 30);
    assert_figures(thread_row("work", "blue"), 3, 600);
}

TEST(nameless_threads_one_after_another_share_a_row)
{
    for (uint64_t i = 1; i <= 20; i++)
        one_thread("-", "-", i);
    assert_one_row_of_a_nameless_thread(20, 210);
}

TEST(threads_of_one_name_one_after_another_share_a_row)
{
    for (uint64_t i = 1; i <= 20; i++)
        one_thread(i % 2 ? "odd" : "even", "-", i);
    assert_figures(thread_row("work", "odd"), 10, 100);
    assert_figures(thread_row("work", "even"), 10, 110);
    assert_int_equal(count_thread_rows(NULL, NULL), 2);
}

TEST(threads_of_one_name_alive_together_have_a_row_each)
{
    struct worker first, second;
    uint64_t ns = 5;
    char name[] = "twin";
    worker_begin(&first);
    worker_begin(&second);
    worker_do(&first, name_this_thread, name);
    worker_do(&second, name_this_thread, name);
    worker_do(&first, record_ns, &ns);
    worker_do(&second, record_ns, &ns);
    assert_int_equal(count_thread_rows("work", "twin"), 2);
    assert_figures(instance_row("work"), 2, 10);
    worker_end(&first);
    worker_end(&second);
    assert_figures(instance_row("work"), 2, 10);
}

TEST(name_without_anything_recorded_has_no_row)
{
    char name[] = "idle";
    on_a_thread(name_this_thread, name);
    assert_int_equal(count_thread_rows(NULL, NULL), 0);
}

/* ----------------------------------------------------------------- names -- */

TEST(name_given_after_recording_is_of_all_that_was_recorded)
{
    one_thread("-", "late", 11);
    assert_figures(thread_row("work", "late"), 1, 11);
    assert_int_equal(count_thread_rows(NULL, NULL), 1);
}

TEST(names_given_before_and_after_recording_share_a_row)
{
    one_thread("worker", "-", 100);
    one_thread("-", "worker", 20);
    one_thread("-", "worker", 3);
    one_thread("worker", "worker", 4000);
    assert_figures(thread_row("work", "worker"), 4, 4123);
    assert_int_equal(count_thread_rows(NULL, NULL), 1);
}

TEST(renamed_thread_takes_its_row_with_it)
{
    struct worker worker;
    uint64_t ns = 9;
    char before[] = "before", after[] = "after";
    worker_begin(&worker);
    worker_do(&worker, name_this_thread, before);
    worker_do(&worker, record_ns, &ns);
    assert_figures(thread_row("work", "before"), 1, 9);
    worker_do(&worker, name_this_thread, after);
    worker_do(&worker, record_ns, &ns);
    assert_int_equal(count_thread_rows("work", "before"), 0);
    assert_figures(thread_row("work", "after"), 2, 18);
    worker_end(&worker);
    assert_figures(thread_row("work", "after"), 2, 18);
}

TEST(thread_renamed_to_what_it_is_called_keeps_its_row)
{
    one_thread("same", "same", 4);
    one_thread("same", "same", 5);
    assert_figures(thread_row("work", "same"), 2, 9);
}

TEST(main_thread_can_be_named_and_unnamed)
{
    uint64_t ns = 3;
    eprof_thread_enter("captain");
    record_ns(&ns);
    assert_figures(thread_row("work", "captain"), 1, 3);
    assert_int_equal(count_thread_rows("work", "main"), 0);
    eprof_thread_enter(NULL);
    record_ns(&ns);
    assert_figures(thread_row("work", "main"), 2, 6);
    assert_int_equal(count_thread_rows("work", "captain"), 0);
}

/* eprof_thread_enter() and eprof_thread_name() are the same call, in any order. */
TEST(thread_is_named_by_either_call)
{
    uint64_t ns = 3;
    eprof_thread_enter("entered");
    eprof_thread_name("named");
    record_ns(&ns);
    assert_figures(thread_row("work", "named"), 1, 3);
    eprof_thread_enter("entered");
    record_ns(&ns);
    assert_figures(thread_row("work", "entered"), 2, 6);
    eprof_thread_name(NULL);
    assert_figures(thread_row("work", "main"), 2, 6);
}

TEST(unnamed_thread_is_called_by_its_number_again)
{
    one_thread("named", NULL, 6);
    assert_one_row_of_a_nameless_thread(1, 6);
}

TEST(threads_that_unname_themselves_share_a_row)
{
    for (uint64_t i = 1; i <= 20; i++)
        one_thread("named", NULL, i);
    assert_one_row_of_a_nameless_thread(20, 210);
}

TEST(empty_name_is_a_name)
{
    one_thread("", "-", 2);
    one_thread("", "-", 3);
    assert_figures(thread_row("work", ""), 2, 5);
}

TEST(name_is_copied)
{
    char name[] = "copied";
    uint64_t ns = 8;
    eprof_thread_enter(name);
    memset(name, 'x', sizeof name - 1);
    record_ns(&ns);
    assert_figures(thread_row("work", "copied"), 1, 8);
    eprof_thread_enter(NULL);
}

/* Like a label: at most 4,095 bytes, and no part of a character. */
TEST(long_name_is_cut_at_a_character)
{
    static char name[10001] = "x";
    uint64_t ns = 8;
    for (size_t i = 1; i + 3 < sizeof name; i += 3)
        memcpy(&name[i], "€", 3);
    record_ns(&ns);
    eprof_thread_enter(name + 1); /* 1,365 characters of 3 bytes are 4,095 */
    name[1 + 4095] = '\0';
    assert_figures(thread_row("work", name + 1), 1, 8);
    name[1 + 4095] = '\xe2';
    eprof_thread_enter(name); /* now the last of them would end at the 4,096th */
    name[1 + 4092] = '\0';
    assert_figures(thread_row("work", name), 1, 8);
    eprof_thread_enter(NULL);
}

TEST(long_names_that_begin_alike_share_a_row)
{
    static char name[10001];
    memset(name, 'n', sizeof name - 1);
    one_thread(name, "-", 1);
    name[5000] = 'm';
    one_thread(name, "-", 2);
    one_thread("-", name, 4);
    name[4095] = '\0';
    assert_figures(thread_row("work", name), 3, 7);
}

TEST(name_that_is_not_utf8_is_kept_and_shown_as_hexadecimal)
{
    uint64_t ns = 8;
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    eprof_thread_enter("caf\xe9");
    record_ns(&ns);
    assert_figures(thread_row("work", "caf\xe9"), 1, 8);
    assert_return_code(eprof_report(out, "csv:threads"), errno);
    eprof_thread_enter(NULL);
    assert_int_equal(fclose(out), 0);
    if (!strstr(text, ",caf\\xE9,") && !strstr(text, ",caf\\xe9,"))
        fail_msg("no caf\\xE9 in %s", text);
    free(text);
}

TEST(names_survive_init)
{
    uint64_t ns = 2;
    struct worker worker;
    char name[] = "stays";
    worker_begin(&worker);
    worker_do(&worker, name_this_thread, name);
    worker_do(&worker, record_ns, &ns);
    eprof_init();
    instance = eprof_alloc("work");
    worker_do(&worker, record_ns, &ns);
    assert_figures(thread_row("work", "stays"), 1, 2);
    worker_end(&worker);
    one_thread("stays", "-", 3);
    assert_figures(thread_row("work", "stays"), 2, 5);
}

TEST_EACH(begin_test, NULL)
