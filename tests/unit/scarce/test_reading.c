/* Reading, adding up, comparing and viewing profiles, while memory is refused. */
#include "scarce.h"

#include "base/helper.h"
#include "base/platform.h"
#include "diff/diff.h"
#include "diff/match.h"
#include "image/names.h"
#include "image/read.h"
#include "merge/merge.h"
#include "report/report.h"
#include "report_diff/report.h"
#include "snapshot/flame.h"
#include "snapshot/making.h"
#include "snapshot/monotonic.h"
#include "snapshot/series.h"
#include "snapshot/view.h"
#include "support/test.h"

static const char *const golden[] = {EPROF_GOLDEN_DIR "/image-1.eprof",
                                     EPROF_GOLDEN_DIR "/image-2.eprof"};
enum { SCOPES, FUNCTIONS, IMAGES };

static struct ep_image images[IMAGES];

static int read_image(struct ep_image *image, int which)
{
    struct ep_image_file_state state;
    const char *why;
    return ep_image_read(golden[which], image, &state, &why);
}

static int begin(void **state)
{
    (void)state;
    for (int i = 0; i < IMAGES; i++)
        if (read_image(&images[i], i) != 0)
            return -1;
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int i = 0; i < IMAGES; i++)
        ep_image_destroy(&images[i]);
    return 0;
}

/* ---- a snapshot, its rows and paths ---- */

/* Takes the snapshot. The test does not check that the text of a report is complete: reports write
 * their text step by step. */
static int write_rows(FILE *out, struct eprof_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->row_count; i++) {
        const struct eprof_row *row = &snapshot->rows[i];
        const char *path = ep_rows_path(snapshot, i);
        if (!path)
            return -1;
        fprintf(out, "%s %s %s %llu %llu %llu\n", row->kind, path, row->thread,
                (unsigned long long)row->calls, (unsigned long long)row->total_ns,
                (unsigned long long)row->self_ns);
    }
    for (size_t i = 0; i < snapshot->top_count; i++)
        fprintf(out, "top %s %llu\n", snapshot->tops[i].name,
                (unsigned long long)snapshot->tops[i].self_ns);
    return 0;
}

static int write_freed(FILE *out, struct eprof_snapshot *snapshot)
{
    int result = snapshot ? write_rows(out, snapshot) : -1;
    int error = errno;
    ep_snapshot_free(snapshot);
    errno = error;
    return result;
}

static struct ep_snapshot_options options;

static int take(FILE *out)
{
    for (int i = 0; i < IMAGES; i++)
        if (write_freed(out, ep_snapshot_take_stored(&images[i], options)) != 0)
            return -1;
    return 0;
}

TEST(snapshot_is_whole_or_none)
{
    const struct ep_snapshot_options all[] = {{.raw = false},
                                              {.threads = true},
                                              {.raw = true, .ticks = true},
                                              {.both = true, .sparklines = true}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        options = all[i];
        scarce_try(take);
    }
}

static int read_file(FILE *out)
{
    struct ep_image image;
    struct ep_image_file_state file;
    const char *why;
    for (int i = 0; i < IMAGES; i++) {
        if (ep_image_read(golden[i], &image, &file, &why) != 0)
            return strcmp(why, strerror(ENOMEM)) == 0 ? -1 : 0;
        fprintf(out, "%u cells\n", ep_image_root(&image)->cells_used);
        ep_image_destroy(&image);
    }
    return 0;
}

TEST(file_is_read_whole_or_not)
{
    scarce_try(read_file);
}

/* ---- a view of it ---- */

static struct ep_view view;

static int look(FILE *out)
{
    struct eprof_snapshot *snapshot = ep_snapshot_take_stored(&images[SCOPES], options);
    const char *why;
    if (!snapshot)
        return -1;
    if (ep_view_apply(snapshot, &view, &why) != 0) {
        int error = errno;
        if (error == ENOMEM && strcmp(why, strerror(ENOMEM)) != 0)
            fprintf(out, "%s\n", why);
        if (error != ENOMEM) { /* this is the expected message */
            fprintf(out, "%s\n", why);
            error = 0;
        }
        ep_snapshot_free(snapshot);
        errno = error;
        return error ? -1 : 0;
    }
    return write_freed(out, snapshot);
}

TEST(view_is_whole_or_none)
{
    static const struct ep_view views[] = {{.sort = "self"},
                                           {.sort = "name", .top = 2},
                                           {.top = 3},
                                           {.filter = "re*"},
                                           {.focus = "work;read_file"},
                                           {.focus = "read_file", .top = 1},
                                           {.thread = "main"},
                                           {.filter = "no such scope"},
                                           {.focus = "no such scope"},
                                           {.thread = "no such thread"},
                                           {.sort = "no such column"}};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        view = views[i];
        options = (struct ep_snapshot_options){
            .threads = view.thread != NULL, .both = !view.thread, .sparklines = true};
        scarce_try(look);
    }
}

/* ---- sums ---- */

static bool is_raw, is_placeless;

static int add_up(FILE *out)
{
    struct ep_merge *merge = ep_merge_begin(is_raw);
    const struct ep_image *sum = NULL;
    int result = merge ? 0 : -1;
    if (merge && is_placeless)
        ep_merge_ignore_locations(merge);
    for (int i = 0; i < IMAGES && merge; i++)
        ep_merge_inspect(merge, images[i].cells);
    for (int i = 0; i < IMAGES && result == 0; i++)
        result = ep_merge_add(merge, &images[i]);
    if (result == 0) {
        sum = ep_merge_image(merge);
        result = sum ? write_freed(out, ep_snapshot_take_stored(sum, options)) : -1;
    }
    int error = errno;
    ep_merge_end(merge);
    errno = error;
    return result;
}

TEST(sum_is_whole_or_none)
{
    options = (struct ep_snapshot_options){.raw = false};
    is_raw = is_placeless = false;
    scarce_try(add_up);
    is_placeless = true;
    scarce_try(add_up);
    is_placeless = false;
    is_raw = options.raw = true;
    scarce_try(add_up);
}

/* ---- comparisons ---- */

static void write_diff(FILE *out, const struct ep_diff *diff)
{
    for (size_t i = 0; i < diff->row_count; i++)
        fprintf(out, "%s %lld\n", ep_diff_row_of(diff, &diff->rows[i])->name,
                (long long)diff->rows[i].change_ns);
}

static int compare(FILE *out)
{
    const struct ep_diff_options total = {.by = ep_columns_find("total"), .error = 0.05};
    struct ep_diff_making *making = ep_diff_make_begin(total);
    if (!making)
        return -1;
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        ep_diff_make_inspect(making, (enum ep_diff_side)side, images[side].cells);
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        if (ep_diff_make_add(making, (enum ep_diff_side)side, &images[side]) != 0) {
            int error = errno;
            ep_diff_make_abandon(making);
            errno = error;
            return -1;
        }
    struct ep_diff *diff = ep_diff_make_end(making);
    if (!diff)
        return -1;
    write_diff(out, diff);
    ep_diff_free(diff);
    return 0;
}

TEST(comparison_is_whole_or_none)
{
    scarce_try(compare);
}

/* The regions of this comparison have not been looked up before. */
static int match(FILE *out)
{
    struct ep_diff made = {.options = {.by = ep_columns_find("total"), .error = 0.05}};
    struct ep_diff_samples samples;
    int result = 0;
    memset(&samples, 0, sizeof samples);
    for (int side = 0; side < EP_DIFF_SIDES && result == 0; side++) {
        made.sides[side] = ep_snapshot_take_stored(&images[side], options);
        result = made.sides[side] ? 0 : -1;
    }
    if (result == 0)
        result = ep_diff_match(&made, &samples);
    int error = errno;
    if (result == 0)
        fprintf(out, "%zu regions\n", (size_t)made.row_count);
    free(made.rows);
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        free(made.row_of[side]);
        ep_snapshot_free(made.sides[side]);
    }
    ep_diff_match_samples_free(&samples);
    errno = error;
    return result;
}

TEST(regions_are_matched_or_not)
{
    options = (struct ep_snapshot_options){.raw = false};
    scarce_try(match);
}

/* ---- growth, and series that never fall ---- */

static int grow(FILE *out)
{
    struct ep_growths growths = {.rows = NULL};
    struct eprof_snapshot *before = ep_snapshot_take_stored(&images[SCOPES], options);
    struct eprof_snapshot *after =
        before ? ep_snapshot_take_stored(&images[SCOPES], options) : NULL;
    int result = after ? ep_series_growth_find(&growths, before, after) : -1;
    int error = errno;
    for (size_t i = 0; result == 0 && i < after->diagnostic_first; i++)
        fprintf(out, "%llu\n", (unsigned long long)growths.rows[i].calls);
    if (result == 0)
        ep_series_growth_free(&growths);
    ep_snapshot_free(before);
    ep_snapshot_free(after);
    errno = error;
    return result;
}

TEST(growth_is_whole_or_none)
{
    options = (struct ep_snapshot_options){.raw = false};
    scarce_try(grow);
}

static int raise_twice(FILE *out)
{
    struct ep_monotonic monotonic = {.epoch = 0};
    int result = 0, error = 0;
    for (int i = 0; i < 2 && result == 0; i++) {
        struct eprof_snapshot *snapshot = ep_snapshot_take_stored(&images[SCOPES], options);
        result = snapshot ? ep_monotonic_raise(&monotonic, 1, snapshot) : -1;
        if (result == 0)
            result = write_rows(out, snapshot);
        error = errno;
        ep_snapshot_free(snapshot);
    }
    ep_hash_table_free(&monotonic.marks);
    errno = error;
    return result;
}

TEST(raised_snapshot_is_whole_or_none)
{
    options = (struct ep_snapshot_options){.raw = false};
    scarce_try(raise_twice);
}

enum { MANY = 1200 }; /* enough rows that the earlier ones are searched */

struct made_rows {
    struct eprof_row rows[MANY];
    struct ep_instance_slot places[MANY];
};

/* Instances with one label, one after another in one slot, with these numbers of calls. */
static int raise_many(struct ep_monotonic *monotonic, struct made_rows *made, size_t count,
                      uint64_t calls)
{
    struct eprof_snapshot snapshot = {
        .rows = made->rows, .row_count = count, .instance_slots = made->places};
    snapshot.scope_first = snapshot.diagnostic_first = count;
    for (size_t i = 0; i < count; i++) {
        made->rows[i] = ep_rows_empty;
        made->rows[i].kind = "instance";
        made->rows[i].name = made->rows[i].path = "one label";
        made->rows[i].id = 0;
        made->rows[i].calls = calls;
        made->places[i].born = i + 1;
    }
    return ep_monotonic_raise(monotonic, 1, &snapshot);
}

/* If there is no memory for removing old rows, they are removed later. */
TEST(raised_figures_are_kept_or_forgotten)
{
    static struct made_rows made;
    for (long refused = 0; refused < 20; refused++) {
        struct ep_monotonic monotonic = {.epoch = 0};
        assert_return_code(raise_many(&monotonic, &made, MANY, 1), errno);
        scarce.refused = scarce.requests + refused;
        scarce.and_later = false;
        int result = raise_many(&monotonic, &made, MANY, 2);
        scarce.refused = -1;
        assert_return_code(raise_many(&monotonic, &made, 1, 2), errno);
        if (made.rows[0].calls != (result == 0 ? 2 * MANY : MANY + 1))
            fail_msg("request %ld: %llu calls", refused, (unsigned long long)made.rows[0].calls);
        ep_hash_table_free(&monotonic.marks);
    }
}

/* ---- names of functions ---- */

static void name_all(struct ep_image_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        struct ep_names_module *module = &names->modules[i];
        for (size_t j = 0; j < module->count; j++) {
            module->functions[j].name = "named";
            module->functions[j].file = "file.c";
        }
        module->answered = module->count;
    }
}

static int name_functions_of(struct ep_image *image)
{
    struct ep_image_names names = {.modules = NULL};
    int result = ep_image_names_add(&names, image);
    if (result == 0) {
        name_all(&names);
        result = ep_image_extend(image, ep_image_names_cells(&names));
    }
    if (result == 0)
        result = ep_image_names_fill(&names, image);
    int error = errno;
    ep_image_names_free(&names);
    errno = error;
    return result;
}

static int name_functions(FILE *out)
{
    struct ep_image image;
    if (read_image(&image, FUNCTIONS) != 0)
        return -1;
    int result = name_functions_of(&image);
    if (result == 0)
        result = write_freed(out, ep_snapshot_take_stored(&image, options));
    int error = errno;
    ep_image_destroy(&image);
    errno = error;
    return result;
}

TEST(functions_are_named_or_an_error_is_reported)
{
    options = (struct ep_snapshot_options){.raw = false};
    scarce_try(name_functions);
}

/* ---- a flame graph that has no room for all boxes ---- */

static int draw(FILE *out)
{
    struct eprof_snapshot *snapshot = ep_snapshot_take_stored(&images[SCOPES], options);
    if (!snapshot)
        return -1;
    const struct ep_part part = {.first = snapshot->scope_first, .end = snapshot->diagnostic_first};
    const struct ep_flame_limits limits = {.narrowest = 1e-9, .boxes = 4, .levels = 4};
    struct ep_flame flame;
    int result = ep_flame_make(&flame, snapshot, &part, limits), error = errno;
    for (size_t i = 0; result == 0 && i < flame.count; i++)
        fprintf(out, "%zu %llu\n", flame.boxes[i].row, (unsigned long long)flame.boxes[i].wide_ns);
    ep_flame_free(&flame);
    ep_snapshot_free(snapshot);
    errno = error;
    return result;
}

TEST(flame_graph_is_whole_or_none)
{
    options = (struct ep_snapshot_options){.raw = false};
    scarce_try(draw);
}

/* ---- the environment, and another program ---- */

static int look_at_environment(FILE *out)
{
    char *value = ep_platform_first_environment("PATH");
    int error = errno;
    if (value)
        fprintf(out, "%s\n", value);
    free(value);
    errno = error;
    return value ? 0 : -1;
}

TEST(variable_is_whole_or_none)
{
    scarce_try(look_at_environment);
}

TEST(program_is_set_or_an_error_is_reported)
{
    scarce.refused = scarce.requests;
    int result = ep_helper_program_set("/bin/cat"), error = errno;
    scarce.refused = -1;
    assert_int_equal(result, -1);
    assert_int_equal(error, ENOMEM);
}

static int ask(FILE *out)
{
    char *arguments[] = {(char[]){"/bin/cat"}, NULL};
    const struct ep_symbolizer cat = {arguments, UINT64_MAX, 1 << 20};
    struct ep_fields request = {.bytes = NULL}, answer = {.bytes = NULL};
    ep_strings_add(&request, "what was asked");
    int result = request.is_incomplete ? -1 : ep_helper_ask(&cat, &request, &answer);
    int error = errno;
    if (result == 0)
        fwrite(answer.bytes, 1, answer.count, out);
    ep_strings_free(&request);
    ep_strings_free(&answer);
    errno = error;
    return result;
}

TEST(answer_is_whole_or_none)
{
    scarce_try(ask);
}

TEST_ALL(begin, end)
