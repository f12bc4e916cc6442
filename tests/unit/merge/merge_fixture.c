#include "merge_fixture.h"

struct ep_image images[2];

struct ep_merge *merge;

void begin_image(void)
{
    assert_return_code(ep_image_create(&fake), errno);
    fake_reset(OF_NOW);
    memcpy(fake.cells[EP_CELL_SOURCE].source.name, "rdtsc", sizeof "rdtsc");
    fake.cells[EP_CELL_SCALE].scale.scale[0] = (struct ep_scale){1000, 1000};
}

void end_image(int which)
{
    images[which] = fake;
    memset(&fake, 0, sizeof fake);
}

struct eprof_snapshot *add_up(struct ep_snapshot_options options)
{
    merge = merge_two(&images[0], &images[1]);
    return merged_snapshot(merge, options);
}

int merge_end(void **state)
{
    (void)state;
    ep_merge_end(merge);
    merge = NULL;
    for (int i = 0; i < 2; i++)
        ep_image_destroy(&images[i]);
    ep_image_destroy(&fake);
    return 0;
}

void check_names(const struct eprof_snapshot *snapshot, size_t first, size_t end,
                 const char *(*name_of)(const struct eprof_row *), const char *expected)
{
    char names[200] = "";
    for (size_t i = first; i < end; i++) {
        strcat(names, name_of(&snapshot->rows[i]));
        strcat(names, " ");
    }
    assert_string_equal(names, expected);
}

const char *name_of_row(const struct eprof_row *row)
{
    return row->name;
}

const char *thread_of_row(const struct eprof_row *row)
{
    return row->thread;
}
