/*
 * words.c - the ten commonest words of a text, and the cost of finding them
 *
 *     words [FILE]        (README.md if none is named)
 *
 * Four regions, an instance each: reading a line, cutting a word out of it,
 * counting the word, and sorting the counts.
 */
#define _POSIX_C_SOURCE 200809L /* getline */
#include <ctype.h>
#include <eprof.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    char *text;
    unsigned long count;
    struct word *next; /* of the same bucket */
};

enum { BUCKETS = 4096 };

static struct word *buckets[BUCKETS];
static size_t word_count;
static int read_id, tokenise_id, count_id, sort_id;

static void fail(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

/* Whether there was another line. */
static bool read_line(FILE *file, char **line, size_t *room)
{
    ssize_t length;

    eprof_start(read_id);
    length = getline(line, room, file);
    eprof_stop(read_id);
    return length >= 0;
}

/* The next word of the line at *cursor, in lower case; NULL if there is none. */
static char *next_word(char **cursor)
{
    char *begin = *cursor, *end;

    eprof_start(tokenise_id);
    while (*begin != '\0' && !isalpha((unsigned char)*begin))
        ++begin;
    for (end = begin; isalpha((unsigned char)*end); ++end)
        *end = (char)tolower((unsigned char)*end);
    *cursor = *end == '\0' ? end : end + 1;
    *end = '\0';
    eprof_stop(tokenise_id);
    return end > begin ? begin : NULL;
}

/* FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
static struct word **bucket_of(const char *text)
{
    unsigned long hash = 2166136261;

    for (; *text != '\0'; ++text)
        hash = ((hash ^ (unsigned char)*text) * 16777619) & 0xffffffff;
    return &buckets[hash % BUCKETS];
}

static void count_word(const char *text)
{
    struct word **bucket, *word;

    eprof_start(count_id);
    bucket = bucket_of(text);
    for (word = *bucket; word != NULL && strcmp(word->text, text) != 0; word = word->next)
        ;
    if (word == NULL) {
        word = calloc(1, sizeof *word);
        if (word == NULL || (word->text = strdup(text)) == NULL)
            fail("words");
        word->next = *bucket;
        *bucket = word;
        ++word_count;
    }
    ++word->count;
    eprof_stop(count_id);
}

/* The commonest first, and equally common ones by the alphabet. */
static int compare_words(const void *a, const void *b)
{
    const struct word *left = *(struct word *const *)a, *right = *(struct word *const *)b;

    if (left->count != right->count)
        return left->count < right->count ? 1 : -1;
    return strcmp(left->text, right->text);
}

static struct word **sort_words(void)
{
    struct word **words, *word;
    size_t i, count = 0;

    eprof_start(sort_id);
    words = malloc((word_count + 1) * sizeof(struct word *));
    if (words == NULL)
        fail("words");
    for (i = 0; i < BUCKETS; ++i)
        for (word = buckets[i]; word != NULL; word = word->next)
            words[count++] = word;
    qsort(words, count, sizeof(struct word *), compare_words);
    eprof_stop(sort_id);
    return words;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "README.md";
    FILE *file = fopen(path, "r");
    char *line = NULL, *cursor, *word;
    struct word **words;
    size_t i, room = 0;

    if (file == NULL)
        fail(path);
    read_id = eprof_alloc("read");
    tokenise_id = eprof_alloc("tokenise");
    count_id = eprof_alloc("count");
    sort_id = eprof_alloc("sort");

    while (read_line(file, &line, &room))
        for (cursor = line; (word = next_word(&cursor)) != NULL;)
            count_word(word);
    words = sort_words();

    for (i = 0; i < word_count && i < 10; ++i)
        printf("%8lu %s\n", words[i]->count, words[i]->text);
    eprof_print();

    for (i = 0; i < word_count; ++i) {
        free(words[i]->text);
        free(words[i]);
    }
    free(words);
    free(line);
    fclose(file);
    return EXIT_SUCCESS;
}
