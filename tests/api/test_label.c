/*
 * Labels: copied, cut at a character, kept byte for byte, shown as text.
 */
#include "figures.h"
#include "hand_clock.h"

enum { LABEL_BYTES = 4095 };

static void call(int id)
{
    eprof_start(id);
    eprof_stop(id);
}

/* The name of the one instance in a snapshot; it is valid until the next call. */
static const char *kept(const char *label)
{
    static char name[LABEL_BYTES + 100];
    struct eprof_row row;
    eprof_init();
    call(eprof_alloc(label));
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(find_rows(snapshot, "instance", NULL, NULL, &row), 1);
    assert_in_range(strlen(row.name), 0, LABEL_BYTES);
    strcpy(name, row.name);
    eprof_snapshot_free(snapshot);
    return name;
}

/* A report of all rows; the text is valid until the next call. */
static const char *report(const char *format)
{
    static char text[16384];
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    assert_int_equal(eprof_report(out, format), 0);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

TEST(label_is_copied)
{
    char label[] = "before";
    int id = eprof_alloc(label);
    strcpy(label, "after");
    call(id);
    assert_row("before", "calls 1, timed 1, errors 0, open 0, total 0");
    assert_row("after", "no row");
    eprof_free("before");
    assert_diagnostics("");
}

TEST(label_may_be_empty)
{
    assert_string_equal(kept(""), "");
    assert_contains(report("table"), "\n0:                   1          0.000 ");
    eprof_free("");
    assert_row("", "no row");
    assert_diagnostics("");
}

TEST(null_label_is_einval)
{
    errno = 0;
    assert_int_equal(eprof_alloc(NULL), -1);
    assert_int_equal(errno, EINVAL);
}

TEST(label_of_4095_bytes_is_kept_whole)
{
    char label[LABEL_BYTES + 1];
    memset(label, 'x', LABEL_BYTES);
    label[LABEL_BYTES] = '\0';
    assert_string_equal(kept(label), label);
    /* a character that ends with the last byte of the available room */
    memcpy(label + LABEL_BYTES - 3, "\xe2\x82\xac", 3);
    assert_string_equal(kept(label), label);
}

/* The part of a label of 10 kB that is kept: `before` times x, then `character` again and again. */
static size_t kept_bytes(size_t before, const char *character)
{
    static char label[10001];
    size_t bytes = strlen(character), end = before;
    memset(label, 'x', before);
    for (; end + bytes < sizeof label; end += bytes)
        memcpy(label + end, character, bytes);
    label[end] = '\0';
    const char *name = kept(label);
    assert_memory_equal(name, label, strlen(name));
    return strlen(name);
}

TEST(label_of_10_kb_is_cut_at_a_character)
{
    assert_int_equal(kept_bytes(0, "x"), 4095);
    assert_int_equal(kept_bytes(0, "\xc3\xa9"), 4094);
    assert_int_equal(kept_bytes(1, "\xc3\xa9"), 4095);
    assert_int_equal(kept_bytes(0, "\xe2\x82\xac"), 4095);
    assert_int_equal(kept_bytes(1, "\xe2\x82\xac"), 4093);
    assert_int_equal(kept_bytes(2, "\xe2\x82\xac"), 4094);
    assert_int_equal(kept_bytes(0, "\xf0\x9f\x98\x80"), 4092);
    assert_int_equal(kept_bytes(1, "\xf0\x9f\x98\x80"), 4093);
    assert_int_equal(kept_bytes(2, "\xf0\x9f\x98\x80"), 4094);
    assert_int_equal(kept_bytes(3, "\xf0\x9f\x98\x80"), 4095);
}

/* Bytes that are not UTF-8 have no characters to cut at. */
TEST(long_label_that_is_not_utf8_is_cut_too)
{
    assert_in_range(kept_bytes(0, "\x80"), 4092, 4095);
    assert_in_range(kept_bytes(0, "\xff"), 4092, 4095);
    assert_in_range(kept_bytes(0, "\xf0"), 4092, 4095);
}

TEST(long_labels_are_equal_if_what_is_kept_is)
{
    static char label[10001];
    memset(label, 'x', sizeof label - 1);
    call(eprof_alloc(label));
    label[9999] = 'y';
    eprof_free(label);
    assert_diagnostics("");
    label[100] = 'y';
    eprof_free(label);
    assert_diagnostics("unknown_labels 1");
}

TEST(bytes_that_are_not_utf8_are_kept_and_shown_as_hex)
{
    static const char label[] = "caf\xe9 \xc3\xa9 \xed\xa0\x80 \xc0\xaf \xff";
    assert_string_equal(kept(label), label);
    assert_contains(report("table"), "caf\\xe9 \xc3\xa9 \\xed\\xa0\\x80 \\xc0\\xaf \\xff ");
    assert_contains(report("csv"), "caf\\xe9 \xc3\xa9 \\xed\\xa0\\x80 \\xc0\\xaf \\xff,");
    assert_contains(report("json"),
                    "caf\\\\xe9 \xc3\xa9 \\\\xed\\\\xa0\\\\x80 \\\\xc0\\\\xaf \\\\xff\"");
    eprof_free(label);
    assert_diagnostics("");
}

/* A label is data: it does not clear the screen, and does not begin a line of its own. */
TEST(label_cannot_break_the_table)
{
    call(eprof_alloc("two\nlines\r\t\x1b[2J%s%n"));
    assert_contains(report("table"), "0: two\\x0alines\\x0d\\x09\\x1b[2J%s%n ");
}

TEST(path_escapes_what_would_divide_it)
{
    struct eprof_row row;
    call(eprof_alloc("a;b\\c"));
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(find_rows(snapshot, "instance", NULL, NULL, &row), 1);
    assert_string_equal(row.name, "a;b\\c");
    assert_string_equal(row.path, "a\\;b\\\\c");
    eprof_snapshot_free(snapshot);
}

TEST_EACH(hand_clock_begin, NULL)
