#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image.h"
#include "random.h"

static struct ep_image image;

static int begin_test(void **state)
{
    (void)state;
    return ep_image_create(&image);
}

static int end_test(void **state)
{
    (void)state;
    ep_image_destroy(&image);
    return 0;
}

static bool is_zero(ep_ref ref, uint32_t count)
{
    static const union ep_cell zero;
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(&image.cells[ref + i], &zero, sizeof zero) != 0)
            return false;
    return true;
}

/* -------------------------------------------------------------- the header -- */

static void image_begins_with_who_records_into_it(void **state)
{
    const struct ep_identity_cell *identity = &image.cells[EP_CELL_IDENTITY].identity;
    (void)state;
    assert_memory_equal(identity->magic, "eprof\r\n\032", 8);
    assert_int_equal(identity->version, EP_FORMAT_VERSION);
    assert_int_equal(identity->cell_bytes, EP_CELL_BYTES);
    assert_int_equal(identity->header_cells, EP_HEADER_CELLS);
    assert_int_equal(identity->process_id, getpid());
    assert_int_equal(identity->state, 1);
    assert_in_range(identity->realtime_ns, UINT64_C(1600000000) * 1000000000, UINT64_MAX);
    assert_memory_equal(&identity->byte_order, &(uint32_t){0x01020304}, 4);
}

static void image_begins_with_generation_one_and_nothing_else(void **state)
{
    (void)state;
    assert_int_equal(ep_image_control(&image)->generation, 1);
    assert_int_equal(ep_image_control(&image)->reset_generation, 1);
    assert_int_equal(ep_image_root(&image)->threads, 0);
    assert_int_equal(ep_image_root(&image)->slots_used, 0);
    assert_int_equal(ep_image_root(&image)->index_root, 0);
    assert_true(is_zero(EP_CELL_SOURCE, 1));
    assert_true(is_zero(EP_CELL_PROBE, 1));
    assert_true(is_zero(EP_CELL_TROUBLE, 1));
}

static void cells_lie_on_cache_lines(void **state)
{
    (void)state;
    assert_int_equal((uintptr_t)image.cells % EP_CELL_BYTES, 0);
    assert_int_equal((uintptr_t)image.cells % (EP_BLOCK_CELLS * EP_CELL_BYTES), 0);
}

/* ------------------------------------------------------------------- taking -- */

static void runs_do_not_overlap_and_are_zero(void **state)
{
    enum { RUNS = 1000 };
    static struct {
        ep_ref first;
        uint32_t count;
    } runs[RUNS];
    (void)state;
    for (int i = 0; i < RUNS; i++) {
        uint32_t few = 1 + (uint32_t)(random_next() % EP_BLOCK_CELLS);
        uint32_t count = i % 3 ? few : EP_BLOCK_CELLS * few;
        runs[i].first = ep_image_take(&image, count);
        runs[i].count = count;
        assert_in_range(runs[i].first, EP_HEADER_CELLS, UINT32_MAX);
        if (!is_zero(runs[i].first, count))
            fail_msg("run %d of %u cells is not zero", i, count);
        for (uint32_t at = 0; at < count; at++)
            image.cells[runs[i].first + at].refs[0] = (ep_ref)i + 1;
    }
    for (int i = 0; i < RUNS; i++)
        for (uint32_t at = 0; at < runs[i].count; at++)
            if (image.cells[runs[i].first + at].refs[0] != (ep_ref)i + 1)
                fail_msg("cell %u of run %d is that of run %u", at, i,
                         image.cells[runs[i].first + at].refs[0] - 1);
    assert_in_range(ep_image_root(&image)->cells_used, runs[RUNS - 1].first, image.committed);
}

/* A block is one thread's, and the lines of it nobody else's. */
static void blocks_begin_at_their_edge_and_hold_no_short_run(void **state)
{
    enum { TAKES = 500 };
    ep_ref blocks[TAKES], shorts[TAKES];
    (void)state;
    for (int i = 0; i < TAKES; i++) {
        shorts[i] = ep_image_take(&image, 1 + (uint32_t)(random_next() % 9));
        blocks[i] = ep_image_take(&image, EP_BLOCK_CELLS);
        assert_int_equal(blocks[i] % EP_BLOCK_CELLS, 0);
    }
    for (int block = 0; block < TAKES; block++)
        for (int i = 0; i < TAKES; i++)
            if (shorts[i] / EP_BLOCK_CELLS == blocks[block] / EP_BLOCK_CELLS)
                fail_msg("the short run at %u is in the block at %u", shorts[i], blocks[block]);
}

static void what_was_taken_does_not_move(void **state)
{
    (void)state;
    ep_ref first = ep_image_take(&image, 1);
    union ep_cell *cell = ep_image_cell(&image, first);
    cell->refs[3] = 77;
    for (int i = 0; i < 1000; i++)
        assert_int_not_equal(ep_image_take(&image, 64 * EP_BLOCK_CELLS), 0); /* 256 MiB in all */
    assert_ptr_equal(ep_image_cell(&image, first), cell);
    assert_int_equal(cell->refs[3], 77);
}

/* ------------------------------------------------------------------- texts -- */

static void text_is_copied_into_a_power_of_two_of_cells(void **state)
{
    static const struct {
        uint32_t bytes, cells; /* with the NUL */
    } cases[] = {{0, 1},   {1, 1},     {63, 1},    {64, 2},    {127, 2},   {128, 4},  {255, 4},
                 {256, 8}, {1023, 16}, {1024, 32}, {2047, 32}, {2048, 64}, {4095, 64}};
    static char text[4096];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t cells = 0;
        memset(text, 'a' + (int)i, sizeof text);
        ep_ref ref = ep_image_text(&image, text, cases[i].bytes, &cells);
        assert_int_not_equal(ref, 0);
        assert_int_equal(cells, cases[i].cells);
        assert_memory_equal(ep_image_string(&image, ref), text, cases[i].bytes);
        assert_int_equal(ep_image_string(&image, ref)[cases[i].bytes], '\0');
    }
    assert_string_equal(ep_image_string(&image, 0), "");
}

static void texts_live_beside_each_other(void **state)
{
    enum { TEXTS = 500 };
    static char texts[TEXTS][400];
    ep_ref refs[TEXTS];
    uint32_t cells;
    (void)state;
    for (int i = 0; i < TEXTS; i++) {
        size_t bytes = random_next() % sizeof texts[i];
        memset(texts[i], 'a' + i % 26, bytes);
        texts[i][bytes ? bytes - 1 : 0] = '\0';
        refs[i] = ep_image_text(&image, texts[i], (uint32_t)strlen(texts[i]), &cells);
    }
    for (int i = 0; i < TEXTS; i++)
        assert_string_equal(ep_image_string(&image, refs[i]), texts[i]);
}

static void freed_texts_are_used_again_by_those_of_their_size(void **state)
{
    static const char long_text[300];
    uint32_t cells, long_cells;
    (void)state;
    ep_ref first = ep_image_text(&image, "first", 5, &cells);
    ep_ref longer = ep_image_text(&image, long_text, sizeof long_text, &long_cells);
    ep_ref second = ep_image_text(&image, "second", 6, &cells);
    ep_image_text_free(&image, first, cells);
    ep_image_text_free(&image, longer, long_cells);
    ep_image_text_free(&image, second, cells);
    uint32_t used = ep_image_root(&image)->cells_used;
    ep_ref a = ep_image_text(&image, "a", 1, &cells);
    ep_ref b = ep_image_text(&image, "b", 1, &cells);
    if ((a != first || b != second) && (a != second || b != first))
        fail_msg("runs %u and %u, where %u and %u were free", a, b, first, second);
    assert_int_equal(ep_image_text(&image, long_text, sizeof long_text, &long_cells), longer);
    assert_int_equal(long_cells, 8);
    assert_string_equal(ep_image_string(&image, a), "a");
    assert_string_equal(ep_image_string(&image, b), "b");
    assert_int_equal(ep_image_root(&image)->cells_used, used);
}

static void texts_in_turn_take_no_new_cells(void **state)
{
    uint32_t cells;
    (void)state;
    ep_image_text_free(&image, ep_image_text(&image, "x", 1, &cells), 1);
    uint32_t used = ep_image_root(&image)->cells_used, next = image.shared_next;
    for (int i = 0; i < 100000; i++) {
        ep_ref ref = ep_image_text(&image, "another", 7, &cells);
        ep_image_text_free(&image, ref, cells);
    }
    assert_int_equal(ep_image_root(&image)->cells_used, used);
    assert_int_equal(image.shared_next, next);
}

/* --------------------------------------------------------------- instances -- */

static void instance_cell_is_there_once_it_was_added(void **state)
{
    static const uint32_t slots[] = {0, 1, 1023, 1024, 70000, EP_SLOTS - 1};
    enum { SLOTS = sizeof slots / sizeof *slots };
    struct ep_instance_cell *cells[SLOTS];
    (void)state;
    assert_null(ep_image_instance(&image, 0));
    for (size_t i = 0; i < SLOTS; i++) {
        assert_return_code(ep_image_instance_add(&image, slots[i]), errno);
        cells[i] = ep_image_instance(&image, slots[i]);
        assert_non_null(cells[i]);
        assert_int_equal(cells[i]->born, 0);
        assert_int_equal((uintptr_t)cells[i] % EP_CELL_BYTES, 0);
        cells[i]->handle = slots[i];
    }
    for (size_t i = 0; i < SLOTS; i++) {
        assert_return_code(ep_image_instance_add(&image, slots[i]), errno); /* a second time */
        assert_ptr_equal(ep_image_instance(&image, slots[i]), cells[i]);
        assert_int_equal(cells[i]->handle, slots[i]);
    }
    assert_null(ep_image_instance(&image, 2048));
}

static void instance_cell_of_no_slot_is_null(void **state)
{
    (void)state;
    assert_return_code(ep_image_instance_add(&image, 0), errno);
    assert_null(ep_image_instance(&image, EP_SLOTS));
    assert_null(ep_image_instance(&image, UINT32_MAX));
}

static void every_slot_has_a_cell_of_its_own(void **state)
{
    (void)state;
    for (uint32_t slot = 0; slot < EP_SLOTS; slot++) {
        assert_return_code(ep_image_instance_add(&image, slot), errno);
        ep_image_instance(&image, slot)->handle = slot;
    }
    for (uint32_t slot = 0; slot < EP_SLOTS; slot++)
        if (ep_image_instance(&image, slot)->handle != slot)
            fail_msg("slot %u has the cell of slot %u", slot,
                     ep_image_instance(&image, slot)->handle);
}

static void file_is_closed_with_its_image(void **state)
{
    char path[] = P_tmpdir "/eprof-image-XXXXXX";
    struct ep_image of_file;
    (void)state;
    assert_return_code(ep_image_create(&of_file), errno);
    int file = mkstemp(path);
    assert_return_code(file, errno);
    assert_int_equal(unlink(path), 0);
    assert_return_code(ep_image_move_to_file(&of_file, file), errno);
    assert_return_code(fcntl(file, F_GETFD), errno);
    ep_image_destroy(&of_file);
    assert_int_equal(fcntl(file, F_GETFD), -1);
    assert_null(of_file.cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(image_begins_with_who_records_into_it, begin_test,
                                        end_test),
        cmocka_unit_test_setup_teardown(image_begins_with_generation_one_and_nothing_else,
                                        begin_test, end_test),
        cmocka_unit_test_setup_teardown(cells_lie_on_cache_lines, begin_test, end_test),
        cmocka_unit_test_setup_teardown(runs_do_not_overlap_and_are_zero, begin_test, end_test),
        cmocka_unit_test_setup_teardown(blocks_begin_at_their_edge_and_hold_no_short_run,
                                        begin_test, end_test),
        cmocka_unit_test_setup_teardown(what_was_taken_does_not_move, begin_test, end_test),
        cmocka_unit_test_setup_teardown(text_is_copied_into_a_power_of_two_of_cells, begin_test,
                                        end_test),
        cmocka_unit_test_setup_teardown(texts_live_beside_each_other, begin_test, end_test),
        cmocka_unit_test_setup_teardown(freed_texts_are_used_again_by_those_of_their_size,
                                        begin_test, end_test),
        cmocka_unit_test_setup_teardown(texts_in_turn_take_no_new_cells, begin_test, end_test),
        cmocka_unit_test_setup_teardown(instance_cell_is_there_once_it_was_added, begin_test,
                                        end_test),
        cmocka_unit_test_setup_teardown(instance_cell_of_no_slot_is_null, begin_test, end_test),
        cmocka_unit_test_setup_teardown(every_slot_has_a_cell_of_its_own, begin_test, end_test),
        cmocka_unit_test(file_is_closed_with_its_image),
    };
    random_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
