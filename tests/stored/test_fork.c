/*
 * A forked child has its own image file from its first use of the library on, and the file of the
 * parent contains only calls of the parent
 */
#include "family.h"
#include "scratch.h"

/* ------------------------------------------------------- the file of a child -- */

/* atexit() handlers run in the child too, so it closes its file. */
static void fork_and_record_in_both(void *shared)
{
    struct family *family = shared;
    begin();
    pid_t child = fork_by();
    if (child == 0) {
        program_record(instance);
        program_record(instance);
        program_enter("child");
        exit(0);
    }
    family->children[0] = child;
    wait_for(child);
    program_enter("parent");
}

TEST(child_has_a_file_of_its_own)
{
    struct family *family = program_share(sizeof *family);
    for (int i = 0; i < FORK_WAYS; i++) {
        fork_by = fork_ways[i];
        print_message("%s\n", fork_names[i]);
        run_family(family, "image=profile", fork_and_record_in_both);
        const char *own = path_of(family->children[0]);
        assert_stored(own, "instance a 2/2 20\nscope child 1/1 10\n");
        assert_int_equal(stored_state(own), EP_STATE_CLOSED);
        assert_stored("profile", "instance a 1/1 10\nscope parent 2/2 20\n");
        assert_int_equal(stored_state("profile"), EP_STATE_CLOSED);
        assert_int_equal(scratch_files(), 2);
        assert_int_equal(remove(own), 0);
    }
}

TEST(file_of_a_child_has_its_process_id_in_the_place_of_percent_p)
{
    struct family *family = program_share(sizeof *family);
    char path[64];
    fork_by = fork;
    run_family(family, "image=profile.%p", fork_and_record_in_both);
    snprintf(path, sizeof path, "profile.%ld", (long)family->children[0]);
    assert_stored(path, "instance a 2/2 20\nscope child 1/1 10\n");
    assert_int_equal(scratch_files(), 2);
}

static void change_directory_and_fork(void *shared)
{
    eprof_now();
    if (chdir("/") != 0)
        _exit(1);
    fork_and_record_in_both(shared);
}

TEST(file_of_a_child_is_in_the_directory_of_the_first_use)
{
    struct family *family = program_share(sizeof *family);
    fork_by = fork;
    run_family(family, "image=profile", change_directory_and_fork);
    assert_stored(path_of(family->children[0]), "instance a 2/2 20\nscope child 1/1 10\n");
    assert_int_equal(scratch_files(), 2);
}

static void fork_and_kill_the_child(void *shared)
{
    struct family *family = shared;
    begin();
    pid_t child = fork();
    if (child == 0) {
        program_enter("child");
        kill(getpid(), SIGKILL);
    }
    family->children[0] = child;
    waitpid(child, NULL, 0);
    program_enter("parent");
}

TEST(file_of_a_killed_child_has_the_ended_calls)
{
    struct family *family = program_share(sizeof *family);
    run_family(family, "image=profile", fork_and_kill_the_child);
    assert_stored(path_of(family->children[0]), "scope child 1/1 10\ndiagnostic not_closed 1\n");
    assert_stored("profile", "instance a 1/1 10\nscope parent 2/2 20\n");
}

/* ------------------------------------------- children that make no file -- */

static void fork_and_use_nothing(void *shared)
{
    (void)shared;
    begin();
    pid_t child = fork_by();
    if (child == 0)
        exit(0); /* with the exit handlers of the library */
    wait_for(child);
}

static void fork_and_exec(void *shared)
{
    (void)shared;
    begin();
    pid_t child = fork_by();
    if (child == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(127);
    }
    wait_for(child);
}

TEST(child_that_never_uses_the_library_makes_no_file)
{
    struct family *family = program_share(sizeof *family);
    for (int i = 0; i < FORK_WAYS; i++) {
        fork_by = fork_ways[i];
        run_family(family, "image=profile", fork_and_use_nothing);
        run_family(family, "image=profile", fork_and_exec);
        assert_stored("profile", "instance a 1/1 10\nscope parent 1/1 10\n");
        assert_int_equal(scratch_files(), 1);
    }
}

/* --------------------------------------------------- child of child, and many -- */

static void fork_twice(void *shared)
{
    struct family *family = shared;
    begin();
    pid_t child = fork();
    if (child == 0) {
        program_enter("child");
        pid_t grandchild = fork();
        if (grandchild == 0) {
            program_enter("grandchild");
            exit(0);
        }
        family->grandchild = grandchild;
        wait_for(grandchild);
        program_enter("child");
        exit(0);
    }
    family->children[0] = child;
    wait_for(child);
}

TEST(child_of_a_child_has_a_file_of_its_own)
{
    struct family *family = program_share(sizeof *family);
    run_family(family, "image=profile", fork_twice);
    assert_stored(path_of(family->children[0]), "scope child 2/2 20\n");
    assert_stored(path_of(family->grandchild), "scope grandchild 1/1 10\n");
    assert_stored("profile", "instance a 1/1 10\nscope parent 1/1 10\n");
    assert_int_equal(scratch_files(), 3);
}

static void fork_twice_without_using_it_between(void *shared)
{
    struct family *family = shared;
    begin();
    pid_t child = fork();
    if (child == 0) {
        pid_t grandchild = fork();
        if (grandchild == 0) {
            program_enter("grandchild");
            exit(0);
        }
        family->grandchild = grandchild;
        wait_for(grandchild);
        exit(0);
    }
    wait_for(child);
}

TEST(child_of_a_child_that_did_not_use_it_has_a_file_too)
{
    struct family *family = program_share(sizeof *family);
    run_family(family, "image=profile", fork_twice_without_using_it_between);
    assert_stored(path_of(family->grandchild), "scope grandchild 1/1 10\n");
    assert_int_equal(scratch_files(), 2);
}

TEST_EACH(scratch_enter, scratch_leave)
