#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/fake_image.h"
#include "support/random.h"

static bool is_zero(ep_ref ref, uint32_t count)
{
    static const union ep_cell zero;
    for (uint32_t i = 0; i < count; i++)
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): of all bytes */
        if (memcmp(&fake.cells[ref + i], &zero, sizeof zero) != 0)
            return false;
    return true;
}

/* -------------------------------------------------------------- the header -- */

TEST(image_begins_with_the_identity_of_its_process)
{
    const struct ep_identity_cell *identity = &fake.cells[EP_CELL_IDENTITY].identity;
    assert_memory_equal(identity->magic, "eprof\r\n\032", 8);
    assert_int_equal(identity->version, EP_FORMAT_VERSION);
    assert_int_equal(identity->cell_bytes, EP_CELL_BYTES);
    assert_int_equal(identity->header_cells, EP_HEADER_CELLS);
    assert_int_equal(identity->process_id, getpid());
    assert_int_equal(identity->state, 1);
    assert_in_range(identity->realtime_ns, UINT64_C(1600000000) * 1000000000, UINT64_MAX);
    assert_memory_equal(&identity->byte_order, &(uint32_t){0x01020304}, 4);
}

TEST(image_begins_empty_at_generation_one)
{
    assert_int_equal(ep_image_control(&fake)->generation, 1);
    assert_int_equal(ep_image_control(&fake)->reset_generation, 1);
    assert_int_equal(ep_image_root(&fake)->threads, 0);
    assert_int_equal(ep_image_root(&fake)->slots_used, 0);
    assert_int_equal(ep_image_root(&fake)->index_root, 0);
    assert_true(is_zero(EP_CELL_SOURCE, 1));
    assert_true(is_zero(EP_CELL_PROBE, 1));
    assert_true(is_zero(EP_CELL_DIAGNOSTICS, 1));
}

TEST(cells_lie_on_cache_lines)
{
    assert_int_equal((uintptr_t)fake.cells % EP_CELL_BYTES, 0);
    assert_int_equal((uintptr_t)fake.cells % (EP_BLOCK_CELLS * EP_CELL_BYTES), 0);
}

/* ------------------------------------------------------------------- taking -- */

TEST(runs_do_not_overlap_and_are_zero)
{
    enum { RUNS = 1000 };
    static struct {
        ep_ref first;
        uint32_t count;
    } runs[RUNS];
    for (int i = 0; i < RUNS; i++) {
        uint32_t few = 1 + (uint32_t)(random_next() % EP_BLOCK_CELLS);
        uint32_t count = i % 3 ? few : EP_BLOCK_CELLS * few;
        runs[i].first = ep_image_take(&fake, count);
        runs[i].count = count;
        assert_in_range(runs[i].first, EP_HEADER_CELLS, UINT32_MAX);
        if (!is_zero(runs[i].first, count))
            fail_msg("run %d of %u cells is not zero", i, count);
        for (uint32_t at = 0; at < count; at++)
            fake.cells[runs[i].first + at].refs[0] = (ep_ref)i + 1;
    }
    for (int i = 0; i < RUNS; i++)
        for (uint32_t at = 0; at < runs[i].count; at++)
            if (fake.cells[runs[i].first + at].refs[0] != (ep_ref)i + 1)
                fail_msg("cell %u of run %d is that of run %u", at, i,
                         fake.cells[runs[i].first + at].refs[0] - 1);
    assert_in_range(ep_image_root(&fake)->cells_used, runs[RUNS - 1].first, fake.committed);
}

/* A block belongs to one thread, and no other thread has a part of its cache lines. */
TEST(blocks_begin_at_their_edge_and_hold_no_short_run)
{
    enum { TAKES = 500 };
    ep_ref blocks[TAKES], shorts[TAKES];
    for (int i = 0; i < TAKES; i++) {
        shorts[i] = ep_image_take(&fake, 1 + (uint32_t)(random_next() % 9));
        blocks[i] = ep_image_take(&fake, EP_BLOCK_CELLS);
        assert_int_equal(blocks[i] % EP_BLOCK_CELLS, 0);
    }
    for (int block = 0; block < TAKES; block++)
        for (int i = 0; i < TAKES; i++)
            if (shorts[i] / EP_BLOCK_CELLS == blocks[block] / EP_BLOCK_CELLS)
                fail_msg("the short run at %u is in the block at %u", shorts[i], blocks[block]);
}

TEST(taken_cells_do_not_move)
{
    ep_ref first = ep_image_take(&fake, 1);
    union ep_cell *cell = ep_image_cell(&fake, first);
    cell->refs[3] = 77;
    for (int i = 0; i < 1000; i++)
        assert_int_not_equal(ep_image_take(&fake, 64 * EP_BLOCK_CELLS), 0); /* 256 MiB in all */
    assert_ptr_equal(ep_image_cell(&fake, first), cell);
    assert_int_equal(cell->refs[3], 77);
}

/* ------------------------------------------------------------------- texts -- */

TEST(text_is_copied_into_a_power_of_two_of_cells)
{
    static const struct {
        uint32_t bytes, cells; /* with the NUL */
    } cases[] = {{0, 1},   {1, 1},     {63, 1},    {64, 2},    {127, 2},   {128, 4},  {255, 4},
                 {256, 8}, {1023, 16}, {1024, 32}, {2047, 32}, {2048, 64}, {4095, 64}};
    static char text[4096];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t cells = 0;
        memset(text, 'a' + (int)i, sizeof text);
        ep_ref ref = ep_image_text(&fake, text, cases[i].bytes, &cells);
        assert_int_not_equal(ref, 0);
        assert_int_equal(cells, cases[i].cells);
        assert_memory_equal(ep_image_string(&fake, ref), text, cases[i].bytes);
        assert_int_equal(ep_image_string(&fake, ref)[cases[i].bytes], '\0');
    }
    assert_string_equal(ep_image_string(&fake, 0), "");
}

TEST(texts_do_not_overlap)
{
    enum { TEXTS = 500 };
    static char texts[TEXTS][400];
    ep_ref refs[TEXTS];
    uint32_t cells;
    for (int i = 0; i < TEXTS; i++) {
        size_t bytes = random_next() % sizeof texts[i];
        memset(texts[i], 'a' + i % 26, bytes);
        texts[i][bytes ? bytes - 1 : 0] = '\0';
        refs[i] = ep_image_text(&fake, texts[i], (uint32_t)strlen(texts[i]), &cells);
    }
    for (int i = 0; i < TEXTS; i++)
        assert_string_equal(ep_image_string(&fake, refs[i]), texts[i]);
}

TEST(freed_texts_are_used_again_by_those_of_their_size)
{
    static const char long_text[300];
    uint32_t cells, long_cells;
    ep_ref first = ep_image_text(&fake, "first", 5, &cells);
    ep_ref longer = ep_image_text(&fake, long_text, sizeof long_text, &long_cells);
    ep_ref second = ep_image_text(&fake, "second", 6, &cells);
    ep_image_text_free(&fake, first, cells);
    ep_image_text_free(&fake, longer, long_cells);
    ep_image_text_free(&fake, second, cells);
    uint32_t used = ep_image_root(&fake)->cells_used;
    ep_ref a = ep_image_text(&fake, "a", 1, &cells);
    ep_ref b = ep_image_text(&fake, "b", 1, &cells);
    if ((a != first || b != second) && (a != second || b != first))
        fail_msg("runs %u and %u, where %u and %u were free", a, b, first, second);
    assert_int_equal(ep_image_text(&fake, long_text, sizeof long_text, &long_cells), longer);
    assert_int_equal(long_cells, 8);
    assert_string_equal(ep_image_string(&fake, a), "a");
    assert_string_equal(ep_image_string(&fake, b), "b");
    assert_int_equal(ep_image_root(&fake)->cells_used, used);
}

TEST(texts_in_turn_take_no_new_cells)
{
    uint32_t cells;
    ep_image_text_free(&fake, ep_image_text(&fake, "x", 1, &cells), 1);
    uint32_t used = ep_image_root(&fake)->cells_used, next = fake.shared_next;
    for (int i = 0; i < 100000; i++) {
        ep_ref ref = ep_image_text(&fake, "another", 7, &cells);
        ep_image_text_free(&fake, ref, cells);
    }
    assert_int_equal(ep_image_root(&fake)->cells_used, used);
    assert_int_equal(fake.shared_next, next);
}

/* --------------------------------------------------------------- instances -- */

TEST(instance_cell_is_there_once_it_was_added)
{
    static const uint32_t slots[] = {0, 1, 1023, 1024, 70000, EP_SLOTS - 1};
    enum { SLOTS = sizeof slots / sizeof *slots };
    struct ep_instance_cell *cells[SLOTS];
    assert_null(ep_image_instance(&fake, 0));
    for (size_t i = 0; i < SLOTS; i++) {
        assert_return_code(ep_image_instance_add(&fake, slots[i]), errno);
        cells[i] = ep_image_instance(&fake, slots[i]);
        assert_non_null(cells[i]);
        assert_int_equal(cells[i]->born, 0);
        assert_int_equal((uintptr_t)cells[i] % EP_CELL_BYTES, 0);
        cells[i]->handle = slots[i];
    }
    for (size_t i = 0; i < SLOTS; i++) {
        assert_return_code(ep_image_instance_add(&fake, slots[i]), errno); /* a second time */
        assert_ptr_equal(ep_image_instance(&fake, slots[i]), cells[i]);
        assert_int_equal(cells[i]->handle, slots[i]);
    }
    assert_null(ep_image_instance(&fake, 2048));
}

TEST(instance_cell_of_no_slot_is_null)
{
    assert_return_code(ep_image_instance_add(&fake, 0), errno);
    assert_null(ep_image_instance(&fake, EP_SLOTS));
    assert_null(ep_image_instance(&fake, UINT32_MAX));
}

TEST(every_slot_has_a_cell_of_its_own)
{
    for (uint32_t slot = 0; slot < EP_SLOTS; slot++) {
        assert_return_code(ep_image_instance_add(&fake, slot), errno);
        ep_image_instance(&fake, slot)->handle = slot;
    }
    for (uint32_t slot = 0; slot < EP_SLOTS; slot++)
        if (ep_image_instance(&fake, slot)->handle != slot)
            fail_msg("slot %u has the cell of slot %u", slot,
                     ep_image_instance(&fake, slot)->handle);
}

TEST_BETWEEN(file_is_closed_with_its_image, NULL, NULL)
{
    char path[] = P_tmpdir "/eprof-image-XXXXXX";
    struct ep_image of_file;
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

TEST_EACH(fake_begin, fake_end)
