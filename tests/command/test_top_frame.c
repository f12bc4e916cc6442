/* The frames of `eprof top` at fixed widths; their data are made by hand. */
#include "made_snapshot.h"
#include "test.h"

#include "base/output.h"
#include "cli/top/top.h"

enum { SECOND = 1000000000 };

/* A server that has run for 100 s; the sight before was a second ago. */
struct fixture {
    struct made_tree tree;
    struct ep_top_sight sight;
    struct ep_top_view view;
    struct ep_top_notes notes;
    struct ep_top_terminal place;
};

/* The growth in one second. */
static struct ep_growth growth_of(const struct eprof_row *row)
{
    return (struct ep_growth){row->calls / 50, row->timed / 50, row->total_ns / 50,
                              row->self_ns / 50};
}

static void grow(struct ep_top_sight *sight)
{
    const struct eprof_snapshot *snapshot = sight->snapshot;
    size_t rows = snapshot->diagnostic_first;
    sight->growths.rows = calloc(rows + snapshot->top_count + 1, sizeof *sight->growths.rows);
    assert_non_null(sight->growths.rows);
    sight->growths.tops = &sight->growths.rows[rows];
    for (size_t i = 0; i < snapshot->diagnostic_first; i++)
        sight->growths.rows[i] = growth_of(&snapshot->rows[i]);
    for (size_t i = 0; i < snapshot->top_count; i++)
        sight->growths.tops[i] = growth_of(&snapshot->tops[i]);
}

static void make_server(struct made_tree *tree)
{
    made_instance(tree, even_instance(0, "request", 5000, 3000000));
    made_scope(tree, 0, "serve", 0, UINT64_C(2) * SECOND);
    made_function(tree, 1, "parse_the_whole_of_a_request", 5000, UINT64_C(20) * SECOND);
    made_function(tree, 2, "alloc", 100000, SECOND);
    made_function(tree, 1, "write", 5000, UINT64_C(3) * SECOND);
    made_function(tree, 2, "alloc", 10, SECOND / 1000);
    made_function(tree, 1, "two\nlines\033[31m", 1, 1000);
}

static int begin(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    *state = fixture;
    make_server(&fixture->tree);
    struct eprof_snapshot *snapshot = made_snapshot(&fixture->tree);
    snapshot->command = "./server --port 80";
    snapshot->process_id = 4711;
    fixture->sight = (struct ep_top_sight){
        .snapshot = snapshot, .elapsed_ns = SECOND, .age_ns = UINT64_C(3754) * SECOND};
    grow(&fixture->sight);
    fixture->notes = (struct ep_top_notes){.name = "server.eprof", .runs = 1};
    return 0;
}

static int end(void **state)
{
    struct fixture *fixture = *state;
    ep_series_growth_free(&fixture->sight.growths);
    test_release();
    free(fixture);
    return 0;
}

/* The caller frees the text. */
static char *framed(struct fixture *fixture)
{
    struct ep_text_output text;
    assert_return_code(ep_output_text_open(&text), errno);
    ep_top_frame_write(&text.out, &fixture->sight, &fixture->view, &fixture->notes,
                       &fixture->place);
    char *frame = ep_output_text_close(&text);
    assert_non_null(frame);
    return frame;
}

static void assert_golden_frame(struct fixture *fixture, const char *file)
{
    char *frame = framed(fixture);
    assert_string_equal(frame, golden(file));
    free(frame);
}

static void assert_has(struct fixture *fixture, const char *text)
{
    char *frame = framed(fixture);
    if (!strstr(frame, text))
        fail_msg("there is no \"%s\" in\n%s", text, frame);
    free(frame);
}

static void assert_has_not(struct fixture *fixture, const char *text)
{
    char *frame = framed(fixture);
    if (strstr(frame, text))
        fail_msg("there is \"%s\" in\n%s", text, frame);
    free(frame);
}

/* The number of lines between the titles and the end of the frame, or the keys. */
static size_t lines_of_list(struct fixture *fixture)
{
    char *frame = framed(fixture), *line = strstr(strstr(frame, "\n\n"), "---\n");
    size_t count = 0;
    for (line += strlen("---\n"); *line && *line != '\n' && strncmp(line, "q quit", 6) != 0;
         count++)
        line += strcspn(line, "\n") + 1;
    free(frame);
    return count;
}

/* The frame has as many lines as the screen has rows, and the last one has no newline. */
static void assert_is_of_rows(struct fixture *fixture, size_t rows)
{
    char *frame = framed(fixture);
    size_t lines = 1;
    for (const char *at = frame; *at; at++)
        lines += *at == '\n';
    if (lines > rows)
        fail_msg("%zu lines, not %zu:\n%s", lines, rows, frame);
    free(frame);
}

TEST(regions_are_shown_however_low_the_terminal_is)
{
    struct fixture *fixture = *state;
    for (size_t rows = 1; rows <= 30; rows++)
        for (size_t columns = 20; columns <= 80; columns += 30) {
            fixture->place = (struct ep_top_terminal){.style.columns = columns, .rows = rows};
            assert_has(fixture, "pars");
            assert_is_of_rows(fixture, rows);
        }
}

TEST(low_terminal_has_titles_and_keys_where_there_is_room)
{
    struct fixture *fixture = *state;
    fixture->place = (struct ep_top_terminal){.style.columns = 60, .rows = 5};
    assert_has(fixture, "self/s");
    assert_has(fixture, "q quit");
    assert_has(fixture, "eprof top: ./server");
    assert_has(fixture, "\nrequest ");
}

/* ---- the whole ---- */

TEST(frame_without_a_terminal_has_all_columns)
{
    assert_golden_frame(*state, "top_plain.txt");
}

TEST(frame_of_80_columns_has_what_is_worth_most)
{
    struct fixture *fixture = *state;
    fixture->place = (struct ep_top_terminal){.style.columns = 80, .rows = 24};
    assert_golden_frame(fixture, "top_80.txt");
}

TEST(frame_of_140_columns_has_all)
{
    struct fixture *fixture = *state;
    fixture->place =
        (struct ep_top_terminal){.style = {.columns = 140, .is_utf8 = true}, .rows = 16};
    fixture->view.by_path = true;
    fixture->view.sort = EP_TOP_CALLS;
    assert_golden_frame(fixture, "top_140.txt");
}

/* No line is longer than the width, except for lines that must not be cut. */
TEST(no_line_is_longer_than_the_terminal_is_wide)
{
    struct fixture *fixture = *state;
    fixture->sight.snapshot->command = "./a/program/with/a/long/name --and --many=arguments";
    for (size_t columns = 20; columns < 150; columns++) {
        fixture->place = (struct ep_top_terminal){.style.columns = columns, .rows = 24};
        for (int sort = 0; sort < EP_TOP_COLUMNS; sort++) {
            fixture->view.sort = (enum ep_top_column)sort;
            char *frame = framed(fixture);
            for (const char *line = frame; *line;
                 line += strcspn(line, "\n") + (line[strcspn(line, "\n")] != 0))
                if (strcspn(line, "\n") > columns)
                    fail_msg("%zu columns, by %d: a line is longer:\n%s", columns, sort, frame);
            free(frame);
        }
    }
}

TEST(column_that_it_is_sorted_by_stays)
{
    struct fixture *fixture = *state;
    fixture->place = (struct ep_top_terminal){.style.columns = 60, .rows = 24};
    for (int sort = 0; sort < EP_TOP_COLUMNS; sort++) {
        char title[16];
        snprintf(title, sizeof title, "[%s]", ep_top_lines_column_name((enum ep_top_column)sort));
        fixture->view.sort = (enum ep_top_column)sort;
        assert_has(fixture, title);
    }
}

/* ---- lines ---- */

TEST(as_many_lines_as_there_is_room_for)
{
    struct fixture *fixture = *state;
    fixture->place.style.columns = 80;
    for (size_t rows = 7; rows < 20; rows++) {
        fixture->place.rows = rows;
        size_t wanted = rows - 6 < 6 ? rows - 6 : 6, lines = lines_of_list(fixture);
        if (lines != wanted)
            fail_msg("%zu rows: %zu lines, not %zu", rows, lines, wanted);
    }
}

TEST(bottom_tells_which_lines_are_seen)
{
    struct fixture *fixture = *state;
    fixture->place = (struct ep_top_terminal){.style.columns = 80, .rows = 9};
    fixture->view.first = 2;
    assert_has(fixture, "   3-5 of 6");
    assert_has_not(fixture, "\nrequest");
    fixture->view.first = 99;
    assert_has(fixture, "   4-6 of 6");
    fixture->place.rows = 24;
    assert_has_not(fixture, "of 6");
}

TEST(rest_is_counted_where_nobody_can_scroll)
{
    struct fixture *fixture = *state;
    fixture->place.most = 2;
    assert_has(fixture, "\nrequest");
    assert_has(fixture, "\n... 4 more\n");
    assert_has_not(fixture, "write");
}

TEST(filter_leaves_others_out)
{
    struct fixture *fixture = *state;
    strcpy(fixture->view.filter, "r*te");
    assert_has(fixture, "\nnothing like r*te, by self/s;");
    strcpy(fixture->view.filter, "rite");
    assert_has(fixture, "\n1 function like rite, by self/s;");
    assert_has(fixture, "\nwrite ");
    assert_has_not(fixture, "alloc");
}

TEST(filter_that_is_typed_is_at_the_bottom)
{
    struct fixture *fixture = *state;
    fixture->place = (struct ep_top_terminal){.style.columns = 80, .rows = 24};
    strcpy(fixture->view.filter, "wri\033");
    fixture->view.is_typing = true;
    assert_has(fixture, "\nfilter: wri\\x1b_ ");
    assert_has_not(fixture, "q quit");
}

/* ---- figures ---- */

TEST(rates_are_of_the_time_that_has_passed)
{
    struct fixture *fixture = *state;
    fixture->sight.elapsed_ns = SECOND / 4;
    assert_has(fixture, "rates are of the last 250 ms\n");
    assert_has(fixture, "write                             24 %     24 %      400   600 us ");
}

TEST(time_that_is_not_known_gives_no_rates)
{
    struct fixture *fixture = *state;
    fixture->sight.elapsed_ns = 0;
    assert_has(fixture, "since when is not known, and so no rates\n");
    assert_has(fixture,
               "write                                -        -        -   600 us   600 us ");
}

TEST(estimates_are_marked)
{
    struct fixture *fixture = *state;
    for (size_t i = 0; i < fixture->sight.snapshot->top_count; i++)
        fixture->tree.tops[i].estimated =
            strcmp(fixture->sight.snapshot->tops[i].name, "write") == 0;
    assert_has(fixture, "~6.0 %   ~6.0 %      100   600 us  ~600 us  1.20 ms  ~3.00 s  ~3.00 s ");
}

TEST(hot_regions_are_coloured)
{
    struct fixture *fixture = *state;
    fixture->place.style.is_colour = true;
    assert_has(fixture, "\033[1;31mrequest  ");
    assert_has(fixture, "\033[33mwrite  ");
    assert_has(fixture, "\nalloc  ");
    fixture->place.style.is_colour = false;
    assert_has_not(fixture, "\033");
}

/* ---- the lines above the table ---- */

TEST(head_tells_what_has_become_of_the_program)
{
    struct fixture *fixture = *state;
    fixture->sight.is_of_all = true;
    fixture->sight.state = EP_LIFE_ENDED;
    assert_has(fixture, ", process 4711, ended, recorded for 1:02:34\n");
    assert_has(fixture, "; rates are of all that time\n");
    fixture->sight.state = EP_LIFE_KILLED;
    fixture->sight.is_age_estimated = true;
    assert_has(fixture, ", process 4711, killed, recorded for about 1:02:34\n");
    fixture->sight.age_ns = 0;
    fixture->notes.runs = 3;
    assert_has(fixture, "eprof top: ./server --port 80, process 4711, run 3, killed\n");
    fixture->sight.snapshot->process_id = 0;
    fixture->sight.snapshot->command = "";
    fixture->sight.state = EP_LIFE_SAVED;
    fixture->notes.runs = 1;
    assert_has(fixture, "eprof top: server.eprof, several programs, a saved profile\n");
}

TEST(short_times_have_digits)
{
    struct fixture *fixture = *state;
    fixture->sight.age_ns = UINT64_C(59900000000);
    assert_has(fixture, "recorded for 59.9 s\n");
    fixture->sight.age_ns = UINT64_C(754) * SECOND;
    assert_has(fixture, "recorded for 0:12:34\n");
    fixture->sight.age_ns = UINT64_C(360061) * SECOND;
    assert_has(fixture, "recorded for 100:01:01\n");
}

static void assert_head_of(struct fixture *fixture, size_t columns, const char *expected)
{
    fixture->place = (struct ep_top_terminal){.style.columns = columns, .rows = 24};
    char *frame = framed(fixture);
    if (strncmp(frame, expected, strlen(expected)) != 0)
        fail_msg("%zu columns:\n%s\nnot\n%s", columns, frame, expected);
    free(frame);
}

/* The state of the program, and the time to which the rates refer. */
TEST(head_has_what_matters_however_narrow_it_is)
{
    struct fixture *fixture = *state;
    assert_head_of(fixture, 68,
                   "eprof top: ./ser...t 80, process 4711, running, recorded for 1:02:34\n"
                   "4 functions, 1 scope, 1 instance; rates are of the last 1.00 s\n\n");
    assert_head_of(fixture, 60,
                   "eprof top: ./server --port 80, running, recorded for 1:02:34\n"
                   "rates are of the last 1.00 s\n\n");
    fixture->sight.state = EP_LIFE_ENDED;
    fixture->notes.runs = 12;
    assert_head_of(fixture, 30,
                   "eprof top: ./ser...t 80, ended\n"
                   "rates are of the last 1.00 s\n\n");
    assert_head_of(fixture, 20, "eprof top...0, ended\nrates are...t 1.00 s\n\n");
}

TEST(narrow_head_has_what_was_typed)
{
    struct fixture *fixture = *state;
    strcpy(fixture->view.filter, "al");
    fixture->view.is_paused = true;
    assert_head_of(fixture, 60,
                   "eprof top: ./server --port 80, running, recorded for 1:02:34\n"
                   "PAUSED: 1 function like al; rates are of the last 1.00 s\n\n");
    assert_head_of(fixture, 50,
                   "eprof top: ./s...80, running, recorded for 1:02:34\n"
                   "PAUSED: like al; rates are of the last 1.00 s\n\n");
}

TEST(narrow_head_has_what_is_wrong)
{
    struct fixture *fixture = *state;
    made_diagnostics(&fixture->tree, "unbalanced", 3);
    struct eprof_snapshot *snapshot = fixture->sight.snapshot;
    snapshot->rows = fixture->tree.rows;
    snapshot->row_count = fixture->tree.count;
    fixture->notes.why = "Permission denied";
    assert_head_of(fixture, 38,
                   "eprof top: ./server --port 80, running\n"
                   "rates are of the last 1.00 s\n"
                   "diagnostics: 3 unbalanced\n"
                   "cannot be read now: Permission denied\n\n");
}

TEST(head_tells_that_it_is_paused)
{
    struct fixture *fixture = *state;
    fixture->view.is_paused = true;
    assert_has(fixture, "\nPAUSED: 4 functions, 1 scope, 1 instance, by self/s;");
}

TEST(head_tells_of_diagnostics)
{
    struct fixture *fixture = *state;
    made_diagnostics(&fixture->tree, "unbalanced", 3);
    made_diagnostics(&fixture->tree, "not_closed", 1);
    made_diagnostics(&fixture->tree, "lost", 12);
    struct eprof_snapshot *snapshot = fixture->sight.snapshot;
    snapshot->rows = fixture->tree.rows;
    snapshot->row_count = fixture->tree.count;
    assert_has(fixture, "\ndiagnostics: 3 unbalanced, 12 lost; see eprof report\n\n");
    assert_int_equal(ep_top_frame_head_lines(&fixture->sight, &fixture->notes, 0), 3);
}

TEST(head_tells_that_the_file_cannot_be_read)
{
    struct fixture *fixture = *state;
    fixture->notes.why = "No such file or directory";
    assert_has(fixture, "\ncannot be read now, the figures are older: No such file or directory\n");
    assert_int_equal(ep_top_frame_head_lines(&fixture->sight, &fixture->notes, 0), 3);
}

TEST_EACH(begin, end)
