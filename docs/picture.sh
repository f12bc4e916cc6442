#!/bin/bash
# picture.sh BUILD - makes docs/picture.png, the picture in the README
#
# BUILD is a folder in which libeprof was built. The page is what the program below leaves with
# EPROF=html=PATH for the source files of libeprof; Chromium, without a screen, takes the picture
# (tests/formats/browser.js). The program has a few hundred calls, so each is timed.
set -euo pipefail
docs=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >concordance.c <<'C'
/* concordance.c FILE... - the most frequent words of files */
#include <ctype.h>
#include <eprof.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 18, LONGEST = 1 << 20 };
static struct word { const char *text; unsigned count; } table[SLOTS];
static char *words[LONGEST];

static char *load(const char *name)
{
    EPROF_FUNC;
    FILE *file = fopen(name, "r");
    char *text = calloc(LONGEST, 1);
    if (file && text && fread(text, 1, LONGEST - 1, file) > 0) fclose(file);
    return text;
}

static size_t split(char *text)
{
    EPROF_FUNC;
    size_t count = 0;
    for (char *c = text; *c; c++) {
        if (isalpha((unsigned char)*c)) {
            if (c == text || !c[-1]) words[count++] = c;
        } else {
            *c = '\0';
            if (!c[1]) break;
        }
    }
    return count;
}

static void add(size_t count)
{
    EPROF_FUNC;
    for (size_t i = 0; i < count; i++) {
        unsigned slot = 5381;
        for (const char *c = words[i]; *c; c++) slot = slot * 33 + (unsigned char)*c;
        for (slot %= SLOTS; table[slot].text && strcmp(table[slot].text, words[i]); slot = (slot + 1) % SLOTS) {}
        table[slot].text = words[i];
        table[slot].count++;
    }
}

static void read_file(const char *name)
{
    EPROF_FUNC;
    add(split(load(name)));
}

static int by_count(const void *a, const void *b)
{
    const struct word *x = a, *y = b;
    return (x->count < y->count) - (x->count > y->count);
}

static void rank(void)
{
    EPROF_FUNC;
    size_t count = 0;
    EPROF_BLOCK("collect")
        for (size_t i = 0; i < SLOTS; i++) if (table[i].text) table[count++] = table[i];
    EPROF_BLOCK("sort") qsort(table, count, sizeof table[0], by_count);
    EPROF_BLOCK("print") for (size_t i = 0; i < count; i++) printf("%s %u\n", table[i].text, table[i].count);
}

int main(int argc, char **argv)
{
    EPROF_FUNC;
    for (int i = 1; i < argc; i++) read_file(argv[i]);
    rank();
}
C
${CC:-cc} -O2 -I"$docs/../include" concordance.c -L"$build/src" -Wl,-rpath,"$build/src" -leprof -o concordance
find "$docs/../src" "$docs/../tests" -name '*.[ch]' -print0 | EPROF=html=page.html xargs -0 ./concordance >words
node "$docs/../tests/formats/browser.js" page.html --size=1280x588 --scheme=light \
    --hover='.flame a:nth-of-type(4)' --screenshot="$docs/picture.png"
