/* Images with faults: each kind of fault is found. */
#include "support/fake_profile.h"

#include <stdint.h>
#include <stdlib.h>

TEST(complete_image_is_sound)
{
    union ep_cell *before = malloc((size_t)end_cell() * EP_CELL_BYTES);
    memcpy(before, fake.cells, (size_t)end_cell() * EP_CELL_BYTES);
    check_sound();
    assert_memory_equal(before, fake.cells, (size_t)end_cell() * EP_CELL_BYTES);
    free(before);
}

/* ---------------------------------------------------------- every reference -- */

#define BEYOND "beyond its end"
#define SHARED "in cells that are in use already"

/* No reference may lead out of the image or into its header, */
static void check_bounds(ep_ref *ref, const char *name)
{
    ep_ref right = *ref;
    const ep_ref beyond[] = {end_cell(), UINT32_MAX, INT32_MAX},
                 header[] = {1, EP_HEADER_CELLS - 1};
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

/* nor to cells of another kind. The last cell of the directory is the example of these. */
static void check_reference(ep_ref *ref, const char *name)
{
    ep_ref right = *ref;
    check_bounds(ref, name);
    *ref = ep_image_root(&fake)->directory + 63;
    check_fault(SHARED);
    check_fault(name);
    *ref = right;
}

TEST(list_of_threads_is_checked)
{
    check_reference(&ep_image_root(&fake)->threads, "a thread ");
    check_reference(&made.main->next, "a thread ");
}

TEST(parts_of_a_thread_are_checked)
{
    check_reference(&made.worker->diagnostics, "a thread's counts of diagnostics");
    check_reference(&made.worker->more, "the rest of a thread");
    check_reference(&fake.cells[made.worker->more].more.note, "a thread's notes");
    check_reference(&made.main->pairs, "an instance's figures");
    check_reference(&made.main->scratch_cells, "an instance's figures");
    check_reference(&made.main->nodes, "a node of a call tree");
    check_reference(&made.main->frames, "an open scope");
}

TEST(links_of_lists_are_checked)
{
    check_reference(&made.pair->next, "an instance's figures");
    check_reference(&made.scratch_pair->next, "an instance's figures");
    check_reference(&made.inner->next, "a node of a call tree");
    check_reference(&made.open->next, "an open scope");
    check_reference(&ep_image_tree(&fake)->sites, "a site");
    check_reference(&made.site->next, "a site");
}

TEST(octaves_are_checked)
{
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

TEST(directory_is_checked)
{
    ep_ref directory = ep_image_root(&fake)->directory;
    check_bounds(&ep_image_root(&fake)->directory, "the directory of instances");
    check_reference(&fake.cells[directory].refs[0], "a run of instances");
    check_reference(&fake.cells[directory + 63].refs[15], "a run of instances");
}

/* ------------------------------------------------------------ more than once -- */

TEST(list_that_comes_back_to_itself_is_found)
{
    made.inner->next = made.main->nodes;
    check_fault("a node of a call tree " SHARED);
    made.inner->next = fake_ref(made.inner);
    check_fault("a node of a call tree " SHARED);
}

TEST(chain_of_scopes_that_comes_back_is_found)
{
    made.open->next = made.main->frames;
    check_fault("an open scope " SHARED);
}

TEST(list_of_threads_that_comes_back_is_found)
{
    made.worker->next = ep_image_root(&fake)->threads;
    check_fault("a thread " SHARED);
}

TEST(threads_that_share_nodes_are_found)
{
    made.worker->nodes = made.main->nodes;
    check_fault("a node of a call tree " SHARED);
}

TEST(threads_that_share_pairs_are_found)
{
    made.worker->pairs = made.main->pairs;
    check_fault("an instance's figures " SHARED);
}

TEST(objects_that_overlap_by_a_cell_are_found)
{
    made.main->pairs += 3;
    made.pair = (struct ep_instance_cells *)&fake.cells[made.main->pairs];
    made.main->scratch_cells = made.main->pairs + 3;
    check_fault("an instance's figures " SHARED);
}

TEST(octave_of_two_nodes_is_found)
{
    made.outer->stats.octave[5] = made.inner->stats.octave[8];
    assert_int_not_equal(made.inner->stats.octave[8], 0);
    check_fault("a histogram's octave " SHARED);
}

TEST(runs_of_instances_that_overlap_are_found)
{
    ep_ref *directory = fake.cells[ep_image_root(&fake)->directory].refs;
    directory[1] = directory[0] + 1;
    check_fault("a run of instances");
}

/* ------------------------------------------------------------- call trees -- */

#define PLACE "a call tree with a node that has no place in it"

TEST(root_has_no_parent)
{
    made.root->parent = fake_ref(made.outer);
    check_fault(PLACE);
}

TEST(root_is_of_no_site)
{
    made.root->site = EP_SITE_FIRST;
    check_fault(PLACE);
}

TEST(node_but_the_root_has_a_site)
{
    made.inner->site = EP_SITE_NONE;
    check_fault(PLACE);
}

/* The wrong parents: a node that comes later in the list, none, the middle of a node, the node
 * itself, a node of another thread, and others. */
TEST(parent_that_is_none_of_the_older_nodes_is_found)
{
    const ep_ref wrong[] = {fake_ref(made.inner),      0,          fake_ref(made.root) + 1,
                            fake_ref(made.outer),      end_cell(), fake_ref(made.worker_root),
                            fake_ref(made.worker) + 1, 1};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        made.outer->parent = wrong[i];
        check_fault(PLACE);
    }
    made.outer->parent = fake_ref(made.root);
    check_sound();
}

TEST(hold_without_a_node_of_its_thread_is_found)
{
    const ep_ref wrong[] = {end_cell(), made.main->diagnostics, fake_ref(made.outer) + 1,
                            fake_ref(made.hold)};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        made.hold->base = wrong[i];
        check_fault("a hold of what is in no call tree of its thread");
    }
    made.hold->base = fake_ref(made.outer);
    check_sound();
}

TEST(open_scope_without_a_node_of_its_thread_is_found)
{
    const ep_ref wrong[] = {end_cell(), made.main->diagnostics, fake_ref(made.outer) + 1,
                            UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        made.open->node = wrong[i];
        check_fault("an open scope that is in no call tree of its thread");
    }
    made.open->node = 0;
    check_sound();
}

/* This occurs if a thread runs on while it is copied. */
TEST(open_scope_of_a_node_that_is_in_no_list_yet_is_of_none)
{
    made.open->node = ep_image_take(&fake, EP_BLOCK_CELLS);
    check_sound();
    assert_int_equal(made.open->node, 0);
}

/* ----------------------------------------------------------------- threads -- */

TEST(thread_without_its_cells_is_found)
{
    ep_ref diagnostics = made.worker->diagnostics;
    made.worker->diagnostics = 0;
    check_fault("a thread without its counts of diagnostics");
    made.worker->diagnostics = diagnostics;
    made.worker->more = 0;
    check_fault("a thread without its rest");
}

/* Threads that have joined another one, at which a chain of threads must end. */
TEST(chain_of_joined_threads_is_shortened)
{
    struct ep_thread_cell *last = fake_thread(2, "last");
    made.main->state = made.worker->state = EP_THREAD_JOINED;
    made.main->row = fake_ref(made.worker);
    made.worker->row = fake_ref(last);
    check_sound();
    assert_int_equal(made.main->row, fake_ref(last));
    assert_int_equal(made.worker->row, fake_ref(last));
}

TEST(row_that_is_no_thread_is_found)
{
    made.worker->state = EP_THREAD_JOINED;
    const ep_ref wrong[] = {made.worker->diagnostics, end_cell(), UINT32_MAX, 1};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        made.worker->row = wrong[i];
        check_fault("a thread in the row of none");
    }
}

TEST(row_that_has_no_end_is_found)
{
    made.main->state = made.worker->state = EP_THREAD_JOINED;
    made.worker->row = made.main->row = fake_ref(made.worker);
    check_fault("threads in a row that has no end");
}

/* A copy of a live image does not show a single moment: the other thread was copied while it was
 * blank; afterwards it took its name, and then this thread joined it. */
TEST(thread_that_joined_a_blank_one_keeps_its_own_row)
{
    size_t of_worker = 0;
    struct ep_thread_cell *blank = fake_thread(2, NULL);
    blank->state = EP_THREAD_BLANK;
    made.worker->state = EP_THREAD_JOINED;
    made.worker->row = fake_ref(blank);
    check_sound();
    struct eprof_snapshot *snapshot = fake_take(BY_THREADS);
    for (size_t i = 0; i < snapshot->diagnostic_first; i++) {
        const struct eprof_row *row = &snapshot->rows[i];
        of_worker += strcmp(row->thread, "worker") == 0;
        if (strcmp(row->thread, "worker") != 0 && strcmp(row->thread, "main") != 0)
            fail_msg("%s %s of %s", row->kind, row->name, row->thread);
    }
    assert_int_equal(of_worker, 5); /* two instances, a scope, two functions */
}

TEST(blank_thread_has_no_cells)
{
    made.main->state = EP_THREAD_BLANK;
    check_sound();
    assert_int_equal(made.main->nodes, 0);
    assert_int_equal(made.main->pairs, 0);
}

/* ------------------------------------------------------------------ counts -- */

TEST(count_of_sites_is_bounded)
{
    struct ep_tree_cell *tree = ep_image_tree(&fake);
    const uint32_t wrong[] = {0, EP_SITE_FIRST - 2, EP_SITE_FIRST, UINT32_MAX, end_cell() + 3};
    const uint32_t right = tree->site_count;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        tree->site_count = wrong[i];
        check_fault("a count of sites");
    }
    tree->site_count = right + 1; /* one site was being made */
    check_sound();
}

TEST(number_of_a_site_is_bounded)
{
    const uint32_t wrong[] = {0, EP_SITE_HOLD, UINT32_MAX, end_cell() + 3};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        made.site->number = wrong[i];
        check_fault("a site with a number");
    }
}

TEST(count_of_instances_is_bounded)
{
    ep_image_root(&fake)->slots_used = EP_SLOTS;
    check_sound();
    ep_image_root(&fake)->slots_used = EP_SLOTS + 1;
    check_fault("more instances than there can be");
}

TEST(count_of_cells_is_bounded)
{
    ep_image_root(&fake)->cells_used = fake.committed + 1;
    check_fault("cut off");
    ep_image_root(&fake)->cells_used = UINT32_MAX;
    check_fault("cut off");
    ep_image_root(&fake)->cells_used = EP_HEADER_CELLS - 1;
    check_fault("a count of cells");
}

TEST(header_cells_are_checked)
{
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
    check_sound(); /* about which nothing is known */
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

/* A million nested nodes: no function may be recursive. */
TEST(deep_tree_is_checked_without_a_stack)
{
    enum { DEPTH = 1000000 };
    const struct ep_node_cell *parent = made.worker_node;
    for (int i = 0; i < DEPTH; i++)
        parent = fake_node(made.worker, parent, EP_SITE_FIRST);
    check_sound();
    ((struct ep_node_cell *)&fake.cells[fake_ref(parent)])->next = made.worker->nodes;
    check_fault("a node of a call tree " SHARED);
}

TEST(image_without_all_of_its_header_is_too_short)
{
    for (uint32_t cells = 0; cells < EP_HEADER_CELLS; cells++) {
        struct ep_image shorter = {.cells = fake.cells, .committed = cells};
        int error = -1;
        assert_string_equal(ep_image_check(&shorter, &error), "too short for an eprof image");
        assert_int_equal(error, 0);
    }
}

TEST_EACH(fault_begin, fake_end)
