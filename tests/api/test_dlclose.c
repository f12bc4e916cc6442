/*
 * A library is unloaded, and another one is loaded at the same address: its functions are not
 * confused with those that were seen at these addresses.
 */
#include "emulated.h"
#include "function_calls.h"

#include <dlfcn.h>

typedef void plugin_function(void);

enum { OF_ONE = 3, OF_OTHER = 5 };

static void call(plugin_function *function, int times)
{
    for (int i = 0; i < times; i++)
        function();
}

static void *load(const char *path, plugin_function **work)
{
    void *plugin = dlopen(path, RTLD_NOW);
    if (!plugin)
        fail_msg("%s", dlerror());
    *work = __extension__(plugin_function *) dlsym(plugin, "plugin_work");
    assert_non_null(*work);
    return plugin;
}

#if ADDRESSES_ARE_USED_AGAIN
TEST(dlclose_tells_functions_at_one_address_apart)
{
    size_t rows;
    plugin_function *one, *other;
    void *plugin = load(EPROF_TEST_ONE_PLUGIN, &one);
    call(one, OF_ONE);
    assert_int_equal(dlclose(plugin), 0);
    assert_null(dlopen(EPROF_TEST_ONE_PLUGIN, RTLD_NOW | RTLD_NOLOAD));
    plugin = load(EPROF_TEST_OTHER_PLUGIN, &other);
    assert_ptr_equal(one, other); /* otherwise this test proves nothing */
    call(other, OF_OTHER);
    assert_int_equal(function_calls(&rows), OF_ONE + OF_OTHER);
    assert_int_equal(rows, 2);
    assert_int_equal(dlclose(plugin), 0);
}
#endif

TEST(dlclose_knows_a_library_that_is_loaded_again)
{
    size_t rows;
    plugin_function *work;
    eprof_reset();
    for (int i = 0; i < 3; i++) {
        void *plugin = load(EPROF_TEST_ONE_PLUGIN, &work);
        call(work, OF_ONE);
        assert_int_equal(dlclose(plugin), 0);
    }
    assert_int_equal(function_calls(&rows), 3 * OF_ONE);
    assert_int_equal(rows, 1);
}

TEST(dlclose_of_what_stays_loaded_forgets_nothing)
{
    size_t rows;
    plugin_function *work;
    eprof_reset();
    void *plugin = load(EPROF_TEST_ONE_PLUGIN, &work);
    void *again = load(EPROF_TEST_ONE_PLUGIN, &work);
    call(work, OF_ONE);
    assert_int_equal(dlclose(again), 0);
    call(work, OF_ONE);
    assert_int_equal(function_calls(&rows), 2 * OF_ONE);
    assert_int_equal(rows, 1);
    assert_int_equal(dlclose(plugin), 0);
}

/* At once, also if its calls are counted by an edge. Last, since the pattern stays. */
TEST(dlclose_is_no_matter_to_a_function_that_is_left_out)
{
    size_t rows;
    plugin_function *work;
    eprof_reset();
    void *plugin = load(EPROF_TEST_ONE_PLUGIN, &work);
    call(work, OF_ONE);
    assert_int_equal(function_calls(&rows), OF_ONE);
    assert_int_equal(eprof_setup("auto=!plugin_work"), 0);
    call(work, OF_OTHER);
    assert_int_equal(function_calls(&rows), OF_ONE);
    assert_int_equal(dlclose(plugin), 0);
}

int main(void)
{
    return tests_run("dlclose", NULL, NULL);
}
