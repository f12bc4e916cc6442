/* Labels of scopes: any bytes, any length; those of eprof_enter() are compared and copied. */
#include "calls.h"
#include "tree_text.h"

enum { LABEL_BYTES = 4095 }; /* the bytes that are kept of one */
#define EURO "\xe2\x82\xac"  /* a character of three bytes */

/* The name of the only scope; it is valid until the next call. */
static const char *only_name(void)
{
    static char name[2 * LABEL_BYTES];
    eprof_snapshot *snapshot = eprof_snapshot_take();
    struct eprof_row row = {.size = sizeof row};
    assert_int_equal(eprof_snapshot_rows(snapshot), 1);
    assert_int_equal(eprof_snapshot_row(snapshot, 0, &row), 0);
    strcpy(name, row.name);
    eprof_snapshot_free(snapshot);
    return name;
}

/* ----------------------------------------------------------- of the macros -- */

TEST(bytes_that_are_not_utf8_are_kept)
{
    EPROF_BLOCK("\xff\xfe caf\xe9 \x01") pass(1);
    assert_string_equal(only_name(), "\xff\xfe caf\xe9 \x01");
    assert_tree("\xff\xfe caf\xe9 \x01 1/1 1 1\n");
}

TEST(empty_label_is_a_label)
{
    EPROF_BLOCK("")
    EPROF_BLOCK("a")
    EPROF_BLOCK("") pass(1);
    assert_tree(" 1/1 1 0\n;a 1/1 1 0\n;a; 1/1 1 1\n");
}

TEST(semicolon_and_backslash_are_escaped_in_paths_and_not_in_names)
{
    EPROF_BLOCK("a;b") EPROF_BLOCK("c\\d") pass(1);
    assert_tree("a\\;b 1/1 1 0\na\\;b;c\\\\d 1/1 1 1\n");
    struct eprof_row row;
    assert_int_equal(take_rows(eprof_snapshot_take, "scope", "a;b", "*", &row), 1);
    assert_int_equal(take_rows(eprof_snapshot_take, "scope", "c\\d", "*", &row), 1);
}

#define TEN "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define THOUSAND HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED

/* A literal as long as this is more than C99 asks of a compiler. */
#pragma GCC diagnostic ignored "-Woverlength-strings"

TEST(label_of_5000_bytes_is_kept_to_4095)
{
    char label[5001];
    for (size_t i = 0; i < sizeof label - 1; i++)
        label[i] = (char)('0' + i % 10);
    label[sizeof label - 1] = '\0';
    for (int by_hand = 0; by_hand < 2; by_hand++) {
        eprof_reset();
        if (by_hand)
            scope_of(label, 1);
        else
            EPROF_BLOCK(THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND) pass(1);
        assert_int_equal(strlen(only_name()), LABEL_BYTES);
        assert_memory_equal(only_name(), label, LABEL_BYTES);
    }
}

/* ---------------------------------------------------------- of eprof_enter -- */

TEST(long_label_is_cut_at_a_character)
{
    char label[LABEL_BYTES + 8], kept[LABEL_BYTES + 1];
    for (size_t before = LABEL_BYTES - 3; before <= LABEL_BYTES; before++) {
        bool fits = before + 3 <= LABEL_BYTES;
        memset(label, 'a', before);
        strcpy(label + before, EURO "b");
        snprintf(kept, sizeof kept, "%.*s%s", (int)before, label, fits ? EURO : "");
        eprof_reset();
        scope_of(label, 1);
        assert_string_equal(only_name(), kept);
    }
}

TEST(labels_that_are_equal_as_far_as_kept_are_one)
{
    char label[LABEL_BYTES + 8];
    memset(label, 'a', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    scope_of(label, 1);
    label[LABEL_BYTES + 1] = 'b';
    scope_of(label, 10);
    label[LABEL_BYTES] = '\0';
    scope_of(label, 100);
    assert_int_equal(strlen(only_name()), LABEL_BYTES);
    label[LABEL_BYTES - 1] = 'b';
    scope_of(label, 1000);
    assert_int_equal(count_rows("scope"), 2);
}

TEST(contents_are_compared_and_not_addresses)
{
    static char one[] = "label", other[] = "label";
    char third[] = "label";
    scope_of(one, 1);
    scope_of(other, 10);
    scope_of(third, 100);
    assert_tree("label 3/3 111 111\n");
}

TEST(label_is_copied)
{
    char buffer[16];
    strcpy(buffer, "first");
    eprof_enter(buffer);
    pass(1);
    strcpy(buffer, "second");
    eprof_enter(buffer);
    memset(buffer, 'x', sizeof buffer);
    pass(10);
    eprof_leave();
    eprof_leave();
    strcpy(buffer, "first");
    scope_of(buffer, 100);
    memset(buffer, 0, sizeof buffer);
    assert_tree("first 2/2 111 101\nfirst;second 1/1 10 10\n");
}

TEST(null_is_entered_as_empty)
{
    scope_of(NULL, 1);
    scope_of("", 10);
    assert_tree(" 2/2 11 11\n");
    assert_diagnostics("");
}

TEST(any_bytes_are_a_label)
{
    char label[2] = "";
    for (int byte = 1; byte < 256; byte++) {
        label[0] = (char)byte;
        scope_of(label, 1);
    }
    eprof_snapshot *snapshot = eprof_snapshot_take();
    bool is_seen[256] = {false};
    assert_int_equal(eprof_snapshot_rows(snapshot), 255);
    for (size_t i = 0; i < 255; i++) {
        struct eprof_row row = {.size = sizeof row};
        assert_int_equal(eprof_snapshot_row(snapshot, i, &row), 0);
        assert_int_equal(strlen(row.name), 1);
        assert_int_equal(row.calls, 1);
        assert_false(is_seen[(unsigned char)row.name[0]]);
        is_seen[(unsigned char)row.name[0]] = true;
    }
    eprof_snapshot_free(snapshot);
}

/* Labels whose hashes agree in ever more bits, as happens among very many labels. */
TEST(many_labels_are_told_apart)
{
    enum { LABELS = 20000 };
    char label[16];
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < LABELS; i++) {
            snprintf(label, sizeof label, "%d", i);
            scope_of(label, (uint64_t)i + 1);
        }
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(snapshot), LABELS);
    for (int i = 0; i < LABELS; i++) {
        struct eprof_row row = {.size = sizeof row};
        assert_int_equal(eprof_snapshot_row(snapshot, (size_t)(LABELS - 1 - i), &row), 0);
        snprintf(label, sizeof label, "%d", i);
        assert_string_equal(row.name, label);
        assert_figures(row, 2, 2 * ((uint64_t)i + 1));
    }
    eprof_snapshot_free(snapshot);
}

TEST(scope_by_hand_and_by_macro_of_one_label_are_two)
{
    struct eprof_row row;
    EPROF_BLOCK("label") scope_of("label", 1);
    assert_tree("label 1/1 1 0\nlabel;label 1/1 1 1\n");
    eprof_snapshot *snapshot = eprof_snapshot_take();
    find_rows(snapshot, "scope", "label", "*", &row);
    assert_string_equal(row.path, "label;label");
    assert_string_equal(row.file, "");
    assert_int_equal(row.line, 0);
    eprof_snapshot_free(snapshot);
}

TEST_EACH(hand_clock_begin, NULL)
