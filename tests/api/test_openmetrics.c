/* Metrics that are scraped over time: no counter falls between two reports, except by a reset. */
#include "calls.h"
#include "child.h"
#include "hand_clock.h"
#include "scope_row.h"
#include "threads.h"

#define CALLS "eprof_instance_calls_total{name=\"work\"}"
#define SUM "eprof_instance_seconds_sum{name=\"work\"}"
#define COUNT "eprof_instance_seconds_count{name=\"work\"}"
#define SCOPE "{kind=\"scope\",name=\"scope\",path=\"scope\"}"
#define SCOPE_SUM "eprof_scope_seconds_sum" SCOPE
#define SCOPE_SELF "eprof_scope_self_seconds_total" SCOPE
#define ABSENT UINT64_MAX

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : "";
}

static bool is_of(const char *line, const char *series)
{
    size_t length = strlen(series);
    return strncmp(line, series, length) == 0 && line[length] == ' ';
}

/* The digits of a value without its point, so that seconds become ns. */
static uint64_t value_of(const char *line, const char *series)
{
    uint64_t value = 0;
    for (const char *at = line + strlen(series) + 1; *at != '\n'; at++)
        value = *at == '.' ? value : 10 * value + (uint64_t)(*at - '0');
    return value;
}

/* ABSENT: there is no such series. */
static uint64_t value_in(const char *report, const char *series)
{
    for (const char *line = report; *line; line = next_line(line))
        if (is_of(line, series))
            return value_of(line, series);
    return ABSENT;
}

/* To be freed; NULL: it failed. */
static char *scraped(void)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    int result = stream ? eprof_report(stream, "openmetrics") : -1;
    if (stream && fclose(stream) == 0 && result == 0)
        return text;
    free(text);
    return NULL;
}

static uint64_t scrape(const char *series)
{
    char *report = scraped();
    assert_non_null(report);
    uint64_t value = value_in(report, series);
    free(report);
    return value;
}

static void record(int id, uint64_t calls, uint64_t each_ticks)
{
    for (uint64_t i = 0; i < calls; i++) {
        eprof_start(id);
        hand_ticks += each_ticks;
        eprof_stop(id);
    }
}

/* A clock that is moved by hand and whose tick length is unknown. */
static void use_measured_clock(void)
{
    clock_take("measured by hand", hand_clock_now, 0);
}

static void enter_scope(uint64_t ticks)
{
    eprof_enter("scope");
    hand_ticks += ticks;
    eprof_leave();
}

/* ---- what is told ---- */

TEST(first_scrape_tells_what_was_recorded)
{
    int id = eprof_alloc("work");
    record(id, 3, UINT64_C(1234567891));
    enter_scope(UINT64_C(98765));
    assert_int_equal(scrape(CALLS), 3);
    assert_int_equal(scrape(COUNT), 3);
    assert_int_equal(scrape(SUM), 3 * UINT64_C(1234567891));
    assert_int_equal(scrape(SCOPE_SUM), 98765);
    assert_int_equal(scrape(SCOPE_SELF), 98765);
}

/* A tick turns out to be a thousandth of the length assumed before. */
TEST(time_does_not_fall_when_ticks_turn_out_to_be_shorter)
{
    static const char *const series[] = {SUM, SCOPE_SUM, SCOPE_SELF};
    enum { SERIES = sizeof series / sizeof series[0] };
    uint64_t told[SERIES];
    use_measured_clock();
    int id = eprof_alloc("work");
    record(id, 1, 1000);
    enter_scope(1000);
    char *report = scraped();
    assert_non_null(report);
    for (size_t i = 0; i < SERIES; i++)
        told[i] = value_in(report, series[i]);
    free(report);
    hand_ticks += UINT64_C(1000000000000); /* so far, 2000 ticks had taken 2 ms or more */
    report = scraped();
    assert_non_null(report);
    assert_in_range(instance_row("work").total_ns, 0, told[0] / 2);
    assert_in_range(scope_row("scope").total_ns, 0, told[1] / 2);
    for (size_t i = 0; i < SERIES; i++) {
        assert_int_not_equal(told[i], ABSENT);
        assert_int_equal(value_in(report, series[i]), told[i]);
    }
    free(report);
}

TEST(counter_of_a_freed_instance_goes_on_with_the_next_of_its_label)
{
    int first = eprof_alloc("work"), second = eprof_alloc("work");
    record(first, 10, 100);
    record(second, 5, 100);
    assert_int_equal(scrape(CALLS), 15);
    assert_int_equal(eprof_release(first), 0);
    record(second, 1, 100);
    assert_int_equal(scrape(CALLS), 16);
    assert_int_equal(eprof_release(second), 0);
    assert_int_equal(scrape(CALLS), ABSENT);
    record(eprof_alloc("work"), 2, 50);
    assert_int_equal(scrape(CALLS), 18);
    assert_int_equal(scrape(COUNT), 18);
    assert_int_equal(scrape(SUM), 1700);
}

/* The new instance is in the same slot, with more calls than the one before had. */
TEST(counter_has_all_calls_of_the_next_in_a_slot)
{
    uint64_t calls = 0;
    for (uint64_t more = 10; more <= 40; more += 10) {
        int id = eprof_alloc("work");
        record(id, more, 100);
        assert_int_equal(scrape(CALLS), calls += more);
        assert_int_equal(eprof_release(id), 0);
    }
}

/* ---- calls of which a part is timed ---- */

static void leaf(uint64_t ticks)
{
    EPROF_SCOPE("leaf");
    hand_ticks += ticks;
}

/* A deterministic number that looks random. */
static uint32_t mixed(uint32_t number)
{
    number = (number ^ 61) * UINT32_C(0x9E3779B1);
    return number ^ number >> 15;
}

/* Calls that are much longer from time to time, some of them below others. */
static void work(uint32_t number)
{
    EPROF_SCOPE("work");
    uint32_t random = mixed(number);
    hand_ticks += random % 50;
    for (uint32_t i = 0; i < random % 5; i++)
        leaf(i == 3 ? 100000 : random % 100);
}

static bool ends_with(const char *text, size_t length, const char *end)
{
    return length >= strlen(end) && memcmp(text + length - strlen(end), end, strlen(end)) == 0;
}

/* Fails if a counter has less than in the report before. A series usually comes after the same one
 * in both reports, so the search begins there. */
static void check_rise(const char *before, const char *after)
{
    char series[400];
    unsigned counters = 0;
    const char *expected_at = after;
    for (const char *line = before; *line; line = next_line(line)) {
        size_t name = strcspn(line, "{ \n"), length = (size_t)(next_line(line) - line) - 1;
        while (length > 0 && line[length - 1] != ' ')
            length--;
        if (length == 0 || length > sizeof series || *line == '#' ||
            !(ends_with(line, name, "_sum") || ends_with(line, name, "_count") ||
              ends_with(line, name, "_total") || ends_with(line, name, "_bucket")))
            continue;
        snprintf(series, sizeof series, "%.*s", (int)length - 1, line);
        while (*expected_at && !is_of(expected_at, series))
            expected_at = next_line(expected_at);
        uint64_t was = value_of(line, series);
        uint64_t is = *expected_at ? value_of(expected_at, series) : value_in(after, series);
        if (is == ABSENT || is < was)
            fail_msg("%s was %llu and is %llu", series, (unsigned long long)was,
                     (unsigned long long)is);
        expected_at = *expected_at ? next_line(expected_at) : after;
        counters++;
    }
    assert_in_range(counters, 5, 200);
}

/* Fails unless the calls of each histogram rise from bound to bound, and are the count at the end.
 */
static void check_ladders(const char *report)
{
    uint64_t below = 0, ladders = 0;
    for (const char *line = report; *line; line += strcspn(line, "\n") + 1) {
        size_t name = strcspn(line, "{ \n"), length = strcspn(line, "\n");
        if (!ends_with(line, name, "_bucket") && !ends_with(line, name, "_count"))
            continue;
        while (line[length - 1] != ' ')
            length--;
        uint64_t calls = strtoull(line + length, NULL, 10);
        bool is_count = ends_with(line, name, "_count");
        if (is_count ? calls != below : calls < below)
            fail_msg("%.*s after %llu calls", (int)strcspn(line, "\n"), line,
                     (unsigned long long)below);
        below = is_count ? 0 : calls;
        ladders += is_count;
    }
    assert_in_range(ladders, 2, 100);
}

#define LEAF "{kind=\"scope\",name=\"leaf\",path=\"leaf\"}"

TEST(no_counter_falls_while_calls_are_sampled)
{
    enum { REPORTS_TAKEN = 300, CALLS_BETWEEN = 37 };
    assert_int_equal(eprof_setup("budget=1/64"), 0);
    work(0);
    leaf(1);
    char *before = scraped();
    for (uint32_t i = 1; i < REPORTS_TAKEN * CALLS_BETWEEN; i++) {
        work(i);
        leaf(mixed(i) % 7 ? 10 : 5000);
        if (i % CALLS_BETWEEN)
            continue;
        char *after = scraped();
        assert_non_null(before);
        assert_non_null(after);
        check_rise(before, after);
        check_ladders(after);
        free(before);
        before = after;
    }
    free(before);
    eprof_setup("budget=off");
}

/* The calls of a block that is not complete are in neither, unless its call was timed. An estimate
 * for all calls so far would be lower after the next short call. */
TEST(sum_and_count_of_sampled_calls_are_those_of_the_timed_ones)
{
    assert_int_equal(eprof_setup("budget=1/64"), 0);
    for (int i = 0; i < 1000; i++) {
        leaf(10);
        char *report = scraped();
        assert_non_null(report);
        uint64_t count = value_in(report, "eprof_scope_seconds_count" LEAF);
        uint64_t sum = value_in(report, "eprof_scope_seconds_sum" LEAF);
        uint64_t self = value_in(report, "eprof_scope_self_seconds_total" LEAF);
        assert_int_equal(value_in(report, "eprof_scope_calls_total" LEAF), i + 1);
        assert_int_equal(count % 64, 0);
        assert_in_range(count, i < 64 ? 0 : i - 64, i + 64);
        assert_int_equal(sum, 10 * count);
        assert_int_equal(self, sum);
        free(report);
    }
    eprof_setup("budget=off");
}

/* ---- where it begins anew ---- */

static void reset_by_init(int *id)
{
    eprof_init();
    *id = eprof_alloc("work");
}

static void reset(int *id)
{
    (void)id;
    eprof_reset();
}

static void reset_by_source(int *id)
{
    (void)id;
    use_measured_clock();
    hand_clock_use();
}

TEST(every_reset_begins_anew)
{
    static void (*const resets[])(int *id) = {reset, reset_by_init, reset_by_source};
    int id = eprof_alloc("work");
    for (size_t i = 0; i < sizeof resets / sizeof resets[0]; i++) {
        record(id, 10, 1000);
        assert_int_equal(scrape(SUM), 10000);
        resets[i](&id);
        record(id, 1, 7);
        assert_int_equal(scrape(CALLS), 1);
        assert_int_equal(scrape(SUM), 7);
        resets[i](&id);
    }
}

static int forked_id;

static void scrape_in_child(void *seen)
{
    record(forked_id, 1, 7);
    char *report = scraped();
    *(uint64_t *)seen = report ? value_in(report, SUM) : ABSENT;
    free(report);
}

TEST(forked_child_begins_anew_and_its_parent_goes_on)
{
    uint64_t seen = 0;
    forked_id = eprof_alloc("work");
    record(forked_id, 10, 1000);
    assert_int_equal(scrape(SUM), 10000);
    child_do(fork, scrape_in_child, &seen, sizeof seen);
    assert_int_equal(seen, 7);
    record(forked_id, 1, 1000);
    assert_int_equal(scrape(SUM), 11000);
}

/* ---- at once ---- */

enum { SCRAPERS = 3, SCRAPES = 200 };

static int shared_id;

/* Records and scrapes in turn. Returns the number of scrapes that failed or had a lower value than
 * the one before. */
static void *scrape_often(void *unused)
{
    (void)unused;
    uint64_t most = 0;
    uintptr_t faults = 0;
    for (int i = 0; i < SCRAPES; i++) {
        eprof_start(shared_id);
        eprof_stop(shared_id);
        char *report = scraped();
        uint64_t value = report ? value_in(report, CALLS) : ABSENT;
        free(report);
        faults += value == ABSENT || value < most;
        most = value;
    }
    return (void *)faults;
}

TEST(scrapes_of_many_threads_never_fall)
{
    pthread_t threads[SCRAPERS];
    shared_id = eprof_alloc("work");
    for (int i = 0; i < SCRAPERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, scrape_often, NULL), 0);
    for (int i = 0; i < SCRAPERS; i++) {
        void *faults;
        assert_int_equal(pthread_join(threads[i], &faults), 0);
        assert_int_equal((uintptr_t)faults, 0);
    }
    assert_int_equal(scrape(CALLS), SCRAPERS * SCRAPES);
}

static void work_as(const char *name, uint64_t calls)
{
    eprof_thread_name(name);
    for (uint64_t i = 0; i < calls; i++)
        scope_of("scope", 1);
}

static void work_as_few(void *unused)
{
    (void)unused;
    work_as("few", 10);
}

static void work_as_many(void *unused)
{
    (void)unused;
    work_as("many", 1000);
}

static void become_few(void *unused)
{
    (void)unused;
    eprof_thread_name("few");
}

static uint64_t scrape_thread(const char *series)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_int_equal(eprof_report(stream, "openmetrics:threads"), 0);
    fclose(stream);
    uint64_t value = value_in(text, series);
    free(text);
    return value;
}

/* Its earlier calls stay with its earlier name. */
TEST(series_of_a_renamed_thread_begins_with_its_calls_from_then_on)
{
    static const char few[] =
        "eprof_scope_calls_total{kind=\"scope\",name=\"scope\",path=\"scope\","
        "thread=\"few\"}";
    struct worker one, other;
    worker_begin(&one);
    worker_begin(&other);
    worker_do(&one, work_as_few, NULL);
    worker_do(&other, work_as_many, NULL);
    assert_int_equal(scrape_thread(few), 10);
    worker_do(&other, become_few, NULL);
    assert_int_equal(scrape_thread(few), 10);
    worker_do(&one, work_as_few, NULL);
    assert_int_equal(scrape_thread(few), 20);
    worker_do(&other, work_as_few, NULL);
    assert_int_equal(scrape_thread(few), 30);
    worker_end(&one);
    worker_end(&other);
}

TEST_EACH(hand_clock_begin, NULL)
