#include "made_snapshot.h"

/* Nothing is known of the run of the process. */
static const struct ep_run no_run = {
    .wall_ns = EPROF_UNKNOWN, .cpu_ns = EPROF_UNKNOWN, .overhead_ns = EPROF_UNKNOWN};

/* --------------------------------------------------------------- instances -- */

struct eprof_row instance(int id, const char *name)
{
    struct eprof_row row = {.size = sizeof(struct eprof_row),
                            .kind = "instance",
                            .name = name,
                            .path = name,
                            .thread = "*",
                            .file = "",
                            .id = id,
                            .cpu_ns = EPROF_UNKNOWN,
                            .wait_ns = EPROF_UNKNOWN,
                            .per_second = EPROF_UNKNOWN,
                            .unit = "ns"};
    ep_rows_without_processes(&row);
    return row;
}

struct eprof_row even_instance(int id, const char *name, uint64_t calls, uint64_t each_ns)
{
    struct eprof_row row = instance(id, name);
    row.calls = row.timed = row.outermost = calls;
    row.total_ns = row.self_ns = calls * each_ns;
    row.mean_ns = row.min_ns = row.p50_ns = row.p90_ns = each_ns;
    row.p99_ns = row.p999_ns = row.max_ns = each_ns;
    return row;
}

struct eprof_row diagnostics(const char *name, uint64_t count)
{
    struct eprof_row row = instance(-1, name);
    row.kind = "diagnostic";
    row.calls = count;
    return row;
}

/* As many calls below each bound as its percentiles say. */
static struct ep_ladder *made_ladder(const struct eprof_row *row)
{
    struct ep_ladder *ladder = test_room(1, sizeof *ladder);
    uint64_t calls = row->timed;
    const struct {
        uint64_t time_ns, calls;
    } known[] = {{row->min_ns, calls > 0},
                 {row->p50_ns, calls - calls / 2},
                 {row->p90_ns, calls - calls / 10},
                 {row->p99_ns, calls - calls / 100},
                 {row->p999_ns, calls - calls / 1000},
                 {row->max_ns, calls}};
    for (unsigned bound = 0; bound < EP_LADDER_BOUNDS; bound++) {
        ladder->calls[bound] = 0;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (known[i].time_ns <= ep_ladder_bound_ns(bound))
                ladder->calls[bound] = known[i].calls;
    }
    return ladder;
}

void make(struct made *made, size_t instances, size_t diagnostics)
{
    memset(made->instance_slots, 0, sizeof made->instance_slots);
    for (size_t i = 0; i < instances; i++)
        made->instance_slots[i].ladder = made_ladder(&made->rows[i]);
    made->snapshot = (struct eprof_snapshot){.rows = made->rows,
                                             .run = no_run,
                                             .instance_slots = made->instance_slots,
                                             .row_count = instances + diagnostics,
                                             .scope_first = instances,
                                             .diagnostic_first = instances,
                                             .unit = "ns",
                                             .source = "rdtsc",
                                             .ticks_per_us = 2300,
                                             .resolution_ns = 0.87,
                                             .pair_ns = 21.26,
                                             .inside_ns = 10.43};
}

void make_empty(struct made *made)
{
    make(made, 0, 0);
}

void make_contract(struct made *made)
{
    made->rows[0] = even_instance(0, "func1", 1, UINT64_C(10018200000));
    made->rows[1] = even_instance(1, "func2", 10, UINT64_C(501894000));
    make(made, 2, 0);
}

void make_mixed(struct made *made)
{
    struct eprof_row parse = instance(0, "parse");
    parse.calls = parse.outermost = 120000, parse.timed = 119998, parse.errors = 2;
    parse.total_ns = parse.self_ns = 147597540;
    parse.mean_ns = 1230, parse.stddev_ns = 318;
    parse.min_ns = 812, parse.p50_ns = 1184, parse.p90_ns = 1568, parse.p99_ns = 2432;
    parse.p999_ns = 7936, parse.max_ns = 48213;
    struct eprof_row query = instance(1, "query database");
    query.calls = 250, query.timed = query.outermost = 200, query.open = 1;
    query.total_ns = query.self_ns = UINT64_C(3041718000);
    query.mean_ns = 15208590, query.stddev_ns = 2914003;
    query.min_ns = 9995000, query.p50_ns = 14680064, query.p90_ns = 18874368;
    query.p99_ns = 27262976, query.p999_ns = 30408704, query.max_ns = 31002118;
    struct eprof_row waiting = instance(12, "wait");
    waiting.open = 3;
    made->rows[0] = parse;
    made->rows[1] = query;
    made->rows[2] = waiting;
    made->rows[3] = diagnostics("unbalanced", 3);
    made->rows[4] = diagnostics("clock", 2);
    made->rows[5] = diagnostics("items_not_understood", 1);
    make(made, 3, 3);
}

void make_figures(struct made *made)
{
    struct eprof_row row = instance(0, "a");
    row.file = "a.c", row.line = 17;
    row.calls = 1, row.timed = 2, row.errors = 3, row.open = 4, row.total_ns = 5, row.self_ns = 6;
    row.mean_ns = 7, row.stddev_ns = 8, row.min_ns = 9, row.p50_ns = 10, row.p90_ns = 11;
    row.p99_ns = 12, row.p999_ns = 13, row.max_ns = UINT64_MAX;
    row.outermost = 14, row.estimated = 1, row.mean_error_ns = 15, row.total_error_ns = 16;
    row.cpu_ns = 17, row.wait_ns = 18, row.unit = "a, b", row.per_second = 19;
    row.processes = 20, row.process_min_ns = 21, row.process_mean_ns = 22;
    row.process_max_ns = 23, row.process_slowest = 24, row.imbalance_millionths = 1025000;
    made->rows[0] = row;
    make(made, 1, 0);
}

void make_threads(struct made *made)
{
    static const char *const threads[] = {"main", "thread 1", "gr\xC3\xBC\xC3\x9F"};
    for (int i = 0; i < 3; i++) {
        made->rows[i] = even_instance(0, "parse", 100 + (uint64_t)i, 512 + 32 * (uint64_t)i);
        made->rows[i].thread = threads[i];
    }
    make(made, 3, 0);
    made->snapshot.options.threads = true;
}

void make_ticks(struct made *made)
{
    make_mixed(made);
    made->snapshot.options.ticks = true;
    made->snapshot.unit = "ticks";
}

void make_raw(struct made *made)
{
    make_mixed(made);
    made->snapshot.options.raw = true;
}

void make_hostile(struct made *made)
{
    static const char *const names[] = {
        "",
        "say \"hi\", twice; \\o/",
        "two\nlines\r\tand a tab",
        "\033[2J\033[31mred\xC2\x9Bm",
        "\xFF\xC3(\xED\xA0\x80 cut \xE2\x82",
        "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80",
    };
    enum { NAMES = sizeof names / sizeof names[0] };
    for (int i = 0; i < NAMES; i++) {
        made->rows[i] = even_instance(i, names[i], 1, 1000);
        made->rows[i].thread = names[NAMES - 1 - i];
    }
    made->rows[1].path = "say \"hi\", twice\\; \\\\o/"; /* escaped by the snapshot */
    made->rows[NAMES] = diagnostics("\033\"new\",\xFF\n", 7);
    make(made, NAMES, 1);
    made->snapshot.options.threads = true;
    made->snapshot.source = "my \"clock\"\n\xFF";
}

/* ------------------------------------------------------- reports in memory -- */

char *reported(const struct eprof_snapshot *snapshot, const char *format)
{
    struct ep_snapshot_options options;
    const struct ep_report *report = ep_report_find(format, strlen(format), &options);
    assert_non_null(report);
    struct test_text text;
    assert_return_code(ep_report_write(report, snapshot, test_text_begin(&text)), errno);
    return test_text_end(&text);
}

char *reported_image(const struct ep_image *image, const char *format)
{
    struct ep_snapshot_options options;
    assert_non_null(ep_report_find(format, strlen(format), &options));
    return reported(snapshot_keep(ep_snapshot_take_stored(image, options)), format);
}

char *golden_in(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    if (!stream)
        fail_msg("%s: %s", path, strerror(errno));
    enum { LARGEST = 1 << 16 };
    char *text = test_room(1, LARGEST);
    assert_in_range(fread(text, 1, LARGEST, stream), 1, LARGEST - 1);
    fclose(stream);
    return text;
}

void assert_golden(void (*make_one)(struct made *made), const char *format, const char *file)
{
    struct made made;
    make_one(&made);
    assert_string_equal(reported(&made.snapshot, format), golden(file));
}

char *line_of(const char *text, int number)
{
    while (number-- > 0)
        text = strchr(text, '\n') + 1;
    return test_keep(strndup(text, strcspn(text, "\n")), free);
}

void assert_line_begins(const char *text, int number, const char *beginning)
{
    char *line = line_of(text, number);
    assert_non_null(line);
    if (strncmp(line, beginning, strlen(beginning)) != 0)
        assert_string_equal(line, beginning);
}

void assert_text_has(const char *text, const char *expected)
{
    if (!strstr(text, expected))
        assert_string_equal(text, expected);
}

void assert_text_has_not(const char *text, const char *unwanted)
{
    const char *found = strstr(text, unwanted);
    if (found)
        fail_msg("there is %.200s", found);
}

size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        count++;
    return count;
}

bool has_line(const char *text, const char *expected)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strncmp(line, expected, strlen(expected)) == 0 && line[strlen(expected)] == '\n')
            return true;
    return false;
}

static struct eprof_row *made_add(struct made_tree *tree, struct eprof_row row)
{
    if (tree->count == tree->room) {
        tree->room = 2 * tree->room + 64;
        struct eprof_row *rows = test_room(tree->room, sizeof *rows);
        struct ep_tree_position *places = test_room(tree->room, sizeof *places);
        if (tree->count > 0) {
            memcpy(rows, tree->rows, tree->count * sizeof *rows);
            memcpy(places, tree->places, tree->count * sizeof *places);
        }
        tree->rows = rows;
        tree->places = places;
    }
    if (!tree->thread)
        tree->thread = "*";
    row.thread = tree->thread;
    tree->rows[tree->count] = row;
    return &tree->rows[tree->count++];
}

void made_instance(struct made_tree *tree, struct eprof_row row)
{
    made_add(tree, row);
    tree->instances++;
}

struct eprof_row *made_scope(struct made_tree *tree, uint32_t depth, const char *name,
                             uint64_t calls, uint64_t self_ns)
{
    struct eprof_row *row = made_add(tree, instance(-1, name));
    row->kind = "scope";
    row->path = NULL;
    row->file = "src/made.c";
    row->line = 1;
    row->calls = row->timed = row->outermost = calls;
    row->self_ns = self_ns;
    tree->places[tree->count - 1 - tree->instances] = (struct ep_tree_position){.depth = depth};
    return row;
}

struct eprof_row *made_function(struct made_tree *tree, uint32_t depth, const char *name,
                                uint64_t calls, uint64_t self_ns)
{
    struct eprof_row *row = made_scope(tree, depth, name, calls, self_ns);
    row->kind = "function";
    return row;
}

void made_diagnostics(struct made_tree *tree, const char *name, uint64_t count)
{
    made_add(tree, diagnostics(name, count));
    tree->diagnostics++;
}

static void made_find_parents(struct made_tree *tree, size_t scopes)
{
    size_t deepest = 0, first = tree->instances;
    for (size_t i = 0; i < scopes; i++)
        deepest = tree->places[i].depth > deepest ? tree->places[i].depth : deepest;
    size_t *latest = test_room(deepest + 1, sizeof *latest);
    latest[0] = SIZE_MAX;
    for (size_t i = 0; i < scopes; i++) {
        struct ep_tree_position *place = &tree->places[i];
        *place = (struct ep_tree_position){
            .depth = place->depth, .parent = latest[place->depth], .end = first + i + 1};
        latest[place->depth + 1] = first + i;
    }
}

static void made_fill(struct eprof_row *row)
{
    if (row->timed == 0)
        return;
    row->mean_ns = row->total_ns / row->timed;
    row->min_ns = row->mean_ns / 2;
    row->p50_ns = row->mean_ns;
    row->p90_ns = row->p99_ns = row->mean_ns * 2;
    row->p999_ns = row->max_ns = row->mean_ns * 3;
}

static void made_add_up(struct made_tree *tree, size_t scopes)
{
    size_t first = tree->instances;
    for (size_t i = scopes; i-- > 0;) {
        struct eprof_row *row = &tree->rows[first + i];
        size_t parent = tree->places[i].parent;
        row->total_ns += row->self_ns;
        made_fill(row);
        if (parent == SIZE_MAX)
            continue;
        tree->rows[parent].total_ns += row->total_ns;
        if (tree->places[parent - first].end < tree->places[i].end)
            tree->places[parent - first].end = tree->places[i].end;
    }
}

static bool made_is_one_site(const struct eprof_row *a, const struct eprof_row *b)
{
    return a->line == b->line && a->thread == b->thread && strcmp(a->name, b->name) == 0 &&
           strcmp(a->file, b->file) == 0;
}

static bool made_has_namesake(const struct made_tree *tree, const struct eprof_row *row)
{
    for (size_t i = 0; i < tree->top_count; i++)
        if (strcmp(tree->tops[i].name, row->name) == 0 &&
            (tree->tops[i].line != row->line || strcmp(tree->tops[i].file, row->file) != 0))
            return true;
    return false;
}

/* It compares only the tops of one thread, so the order for qsort() needs nothing else. */
static int made_by_self(const void *a, const void *b)
{
    const struct eprof_row *x = a, *y = b;
    return x->thread != y->thread ? 0 : (x->self_ns < y->self_ns) - (x->self_ns > y->self_ns);
}

static void made_find_tops(struct made_tree *tree, size_t scopes)
{
    struct eprof_row *rows = &tree->rows[tree->instances];
    tree->top_count = 0;
    tree->tops = test_room(scopes, sizeof *tree->tops);
    tree->top_marks = test_room(scopes, sizeof *tree->top_marks);
    for (size_t i = 0; i < scopes; i++) {
        size_t t = 0;
        while (t < tree->top_count && !made_is_one_site(&tree->tops[t], &rows[i]))
            t++;
        tree->places[i].site = (uint32_t)t + 1;
        if (t == tree->top_count) {
            tree->tops[tree->top_count++] = rows[i];
            continue;
        }
        tree->tops[t].calls += rows[i].calls;
        tree->tops[t].outermost += rows[i].outermost;
        tree->tops[t].estimated |= rows[i].estimated;
        tree->tops[t].self_ns += rows[i].self_ns;
        tree->tops[t].total_ns += rows[i].total_ns;
    }
    qsort(tree->tops, tree->top_count, sizeof *tree->tops, made_by_self);
    for (size_t t = 0; t < tree->top_count; t++)
        tree->top_marks[t].is_ambiguous = made_has_namesake(tree, &tree->tops[t]);
    /* a million rows have few names in common, so rows of one name are not told apart there */
    for (size_t i = 0; i < scopes && scopes < 1000; i++)
        tree->places[i].mark.is_ambiguous = made_has_namesake(tree, &rows[i]);
    for (size_t i = 0; i < scopes; i++)
        tree->places[i].mark.uncounted = rows[i].open;
}

static void made_release(void *memory)
{
    struct eprof_snapshot *snapshot = memory;
    free(snapshot->wholes);
    ep_memory_free(&snapshot->strings);
    free(snapshot);
}

struct eprof_snapshot *made_snapshot(struct made_tree *tree)
{
    size_t scopes = tree->count - tree->instances - tree->diagnostics;
    made_find_parents(tree, scopes);
    made_add_up(tree, scopes);
    made_find_tops(tree, scopes);
    for (size_t i = 0; i < scopes && scopes < 1000; i++)
        tree->places[i].ladder = made_ladder(&tree->rows[tree->instances + i]);
    struct ep_instance_slot *slots = test_room(tree->instances, sizeof *slots);
    for (size_t i = 0; i < tree->instances; i++)
        slots[i].ladder = made_ladder(&tree->rows[i]);
    tree->snapshot = test_keep(malloc(sizeof *tree->snapshot), made_release);
    *tree->snapshot = (struct eprof_snapshot){.run = no_run,
                                              .rows = tree->rows,
                                              .instance_slots = slots,
                                              .row_count = tree->count,
                                              .scope_first = tree->instances,
                                              .diagnostic_first = tree->instances + scopes,
                                              .positions = tree->places,
                                              .tops = tree->tops,
                                              .top_count = tree->top_count,
                                              .top_marks = tree->top_marks,
                                              .unit = "ns",
                                              .source = "rdtsc",
                                              .ticks_per_us = 2300,
                                              .resolution_ns = 0.87,
                                              .pair_ns = 21.26,
                                              .inside_ns = 10.43};
    return tree->snapshot;
}

void make_server_tree(struct made_tree *tree)
{
    made_scope(tree, 0, "main", 0, 2 * MS)->open = 1;
    made_scope(tree, 1, "serve", 1, 31 * MS);
    made_scope(tree, 2, "handle_request", 2000, 40 * MS);
    made_scope(tree, 3, "render", 1990, 210 * MS);
    made_scope(tree, 4, "escape", 51740, 90 * MS);
    made_scope(tree, 4, "lookup", 4100, 12 * MS)->line = 77;
    made_scope(tree, 3, "query", 2010, 180 * MS)->errors = 1;
    made_scope(tree, 4, "lookup", 2010, 35 * MS);
    made_scope(tree, 3, "parse_headers", 2000, 22 * MS);
    made_scope(tree, 3, "log", 2000, 700 * US);
    made_scope(tree, 4, "format_time", 2000, 300 * US);
    made_scope(tree, 3, "free_request", 2000, 90 * US);
    made_scope(tree, 2, "accept", 2000, 9 * MS);
    made_scope(tree, 1, "read_configuration", 1, 3200 * US);
    made_scope(tree, 2, "parse_line", 412, 1100 * US);
    made_diagnostics(tree, "unbalanced", 3);
    made_diagnostics(tree, "out_of_cells", 1);
}

void make_shapes(struct made_tree *tree)
{
    static const char *const fan[] = {"f00", "f01", "f02", "f03", "f04", "f05", "f06", "f07",
                                      "f08", "f09", "f10", "f11", "f12", "f13", "f14", "f15",
                                      "f16", "f17", "f18", "f19", "f20", "f21", "f22", "f23"};
    made_scope(tree, 0, "main", 1, 20 * MS);
    for (uint32_t depth = 1; depth <= 5000; depth++)
        made_scope(tree, depth, "descend", 1, 0);
    made_scope(tree, 5001, "bottom", 1, 400 * MS);
    made_scope(tree, 1, "fan", 1, 5 * MS);
    for (size_t i = 0; i < sizeof fan / sizeof fan[0]; i++)
        made_scope(tree, 2, fan[i], 1, (24 - i) * MS);
    made_scope(tree, 1,
               "std::vector<std::pair<int, std::string>>::emplace_back(int&&, char const*&)", 9,
               50 * MS);
    made_scope(tree, 2, "\xE6\x96\x87\xE5\xAD\x97\xE5\x88\x97\xE3\x82\x92\xE8\xAA\xAD\xE3\x82\x80",
               9, 20 * MS);
    for (uint32_t depth = 1; depth <= 30; depth++)
        made_scope(tree, depth, "recurse_into", 1, 6 * MS);
}

void make_thread_trees(struct made_tree *tree)
{
    static const char first[] = "worker", second[] = "worker", hostile[] = "\033]0;owned\007";
    tree->thread = "main";
    made_scope(tree, 0, "main", 1, 5 * MS);
    made_scope(tree, 1, "wait", 3, 300 * MS);
    tree->thread = first;
    made_scope(tree, 0, "work", 70, 90 * MS);
    made_scope(tree, 1, "fetch", 70, 10 * MS);
    tree->thread = second;
    made_scope(tree, 0, "work", 80, 110 * MS);
    tree->thread = hostile;
    made_scope(tree, 0, "work", 1, 1 * MS);
}

void make_both(struct made_tree *tree)
{
    made_instance(tree, even_instance(0, "func1", 1, UINT64_C(10018200000)));
    made_instance(tree, even_instance(1, "func2", 10, UINT64_C(501894000)));
    made_scope(tree, 0, "main", 1, 100 * MS);
    made_scope(tree, 1, "f", 3, 50 * MS);
    made_scope(tree, 1, "f", 4, 20 * MS)->line = 2;
    struct eprof_row *other = made_scope(tree, 0, "(other)", 1234, 10 * MS);
    other->file = "";
    other->line = 0;
    made_diagnostics(tree, "unbalanced", 1);
}

void make_hostile_tree(struct made_tree *tree)
{
    made_scope(tree, 0, "\033[2J\033[31mred\xC2\x9Bm", 1, 100 * US)->file = "a/\033[0m.c";
    made_scope(tree, 1, "\033[2J\033[31mred\xC2\x9Bm", 1, 90 * US)->line = 9;
    made_scope(tree, 1, "two\nlines\r", 1, 80 * US);
    made_scope(tree, 1, "\xE2\x80\xAEtxet desrever\xE2\x81\xA9\xD8\x9C", 1, 70 * US);
    made_scope(tree, 1, "no\xE2\x80\x8Bthing\xEF\xBB\xBF", 1, 60 * US);
    made_scope(tree, 1,
               "line\xE2\x80\xA8"
               "end",
               1, 50 * US);
    made_scope(tree, 1, "\xFF\xC3(\xED\xA0\x80 cut \xE2\x82", 1, 40 * US);
    made_scope(tree, 1, "e\xCC\x81t\xC3\xA9 \xE6\x96\x87\xE5\xAD\x97 \xF0\x9F\x98\x80", 1, 30 * US);
    made_scope(tree, 1, "say \"hi\"; 50%, \\o/", 1, 20 * US);
    made_scope(tree, 1, "", 1, 10 * US);
}

char *reported_tree(struct made_tree *tree, const char *format)
{
    struct eprof_snapshot *snapshot = made_snapshot(tree);
    assert_non_null(ep_report_find(format, strlen(format), &snapshot->options));
    return reported(snapshot, format);
}

void assert_golden_tree(void (*make_one)(struct made_tree *tree), const char *format,
                        const char *file)
{
    struct made_tree tree = {.rows = NULL};
    make_one(&tree);
    assert_string_equal(reported_tree(&tree, format), golden(file));
}
