#include "view_model.h"

/* ---------------------------------------------------------------- before -- */

void model_append_name(char *path, const char *name)
{
    path += strlen(path);
    for (; *name; *path++ = *name++)
        if (*name == ';' || *name == '\\')
            *path++ = '\\';
    *path = '\0';
}

void model_begin(struct model *model, struct eprof_snapshot *snapshot, const struct ep_view *view)
{
    *model = (struct model){.scope_first = snapshot->scope_first,
                            .count = snapshot->diagnostic_first,
                            .top_count = snapshot->top_count,
                            .view = view};
    assert_in_range(model->count, 0, MODEL_MOST);
    for (size_t i = 0; i < model->count; i++) {
        snapshot->rows[i].id = (int)i;
        model->rows[i] = snapshot->rows[i];
        model->is_there[i] = true;
        if (i >= model->scope_first) {
            model->places[i] = snapshot->positions[i - model->scope_first];
            model->is_root[i] = model->places[i].parent == SIZE_MAX;
            if (!model->is_root[i])
                strcat(strcpy(model->paths[i], model->paths[model->places[i].parent]), ";");
        }
        model_append_name(model->paths[i], model->rows[i].name);
    }
    for (size_t i = 0; i < model->top_count; i++)
        model->tops[i] = snapshot->tops[i];
}

/* ------------------------------------------------------------------ order -- */

static bool model_is_by_name(const struct model *model)
{
    return model->view->sort && strcmp(model->view->sort, "name") == 0;
}

static uint64_t model_value(const struct model *model, const struct eprof_row *row, bool is_top)
{
    const char *key = model->view->sort;
    if (!key)
        return is_top ? row->self_ns : row->total_ns;
    if (strcmp(key, "name") == 0)
        return 0;
    if (strcmp(key, "calls") == 0)
        return row->calls;
    if (strcmp(key, "total_ns") == 0)
        return row->total_ns;
    if (strcmp(key, "self") == 0)
        return row->self_ns;
    assert_string_equal(key, "p99_ns");
    return row->p99_ns;
}

/* Returns whether a comes before b, by the requested column, or else by time. */
static bool model_is_before(const struct model *model, const struct eprof_row *a,
                            const struct eprof_row *b, bool is_top)
{
    uint64_t x = model_value(model, a, is_top), y = model_value(model, b, is_top);
    int order = model_is_by_name(model) ? strcmp(a->name, b->name) : 0;
    return x != y ? x > y : order ? order < 0 : a < b;
}

static void model_sort(const struct model *model, const struct eprof_row *rows, size_t *ids,
                       size_t count, bool is_top)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = i;
             j > 0 && model_is_before(model, &rows[ids[j]], &rows[ids[j - 1]], is_top); j--) {
            size_t first = ids[j];
            ids[j] = ids[j - 1];
            ids[j - 1] = first;
        }
}

/* ---- kept rows ---- */

static bool model_is_focus(const struct model *model, size_t row)
{
    char name[MODEL_PATH_BYTES] = "";
    const char *focus = model->view->focus;
    bool is_path = false;
    for (const char *c = focus; *c; c += *c == '\\' ? 2 : 1)
        is_path |= *c == ';';
    model_append_name(name, model->rows[row].name);
    return strcmp(is_path ? model->paths[row] : name, focus) == 0;
}

/* A root is a row that matches the focus, and is not inside another row that does. */
static bool model_focus(struct model *model)
{
    bool is_found = false;
    for (size_t i = 0; i < model->count; i++) {
        size_t root = SIZE_MAX;
        for (size_t up = i; i >= model->scope_first && up != SIZE_MAX;
             up = model->places[up].parent)
            root = model_is_focus(model, up) ? up : root;
        model->is_root[i] = root == i;
        model->is_there[i] &= root != SIZE_MAX;
        is_found |= model->is_there[i];
    }
    return is_found;
}

static bool model_thread(struct model *model)
{
    bool is_found = false;
    for (size_t i = 0; i < model->count; i++) {
        model->is_there[i] = strcmp(model->rows[i].thread, model->view->thread) == 0;
        is_found |= model->is_there[i];
    }
    return is_found;
}

static bool model_matches(const struct model *model, const char *name)
{
    return !model->view->filter || fnmatch(model->view->filter, name, 0) == 0;
}

bool model_is_chosen(const struct model *model, size_t row)
{
    bool is_scope = row >= model->scope_first;
    size_t before = 0;
    for (size_t i = 0; i < model->count; i++)
        before += (i >= model->scope_first) == is_scope && model->is_there[i] &&
                  model_matches(model, model->rows[i].name) &&
                  model_is_before(model, &model->rows[i], &model->rows[row], false);
    return model->is_there[row] && model_matches(model, model->rows[row].name) &&
           (!model->view->top || before < model->view->top);
}

static bool model_choose(struct model *model)
{
    bool is_found = false;
    for (size_t i = 0; i < model->count; i++) {
        if (!model_is_chosen(model, i))
            continue;
        is_found = model->is_kept[i] = true;
        for (size_t up = i; i >= model->scope_first && up != SIZE_MAX && model->is_there[up];
             up = model->places[up].parent)
            model->is_kept[up] = true;
    }
    return is_found;
}

/* ---- rows below the kept ones ---- */

static void model_expect_below(struct model *model, size_t parent, const char *thread)
{
    size_t below[MODEL_MOST], count = 0;
    for (size_t i = model->scope_first; i < model->count; i++)
        if (model->is_kept[i] && model->rows[i].thread == thread &&
            (model->is_root[i] ? SIZE_MAX : model->places[i].parent) == parent)
            below[count++] = i;
    if (model->view->sort || model->view->focus)
        model_sort(model, model->rows, below, count, false);
    for (size_t i = 0; i < count; i++) {
        model->expected[model->expected_count++] = below[i];
        model_expect_below(model, below[i], thread);
    }
}

static void model_expect_instances(struct model *model)
{
    for (size_t i = 0; i < model->scope_first; i++)
        if (model->is_kept[i])
            model->expected[model->expected_count++] = i;
    model->expected_instances = model->expected_count;
    if (model->view->sort || model->view->top)
        model_sort(model, model->rows, model->expected, model->expected_count, false);
}

/* ------------------------------------------------------------------- tops -- */

static uint64_t model_more(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Other tests check mean and deviation. */
static void model_add(struct eprof_row *top, const struct eprof_row *row)
{
    if (row->timed)
        top->min_ns = top->timed && top->min_ns < row->min_ns ? top->min_ns : row->min_ns;
    top->max_ns = model_more(top->max_ns, row->max_ns);
    top->p50_ns = model_more(top->p50_ns, row->p50_ns);
    top->p90_ns = model_more(top->p90_ns, row->p90_ns);
    top->p99_ns = model_more(top->p99_ns, row->p99_ns);
    top->p999_ns = model_more(top->p999_ns, row->p999_ns);
    top->calls += row->calls, top->timed += row->timed;
    top->errors += row->errors, top->open += row->open;
    top->outermost += row->outermost;
    top->total_ns += row->total_ns, top->self_ns += row->self_ns;
}

static void model_add_up_site(struct model *model, uint32_t site, const char *thread)
{
    struct eprof_row *top = &model->tops[model->top_count];
    bool is_found = false;
    for (size_t i = model->scope_first; i < model->count; i++) {
        if (!model->is_there[i] || model->rows[i].thread != thread || model->places[i].site != site)
            continue;
        if (is_found)
            model_add(top, &model->rows[i]);
        else
            *top = model->rows[i];
        is_found = true;
    }
    model->top_count += is_found;
}

/* Sorted by self time, and then by site. */
static void model_add_up_sites(struct model *model, const char *thread)
{
    model->top_count = 0;
    for (uint32_t site = 0; site <= MODEL_MOST; site++)
        model_add_up_site(model, site, thread);
    for (size_t i = 1; i < model->top_count; i++)
        for (size_t j = i; j > 0 && model->tops[j].self_ns > model->tops[j - 1].self_ns; j--) {
            struct eprof_row first = model->tops[j];
            model->tops[j] = model->tops[j - 1];
            model->tops[j - 1] = first;
        }
}

static bool model_has_tree(const struct model *model, const char *thread)
{
    for (size_t i = model->scope_first; i < model->count; i++)
        if (model->is_kept[i] && model->rows[i].thread == thread)
            return true;
    return false;
}

static void model_expect_tops(struct model *model, const char *thread)
{
    const struct ep_view *view = model->view;
    size_t ids[MODEL_MOST], count = 0;
    if (view->focus)
        model_add_up_sites(model, thread);
    for (size_t i = 0; i < model->top_count && model_has_tree(model, thread); i++)
        if (model->tops[i].thread == thread && model_matches(model, model->tops[i].name))
            ids[count++] = i;
    model_sort(model, model->tops, ids, count, true);
    count = view->top && view->top < count ? view->top : count;
    for (size_t i = 0; i < count; i++)
        model->expected_tops[model->expected_top_count++] = model->tops[ids[i]];
}

/* ------------------------------------------------------------------- all -- */

void model_view(struct model *model)
{
    const struct ep_view *view = model->view;
    model->error = ENOENT;
    if ((view->thread && !model_thread(model)) || (view->focus && !model_focus(model)) ||
        (!model_choose(model) && view->filter))
        return;
    model->error = 0;
    model_expect_instances(model);
    const char *thread = NULL;
    for (size_t i = model->scope_first; i < model->count; i++) {
        if (model->rows[i].thread == thread)
            continue;
        thread = model->rows[i].thread;
        model_expect_below(model, SIZE_MAX, thread);
        model_expect_tops(model, thread);
    }
}
