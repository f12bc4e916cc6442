/*
 * test_mutated_files.c - EPROF FILE COUNT: damages FILE, a program with debug information, in COUNT
 * ways, and runs `eprof symbolize` to look up the functions of each copy.
 */
#include "test.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../support/random.h"
#include "base/helper.h"
#include "base/strings.h"

enum {
    MOST_ADDRESSES = 64,
    MOST_REGIONS = 64,
    MOST_DOUBLINGS = 7,
    DEADLINE_SECONDS = 60, /* far above the limits of the process, in case they fail */
    ANSWER_BYTES = 1 << 20
};

/* The parts that are damaged: the headers, and sections that are read for names. Each part is
 * equally likely. */
struct region {
    size_t begin, bytes;
};

static const char *command, *path;
static int mutations;
static unsigned char *whole, *spoilt;
static size_t whole_bytes;
static uint64_t addresses[MOST_ADDRESSES];
static size_t address_count;
static struct region regions[MOST_REGIONS];
static size_t region_count;

/* ---- the original file ---- */

static void read_whole(void)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    whole_bytes = (size_t)ftell(file);
    rewind(file);
    whole = malloc(whole_bytes);
    spoilt = malloc(whole_bytes);
    assert_non_null(whole);
    assert_non_null(spoilt);
    assert_int_equal(fread(whole, 1, whole_bytes, file), whole_bytes);
    fclose(file);
}

static const void *at(size_t offset)
{
    return whole + offset;
}

static void add_region(size_t begin, size_t bytes)
{
    if (bytes && region_count < MOST_REGIONS)
        regions[region_count++] = (struct region){begin, bytes};
}

static void add_addresses(const ElfW(Shdr) * section)
{
    const ElfW(Sym) *symbols = at(section->sh_offset);
    for (size_t i = 0; i < section->sh_size / sizeof *symbols; i++)
        if (ELF32_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_value &&
            address_count < MOST_ADDRESSES)
            addresses[address_count++] = symbols[i].st_value;
}

static bool is_read_for_names(const ElfW(Shdr) * section, const char *name)
{
    return section->sh_type == SHT_SYMTAB || section->sh_type == SHT_STRTAB ||
           section->sh_type == SHT_NOTE || strncmp(name, ".debug_", 7) == 0;
}

static void find_regions(void)
{
    const ElfW(Ehdr) *header = at(0);
    const ElfW(Shdr) *sections = at(header->e_shoff);
    const char *names = at(sections[header->e_shstrndx].sh_offset);
    add_region(0, sizeof *header);
    add_region(header->e_phoff, (size_t)header->e_phnum * header->e_phentsize);
    add_region(header->e_shoff, (size_t)header->e_shnum * header->e_shentsize);
    for (size_t i = 1; i < header->e_shnum; i++) {
        if (is_read_for_names(&sections[i], names + sections[i].sh_name))
            add_region(sections[i].sh_offset, sections[i].sh_size);
        if (sections[i].sh_type == SHT_SYMTAB)
            add_addresses(&sections[i]);
    }
}

/* ---- mutations ---- */

static size_t below(size_t bound)
{
    return (size_t)(random_next() % bound);
}

/* Counts and offsets are replaced by values that often cause errors: limits, values near them,
 * slightly or greatly different values. */
static uint64_t value_for(uint64_t before)
{
    switch (below(8)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    case 2:
        return UINT64_MAX >> 1;
    case 3:
        return before + 1;
    case 4:
        return before - 1;
    case 5:
        return before ^ UINT64_C(1) << below(64);
    case 6:
        return whole_bytes - below(16);
    default:
        return random_magnitude();
    }
}

static void spoil_number(const struct region *region)
{
    static const size_t widths[] = {1, 1, 2, 4, 8};
    size_t width = widths[below(sizeof widths / sizeof widths[0])], offset = below(region->bytes);
    uint64_t value = 0;
    offset -= offset % width; /* fields that are not aligned in a file are mostly one byte */
    if (offset + width > region->bytes)
        return;
    memcpy(&value, spoilt + region->begin + offset, width);
    value = value_for(value);
    memcpy(spoilt + region->begin + offset, &value, width);
}

/* Copies valid bytes to another place. */
static void spoil_order(const struct region *region)
{
    const struct region *other = &regions[below(region_count)];
    size_t bytes = 1 + below(64), from = below(other->bytes), to = below(region->bytes);
    if (from + bytes <= other->bytes && to + bytes <= region->bytes)
        memmove(spoilt + region->begin + to, spoilt + other->begin + from, bytes);
}

/* Returns the number of bytes that remain of the file. */
static size_t spoil(void)
{
    memcpy(spoilt, whole, whole_bytes);
    for (size_t places = (size_t)1 << below(MOST_DOUBLINGS); places > 0; places--) {
        const struct region *region = &regions[below(region_count)];
        if (below(4) == 0)
            spoil_order(region);
        else
            spoil_number(region);
    }
    return below(16) == 0 ? below(whole_bytes) : whole_bytes;
}

static void write_file(const char *name, const unsigned char *bytes, size_t count)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

/* ---- questions and answers ---- */

struct answer {
    bool is_cut_off, has_status;
    size_t names;
};

static void ask(const char *name, struct ep_fields *answer)
{
    char *arguments[] = {strdup(command), strdup("symbolize"), NULL};
    struct ep_fields request = {.bytes = NULL};
    struct timespec now;
    ep_strings_add(&request, "P");
    ep_strings_add(&request, "!main");
    ep_strings_add(&request, "M");
    ep_strings_add(&request, name);
    ep_strings_add(&request, "");
    ep_strings_add(&request, "0");
    for (size_t i = 0; i < address_count; i++) {
        ep_strings_add(&request, "A");
        ep_strings_print(&request, "%llx", (unsigned long long)addresses[i]);
    }
    ep_strings_add(&request, "S");
    assert_false(request.is_incomplete);
    clock_gettime(CLOCK_MONOTONIC, &now);
    const struct ep_symbolizer symbolizer = {
        .arguments = arguments,
        .deadline_ns = (uint64_t)(now.tv_sec + DEADLINE_SECONDS) * 1000000000,
        .most_bytes = ANSWER_BYTES};
    int result = ep_helper_ask(&symbolizer, &request, answer);
    if (result != 0)
        fail_msg("no answer: %s", strerror(errno));
    ep_strings_free(&request);
    free(arguments[0]);
    free(arguments[1]);
}

static const char *next(struct ep_fields_reader *reader)
{
    const char *field = ep_strings_next(reader);
    if (!field)
        fail_msg("the answer is not whole");
    return field;
}

/* The file ended the process that read it, after the answer for the module had begun. */
static bool is_cut_off(const struct ep_fields *fields)
{
    return fields->count < 4 || memcmp(fields->bytes + fields->count - 3, "\0E", 3) != 0;
}

/* Fails unless the output is an answer to all questions, or stops within the module. */
static struct answer judge(const struct ep_fields *fields)
{
    struct ep_fields_reader reader = ep_strings_read(fields);
    struct answer answer = {.is_cut_off = is_cut_off(fields)};
    assert_string_equal(next(&reader), "M");
    if (answer.is_cut_off)
        return answer;
    answer.has_status = *next(&reader) != '\0';
    for (size_t i = 0; i < address_count; i++) {
        assert_string_equal(next(&reader), "A");
        answer.names += *next(&reader) != '\0';
        const char *file = next(&reader);
        long line = strtol(next(&reader), NULL, 10);
        if (line < 0 || (!*file && line))
            fail_msg("line %ld of file \"%s\"", line, file);
    }
    assert_string_equal(next(&reader), "S");
    uint64_t behind = 0;
    for (unsigned long left = strtoul(next(&reader), NULL, 10); left > 0; left--) {
        uint64_t begin = strtoull(next(&reader), NULL, 16), end = strtoull(next(&reader), NULL, 16);
        if (begin < behind || end <= begin)
            fail_msg("from %llx to %llx, behind %llx", (unsigned long long)begin,
                     (unsigned long long)end, (unsigned long long)behind);
        behind = end;
    }
    assert_string_equal(next(&reader), "E");
    assert_ptr_equal(reader.at, reader.end);
    return answer;
}

static struct answer ask_and_judge(const char *name)
{
    struct ep_fields answer = {.bytes = NULL};
    ask(name, &answer);
    struct answer result = judge(&answer);
    ep_strings_free(&answer);
    return result;
}

TEST(whole_file_has_all_names)
{
    struct answer answer = ask_and_judge(path);
    assert_false(answer.is_cut_off || answer.has_status);
    assert_in_range(address_count, 10, MOST_ADDRESSES);
    assert_int_equal(answer.names, address_count);
}

TEST(spoilt_file_gets_an_answer_or_stops_it)
{
    char name[] = "/tmp/eprof-spoilt-XXXXXX";
    close(mkstemp(name));
    size_t cut_off = 0, refused = 0, named = 0;
    for (int i = 0; i < mutations; i++) {
        write_file(name, spoilt, spoil());
        struct answer answer = ask_and_judge(name);
        cut_off += answer.is_cut_off;
        refused += answer.has_status;
        named += answer.names == address_count;
    }
    printf("%d files, %zu of them refused, %zu with all their names, %zu ended the process\n",
           mutations, refused, named, cut_off);
    unlink(name);
    /* the damage was neither too large nor too small */
    assert_in_range(cut_off, 0, (size_t)mutations / 2);
    assert_in_range(refused, 1, (size_t)mutations - 1);
    assert_in_range(named, 1, (size_t)mutations - 1);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    command = argv[1];
    path = argv[2];
    mutations = atoi(argv[3]);
    random_begin();
    read_whole();
    find_regions();
    int failed = tests_run("mutated_files", NULL, NULL);
    free(whole);
    free(spoilt);
    return failed;
}
