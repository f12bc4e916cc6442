/* Images that are not what they should be: each kind of fault is found. */
#include "fault.h"

#include <stdint.h>
#include <stdlib.h>

static void complete_image_is_sound(void **state)
{
    (void)state;
    union ep_cell *before = malloc((size_t)end() * EP_CELL_BYTES);
    memcpy(before, fake.cells, (size_t)end() * EP_CELL_BYTES);
    check_sound();
    assert_memory_equal(before, fake.cells, (size_t)end() * EP_CELL_BYTES);
    free(before);
}

/* ---------------------------------------------------------- every reference -- */

#define BEYOND "beyond its end"
#define SHARED "in cells that are in use already"

/* No reference may lead out of the image or into its header, */
static void check_bounds(ep_ref *ref, const char *name)
{
    ep_ref right = *ref;
    const ep_ref beyond[] = {end(), UINT32_MAX, INT32_MAX}, header[] = {1, EP_HEADER_CELLS - 1};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        *ref = beyond[i];
        check_fault(BEYOND);
        check_fault(name);
    }
    for (size_t i = 0; i < sizeof header / sizeof header[0]; i++) {
        *ref = header[i];
        check_fault(SHARED);
        check_fault(name);
    }
    *ref = right;
    check_sound();
}

/* nor to what is something else, which the last cell of the directory stands for. */
static void check_reference(ep_ref *ref, const char *name)
{
    ep_ref right = *ref;
    check_bounds(ref, name);
    *ref = ep_image_root(&fake)->directory + 63;
    check_fault(SHARED);
    check_fault(name);
    *ref = right;
}

static void list_of_threads_is_checked(void **state)
{
    (void)state;
    check_reference(&ep_image_root(&fake)->threads, "a thread ");
    check_reference(&made.main->next, "a thread ");
}

static void parts_of_a_thread_are_checked(void **state)
{
    (void)state;
    check_reference(&made.worker->trouble, "a thread's counts of trouble");
    check_reference(&made.worker->move, "what a thread is moving");
    check_reference(&made.main->pairs, "an instance's figures");
    check_reference(&made.main->scratch_pairs, "an instance's figures");
    check_reference(&made.main->nodes, "a node of a call tree");
    check_reference(&made.main->frames, "an open scope");
}

static void links_of_lists_are_checked(void **state)
{
    (void)state;
    check_reference(&made.pair->next, "an instance's figures");
    check_reference(&made.scratch_pair->next, "an instance's figures");
    check_reference(&made.inner->next, "a node of a call tree");
    check_reference(&made.open->next, "an open scope");
    check_reference(&ep_image_tree(&fake)->sites, "a site");
    check_reference(&made.site->next, "a site");
}

static void octaves_are_checked(void **state)
{
    (void)state;
    check_reference(&made.pair->stats.octave[3], "a histogram's octave");
    check_reference(&made.pair->stats.octave[EP_NEAR_OCTAVES - 1], "a histogram's octave");
    check_reference(&made.inner->stats.octave[0], "a histogram's octave");
    check_reference(&made.inner->stats.far[0], "a histogram's list of octaves");
    check_reference(&made.inner->stats.far[1], "a histogram's list of octaves");
    check_reference(&made.scratch_pair->stats.octave[7], "a histogram's octave");
    struct ep_far_octaves_cell *far = &fake.cells[made.inner->stats.far[0]].far;
    check_reference(&far->octave[0], "a histogram's octave");
    check_reference(&far->octave[15], "a histogram's octave");
}

static void directory_is_checked(void **state)
{
    (void)state;
    ep_ref directory = ep_image_root(&fake)->directory;
    check_bounds(&ep_image_root(&fake)->directory, "the directory of instances");
    check_reference(&fake.cells[directory].refs[0], "a run of instances");
    check_reference(&fake.cells[directory + 63].refs[15], "a run of instances");
}

/* ------------------------------------------------------------ more than once -- */

static void list_that_comes_back_to_itself_is_found(void **state)
{
    (void)state;
    made.inner->next = made.main->nodes;
    check_fault("a node of a call tree " SHARED);
    made.inner->next = fake_ref(made.inner);
    check_fault("a node of a call tree " SHARED);
}

static void chain_of_scopes_that_comes_back_is_found(void **state)
{
    (void)state;
    made.open->next = made.main->frames;
    check_fault("an open scope " SHARED);
}

static void list_of_threads_that_comes_back_is_found(void **state)
{
    (void)state;
    made.worker->next = ep_image_root(&fake)->threads;
    check_fault("a thread " SHARED);
}

static void threads_that_share_nodes_are_found(void **state)
{
    (void)state;
    made.worker->nodes = made.main->nodes;
    check_fault("a node of a call tree " SHARED);
}

static void threads_that_share_pairs_are_found(void **state)
{
    (void)state;
    made.worker->pairs = made.main->pairs;
    check_fault("an instance's figures " SHARED);
}

static void objects_that_overlap_by_a_cell_are_found(void **state)
{
    (void)state;
    made.main->pairs += 3;
    made.pair = (struct ep_pair_cell *)&fake.cells[made.main->pairs];
    made.main->scratch_pairs = made.main->pairs + 3;
    check_fault("an instance's figures " SHARED);
}

static void octave_of_two_nodes_is_found(void **state)
{
    (void)state;
    made.outer->stats.octave[5] = made.inner->stats.octave[8];
    assert_int_not_equal(made.inner->stats.octave[8], 0);
    check_fault("a histogram's octave " SHARED);
}

static void runs_of_instances_that_overlap_are_found(void **state)
{
    (void)state;
    ep_ref *directory = fake.cells[ep_image_root(&fake)->directory].refs;
    directory[1] = directory[0] + 1;
    check_fault("a run of instances");
}

/* ------------------------------------------------------------- call trees -- */

#define PLACE "a call tree with a node that has no place in it"

static void root_has_no_parent(void **state)
{
    (void)state;
    made.root->parent = fake_ref(made.outer);
    check_fault(PLACE);
}

static void root_is_of_no_site(void **state)
{
    (void)state;
    made.root->site = EP_SITE_FIRST;
    check_fault(PLACE);
}

static void node_but_the_root_has_a_site(void **state)
{
    (void)state;
    made.inner->site = EP_SITE_NONE;
    check_fault(PLACE);
}

/* It comes after it in the list, is none, in the midst of one, itself, and of another thread. */
static void parent_that_is_none_of_the_older_nodes_is_found(void **state)
{
    (void)state;
    const ep_ref wrong[] = {fake_ref(made.inner),      0,     fake_ref(made.root) + 1,
                            fake_ref(made.outer),      end(), fake_ref(made.worker_root),
                            fake_ref(made.worker) + 1, 1};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        made.outer->parent = wrong[i];
        check_fault(PLACE);
    }
    made.outer->parent = fake_ref(made.root);
    check_sound();
}

static void hold_of_what_is_no_node_of_its_thread_is_found(void **state)
{
    (void)state;
    const ep_ref wrong[] = {end(), made.main->trouble, fake_ref(made.outer) + 1,
                            fake_ref(made.hold)};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        made.hold->base = wrong[i];
        check_fault("a hold of what is in no call tree of its thread");
    }
    made.hold->base = fake_ref(made.outer);
    check_sound();
}

static void open_scope_of_what_is_no_node_of_its_thread_is_found(void **state)
{
    (void)state;
    const ep_ref wrong[] = {end(), made.main->trouble, fake_ref(made.outer) + 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        made.open->node = wrong[i];
        check_fault("an open scope that is in no call tree of its thread");
    }
    made.open->node = 0;
    check_sound();
}

/* Of a thread that runs on while it is copied. */
static void open_scope_of_a_node_that_is_in_no_list_yet_is_of_none(void **state)
{
    (void)state;
    made.open->node = ep_image_take(&fake, EP_BLOCK_CELLS);
    check_sound();
    assert_int_equal(made.open->node, 0);
}

/* ----------------------------------------------------------------- threads -- */

static void thread_without_its_cells_is_found(void **state)
{
    (void)state;
    ep_ref trouble = made.worker->trouble;
    made.worker->trouble = 0;
    check_fault("a thread without its counts of trouble");
    made.worker->trouble = trouble;
    made.worker->move = 0;
    check_fault("a thread without what it is moving");
}

static void bucket_that_there_is_not_is_found(void **state)
{
    (void)state;
    made.pair->stats.pending_bucket = EP_BUCKETS - 1;
    check_sound();
    made.pair->stats.pending_bucket = EP_BUCKETS;
    check_fault("a duration in a bucket that there is not");
}

/* ------------------------------------------------------------------ counts -- */

static void count_of_sites_is_bounded(void **state)
{
    (void)state;
    struct ep_tree_cell *tree = ep_image_tree(&fake);
    const uint32_t wrong[] = {0, EP_SITE_FIRST - 2, EP_SITE_FIRST, UINT32_MAX, end() + 3};
    const uint32_t right = tree->site_count;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        tree->site_count = wrong[i];
        check_fault("a count of sites");
    }
    tree->site_count = right + 1; /* one was being made */
    check_sound();
}

static void number_of_a_site_is_bounded(void **state)
{
    (void)state;
    const uint32_t wrong[] = {0, EP_SITE_HOLD, UINT32_MAX, end() + 3};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        made.site->number = wrong[i];
        check_fault("a site with a number");
    }
}

static void count_of_instances_is_bounded(void **state)
{
    (void)state;
    ep_image_root(&fake)->slots_used = EP_SLOTS;
    check_sound();
    ep_image_root(&fake)->slots_used = EP_SLOTS + 1;
    check_fault("more instances than there can be");
}

static void count_of_cells_is_bounded(void **state)
{
    (void)state;
    ep_image_root(&fake)->cells_used = fake.committed + 1;
    check_fault("cut off");
    ep_image_root(&fake)->cells_used = UINT32_MAX;
    check_fault("cut off");
    ep_image_root(&fake)->cells_used = EP_HEADER_CELLS - 1;
    check_fault("a count of cells");
}

static void header_cells_are_checked(void **state)
{
    (void)state;
    struct ep_source_cell *source = &fake.cells[EP_CELL_SOURCE].source;
    struct ep_scale_cell *scale = &fake.cells[EP_CELL_SCALE].scale;
    struct ep_probe_cell *probe = &fake.cells[EP_CELL_PROBE].probe;
    memset(source->name, 'x', sizeof source->name);
    check_fault("a source whose name does not end");
    source->name[31] = '\0';
    check_sound();
    scale->current = 2;
    check_fault("a tick scale that there is not");
    scale->current = 0;
    check_sound(); /* of which nothing is known */
    uint64_t *const costs[] = {&probe->inside_milliticks, &probe->pair_milliticks,
                               &probe->scope_inside_milliticks, &probe->scope_pair_milliticks,
                               &probe->nested_pair_milliticks};
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        uint64_t right = *costs[i];
        *costs[i] = UINT64_C(1) << 40;
        check_sound();
        ++*costs[i];
        check_fault("a cost of the probe");
        *costs[i] = right;
    }
}

/* A million nodes below each other: nothing is done by recursion. */
static void deep_tree_is_checked_without_a_stack(void **state)
{
    (void)state;
    enum { DEPTH = 1000000 };
    const struct ep_node_cell *parent = made.worker_node;
    for (int i = 0; i < DEPTH; i++)
        parent = fake_node(made.worker, parent, EP_SITE_FIRST);
    check_sound();
    ((struct ep_node_cell *)&fake.cells[fake_ref(parent)])->next = made.worker->nodes;
    check_fault("a node of a call tree " SHARED);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fault_begin, fake_end)

static void image_without_all_of_its_header_is_too_short(void **state)
{
    (void)state;
    for (uint32_t cells = 0; cells < EP_HEADER_CELLS; cells++) {
        struct ep_image shorter = {.cells = fake.cells, .committed = cells};
        int error = -1;
        assert_string_equal(ep_image_check(&shorter, &error), "too short for an eprof image");
        assert_int_equal(error, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(complete_image_is_sound),
        TEST(list_of_threads_is_checked),
        TEST(parts_of_a_thread_are_checked),
        TEST(links_of_lists_are_checked),
        TEST(octaves_are_checked),
        TEST(directory_is_checked),
        TEST(list_that_comes_back_to_itself_is_found),
        TEST(chain_of_scopes_that_comes_back_is_found),
        TEST(list_of_threads_that_comes_back_is_found),
        TEST(threads_that_share_nodes_are_found),
        TEST(threads_that_share_pairs_are_found),
        TEST(objects_that_overlap_by_a_cell_are_found),
        TEST(octave_of_two_nodes_is_found),
        TEST(runs_of_instances_that_overlap_are_found),
        TEST(root_has_no_parent),
        TEST(root_is_of_no_site),
        TEST(node_but_the_root_has_a_site),
        TEST(parent_that_is_none_of_the_older_nodes_is_found),
        TEST(hold_of_what_is_no_node_of_its_thread_is_found),
        TEST(open_scope_of_what_is_no_node_of_its_thread_is_found),
        TEST(open_scope_of_a_node_that_is_in_no_list_yet_is_of_none),
        TEST(thread_without_its_cells_is_found),
        TEST(bucket_that_there_is_not_is_found),
        TEST(count_of_sites_is_bounded),
        TEST(number_of_a_site_is_bounded),
        TEST(count_of_instances_is_bounded),
        TEST(count_of_cells_is_bounded),
        TEST(header_cells_are_checked),
        TEST(image_without_all_of_its_header_is_too_short),
        TEST(deep_tree_is_checked_without_a_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
