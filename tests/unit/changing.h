/*
 * changing.h - an image made by hand that changes while it is copied: at which reading, the test
 * says
 */
#ifndef CHANGING_H
#define CHANGING_H

#include "fake_profile.h"

#include <stdlib.h>

#include "image_check.h"
#include "image_copy.h"

static struct fake_profile made;
static struct ep_image copy;

/* Called before each reading, with how many there were before it. */
static void (*before_reading)(unsigned number, ep_ref first, uint32_t count);
static unsigned readings;

static inline int read_fake(void *context, ep_ref first, uint32_t count, union ep_cell *cells)
{
    (void)context;
    if (before_reading)
        before_reading(readings, first, count);
    readings++;
    memcpy(cells, &fake.cells[first], (size_t)count * EP_CELL_BYTES);
    return 0;
}

static struct ep_image_origin origin = {.read = read_fake};

static inline int begin(void **state)
{
    int result = fake_begin(state);
    made = fake_profile();
    before_reading = NULL;
    readings = 0;
    origin.writer = EP_WRITER_OTHER;
    return result;
}

static inline int end(void **state)
{
    ep_image_destroy(&copy);
    return fake_end(state);
}

static inline uint32_t count(void)
{
    return ep_image_root(&fake)->cells_used;
}

static inline uint32_t *changes(void)
{
    return &fake.cells[EP_CELL_LOCK].lock.changes;
}

static inline void take(void)
{
    assert_return_code(ep_image_copy_take(&copy, &origin, count()), errno);
}

/* From now on before_reading counts anew. */
static inline void settle(void (*hook)(unsigned, ep_ref, uint32_t))
{
    readings = 0;
    before_reading = hook;
    assert_return_code(ep_image_copy_settle(&copy, &origin), errno);
    before_reading = NULL;
    int error;
    const char *fault = ep_image_check(&copy, &error);
    if (fault)
        fail_msg("the copy is not sound: %s", fault);
}

static inline void *in_copy(const void *cell)
{
    return &copy.cells[fake_ref(cell)];
}

static inline const struct ep_node_cell *copied_node(const struct ep_node_cell *node)
{
    return in_copy(node);
}

static inline bool is_reading(const void *cell, ep_ref first)
{
    return fake_ref(cell) == first;
}

#endif /* CHANGING_H */
