/* The images that `eprof serve` leaves out because they have ended their reader. */
#include "test.h"

#include "serve/serve.h"

static struct ep_serve_result result;
static struct ep_serve_renderer renderer;

static int begin(void **state)
{
    (void)state;
    result = (struct ep_serve_result){.status = 0};
    renderer = (struct ep_serve_renderer){.result = &result};
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(renderer.left_out);
    return 0;
}

static void leave_out(uint64_t first, uint64_t count)
{
    for (uint64_t inode = first; inode < first + count; inode++) {
        result.reading = (struct ep_serve_version){.device = 1, .inode = inode};
        assert_true(ep_serve_renderer_leave_out(&renderer));
    }
}

static bool is_left_out(uint64_t inode)
{
    for (size_t i = 0; i < renderer.left_out_count; i++)
        if (renderer.left_out[i].inode == inode)
            return true;
    return false;
}

TEST(ten_thousand_images_are_left_out)
{
    leave_out(1, 10000);
    assert_int_equal(renderer.left_out_count, 10000);
    for (uint64_t inode = 1; inode <= 10000; inode++)
        if (!is_left_out(inode))
            fail_msg("image %u is read again", (unsigned)inode);
}

TEST(beyond_the_limit_the_oldest_is_read_again)
{
    leave_out(1, EP_SERVE_LEFT_OUT_MOST);
    assert_true(is_left_out(1));
    leave_out(EP_SERVE_LEFT_OUT_MOST + 1, 2);
    assert_int_equal(renderer.left_out_count, EP_SERVE_LEFT_OUT_MOST);
    assert_false(is_left_out(1) || is_left_out(2));
    assert_true(is_left_out(3) && is_left_out(EP_SERVE_LEFT_OUT_MOST + 2));
}

TEST(a_renderer_that_read_no_image_leaves_none_out)
{
    assert_false(ep_serve_renderer_leave_out(&renderer));
    assert_int_equal(renderer.left_out_count, 0);
}

TEST_EACH(begin, end)
