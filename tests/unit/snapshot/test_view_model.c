/* Views of random snapshots, compared with a model that applies the rules in a simple, slow way. */
#include "view_model.h"

#include "report/walk.h"
#include "snapshot/part.h"
#include "support/random.h"

enum { VIEWS = 20000, SCOPES_MOST = 40, INSTANCES_MOST = 6 };

/* Some names are equal, and one needs escapes. */
static const char *const names[] = {"parse", "parser", "a;b", "\\", "", "x", "y", "read_all"};
enum { NAMES = sizeof names / sizeof names[0] };

static uint64_t below(uint64_t bound)
{
    return random_next() % bound;
}

static const char *any_name(void)
{
    return names[below(NAMES)];
}

/* ----------------------------------------------------------- random trees -- */

static void add_scopes(struct made_tree *tree, size_t count)
{
    uint32_t depth = 0;
    for (size_t i = 0; i < count; i++) {
        struct eprof_row *row = made_scope(tree, depth, any_name(), below(4), below(4) * 10);
        row->line = (unsigned)below(3);
        row->open = below(2);
        depth = (uint32_t)below(depth + 2);
    }
}

static void make_random(struct made_tree *tree, bool by_threads)
{
    static const char first[] = "main", second[] = "worker", third[] = "worker", fourth[] = "w";
    const char *const threads[] = {first, second, third, fourth};
    size_t instances = below(INSTANCES_MOST + 1);
    for (size_t i = 0; i < instances; i++) {
        tree->thread = by_threads ? threads[below(4)] : "*";
        made_instance(tree, even_instance((int)i, any_name(), below(4), below(4)));
    }
    for (size_t i = 0; i < (by_threads ? 4 : 1); i++) {
        tree->thread = by_threads ? threads[i] : "*";
        add_scopes(tree, below(SCOPES_MOST / (by_threads ? 4 : 1)));
    }
    if (below(2))
        made_diagnostics(tree, "lost", 3);
}

/* ----------------------------------------------------------- random views -- */

/* The path or the name of a scope, or a text that matches none. */
static const char *any_focus(const struct model *model, char *focus)
{
    *focus = '\0';
    if (model->count == model->scope_first || below(20) == 0)
        return strcpy(focus, "nobody");
    size_t row = model->scope_first + below(model->count - model->scope_first);
    if (below(2))
        return strcpy(focus, model->paths[row]);
    model_append_name(focus, model->rows[row].name);
    return focus;
}

static struct ep_view any_view(const struct model *model, char *focus)
{
    static const char *const keys[] = {"calls", "total_ns", "self", "p99_ns", "name"};
    static const char *const threads[] = {"main", "worker", "w", "*", "nobody"};
    static const char *const filters[] = {"parse", "pars*", "*a*", "?", "*", "", "nothing"};
    struct ep_view view = {.sort = NULL};
    if (below(2))
        view.sort = keys[below(5)];
    if (below(2))
        view.top = below(8);
    if (below(3) == 0)
        view.thread = threads[below(5)];
    if (below(2))
        view.filter = filters[below(7)];
    if (below(3) == 0)
        view.focus = any_focus(model, focus);
    return view;
}

/* ------------------------------------------------------------ comparisons -- */

static void assert_row(const struct eprof_row *row, const struct eprof_row *expected)
{
    struct eprof_row compared = *row;
    compared.path = expected->path;
    compared.id = expected->id;
    assert_memory_equal(&compared, expected, sizeof compared);
}

static void assert_place(const struct eprof_snapshot *snapshot, const struct model *model,
                         size_t row)
{
    const struct ep_tree_position *place = &snapshot->positions[row - snapshot->scope_first];
    size_t id = model->expected[row], end = row + 1;
    const struct ep_tree_position *before = &model->places[id];
    assert_int_equal(place->site, before->site);
    assert_int_equal(place->mark.is_ambiguous, before->mark.is_ambiguous);
    assert_int_equal(place->is_around, !model_is_chosen(model, id));
    if (model->is_root[id]) {
        assert_int_equal(place->parent, SIZE_MAX);
        assert_int_equal(place->depth, 0);
    } else {
        assert_in_range(place->parent, snapshot->scope_first, row - 1);
        assert_int_equal(model->expected[place->parent], before->parent);
        assert_int_equal(place->depth,
                         snapshot->positions[place->parent - snapshot->scope_first].depth + 1);
    }
    while (end < snapshot->diagnostic_first &&
           snapshot->positions[end - snapshot->scope_first].depth > place->depth)
        end++;
    assert_int_equal(place->end, end);
}

static void assert_rows(struct eprof_snapshot *snapshot, const struct model *model)
{
    struct ep_report_path path = {.text = NULL};
    assert_int_equal(snapshot->scope_first, model->expected_instances);
    assert_int_equal(snapshot->diagnostic_first, model->expected_count);
    for (size_t row = 0; row < model->expected_count; row++) {
        size_t id = model->expected[row];
        assert_int_equal(snapshot->rows[row].id, id);
        assert_row(&snapshot->rows[row], &model->rows[id]);
        if (row < snapshot->scope_first)
            continue;
        assert_place(snapshot, model, row);
        assert_string_equal(ep_report_walk_path_of(&path, snapshot, row), model->paths[id]);
    }
    for (size_t row = model->expected_count; row-- > model->expected_instances;)
        assert_string_equal(ep_rows_path(snapshot, row), model->paths[model->expected[row]]);
    ep_report_walk_path_free(&path);
}

static void assert_tops(const struct eprof_snapshot *snapshot, const struct model *model)
{
    assert_int_equal(snapshot->top_count, model->expected_top_count);
    for (size_t i = 0; i < snapshot->top_count; i++) {
        struct eprof_row expected = model->expected_tops[i];
        assert_null(snapshot->tops[i].path);
        if (model->view->focus) { /* other tests check these figures */
            expected.mean_ns = snapshot->tops[i].mean_ns;
            expected.stddev_ns = snapshot->tops[i].stddev_ns;
        }
        assert_row(&snapshot->tops[i], &expected);
    }
}

/* Shares are relative to the rows that are left by thread and focus. */
static void assert_wholes(const struct eprof_snapshot *snapshot, const struct model *model)
{
    struct ep_part part = {.end = snapshot->scope_first};
    while (ep_rows_part_next(snapshot, &part)) {
        struct ep_whole whole = ep_rows_part_whole(snapshot, &part);
        const char *thread = snapshot->rows[part.first].thread;
        uint64_t total_ns = 0, self_ns = 0;
        size_t places = 0;
        for (size_t i = model->scope_first; i < model->count; i++) {
            if (!model->is_there[i] || model->rows[i].thread != thread)
                continue;
            places++;
            total_ns += model->is_root[i] ? model->rows[i].total_ns : 0;
            self_ns += model->rows[i].self_ns;
        }
        assert_ptr_equal(whole.thread, thread);
        assert_int_equal(whole.positions, places);
        assert_int_equal(whole.total_ns, total_ns);
        assert_int_equal(whole.self_ns, self_ns);
    }
    assert_int_equal(part.top_end, snapshot->top_count);
}

static void assert_view(bool by_threads)
{
    static struct model model;
    char focus[MODEL_PATH_BYTES];
    const char *why = NULL;
    struct made_tree tree = {.rows = NULL};
    make_random(&tree, by_threads);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    model_begin(&model, snapshot, NULL);
    struct ep_view view = any_view(&model, focus);
    model.view = &view;
    model_view(&model);
    size_t diagnostics = snapshot->row_count - snapshot->diagnostic_first;
    errno = 0;
    int result = ep_view_apply(snapshot, &view, &why);
    assert_int_equal(result, model.error ? -1 : 0);
    if (result == 0) {
        assert_rows(snapshot, &model);
        assert_tops(snapshot, &model);
        assert_wholes(snapshot, &model);
        assert_int_equal(snapshot->row_count - snapshot->diagnostic_first, diagnostics);
        for (size_t i = snapshot->diagnostic_first; i < snapshot->row_count; i++)
            assert_string_equal(snapshot->rows[i].name, "lost");
    } else {
        assert_int_equal(errno, model.error);
        assert_non_null(why);
    }
    model.view = NULL;
    test_release();
}

TEST(view_of_one_tree_is_as_the_model)
{
    for (int i = 0; i < VIEWS; i++)
        assert_view(false);
}

TEST(view_by_threads_is_as_the_model)
{
    for (int i = 0; i < VIEWS; i++)
        assert_view(true);
}
