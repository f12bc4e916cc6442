#include "changing.h"

struct ep_image copy;

void (*before_reading)(unsigned number, ep_ref first, uint32_t count);

unsigned readings;

int read_fake(void *context, ep_ref first, uint32_t count, union ep_cell *cells)
{
    (void)context;
    if (before_reading)
        before_reading(readings, first, count);
    readings++;
    memcpy(cells, &fake.cells[first], (size_t)count * EP_CELL_BYTES);
    return 0;
}

struct ep_image_origin origin = {.read = read_fake};

int changing_begin(void **state)
{
    int result = fake_begin(state);
    fake_profile();
    before_reading = NULL;
    readings = 0;
    origin.writer = EP_WRITER_OTHER;
    return result;
}

int changing_end(void **state)
{
    ep_image_destroy(&copy);
    return fake_end(state);
}

uint32_t count(void)
{
    return ep_image_root(&fake)->cells_used;
}

uint32_t *changes(void)
{
    return &fake.cells[EP_CELL_LOCK].lock.changes;
}

void take(void)
{
    assert_return_code(ep_image_copy_take(&copy, &origin, count()), errno);
}

void reread(void (*hook)(unsigned, ep_ref, uint32_t))
{
    readings = 0;
    before_reading = hook;
    assert_return_code(ep_image_reread(&copy, &origin), errno);
    before_reading = NULL;
    int error;
    const char *fault = ep_image_check(&copy, &error);
    if (fault)
        fail_msg("the copy is not sound: %s", fault);
}

void *in_copy(const void *cell)
{
    return &copy.cells[fake_ref(cell)];
}

const struct ep_node_cell *copied_node(const struct ep_node_cell *node)
{
    return in_copy(node);
}

bool is_reading(const void *cell, ep_ref first)
{
    return fake_ref(cell) == first;
}
