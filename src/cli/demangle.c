#include "demangle.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The C++ ABI, 3.4; this program is C, so its header cannot be included. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier): named there */
char *__cxa_demangle(const char *mangled, char *output, size_t *length, int *status);

/* Of gcc (tree-inline, ipa-cp, ipa-sra, ipa-split, lto) and clang (ThinLTO, internal linkage). */
static const char *const suffixes[] = {"constprop", "isra",       "part", "cold",
                                       "lto_priv",  "localalias", "llvm", "__uniq"};

static bool is_suffix(const char *text)
{
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t length = strlen(suffixes[i]);
        if (strncmp(text, suffixes[i], length) == 0 && (!text[length] || text[length] == '.'))
            return true;
    }
    return false;
}

size_t ep_demangle_stem(const char *linkage)
{
    for (const char *dot = strchr(linkage, '.'); dot; dot = strchr(dot + 1, '.'))
        if (dot != linkage && is_suffix(dot + 1))
            return (size_t)(dot - linkage);
    return strlen(linkage);
}

char *ep_demangle(const char *stem)
{
    int status;
    /* anything else would be taken for the name of a type: "i" for int */
    return strncmp(stem, "_Z", 2) == 0 ? __cxa_demangle(stem, NULL, NULL, &status) : NULL;
}

static bool is_of_word(char byte)
{
    return byte == '_' || byte == '$' || (byte >= '0' && byte <= '9') ||
           (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

/* Whether the word `operator` stands here, and what follows it is the name of one. */
static bool is_operator(const char *name, const char *at)
{
    static const char word[] = "operator";
    size_t length = sizeof word - 1;
    return strncmp(at, word, length) == 0 && !is_of_word(at[length]) &&
           (at == name || !is_of_word(at[-1]));
}

/* Behind the name of an operator, before its parameters. */
static const char *behind_operator(const char *at)
{
    at += strlen("operator");
    if (strncmp(at, "()", 2) == 0)
        at += 2;
    return at + strcspn(at, "(");
}

/* Where "(anonymous namespace)" ends, which is no list of parameters; else NULL. */
static const char *behind_anonymous(const char *at)
{
    static const char words[] = "(anonymous namespace)";
    return strncmp(at, words, sizeof words - 1) == 0 ? at + sizeof words - 1 : NULL;
}

char *ep_demangle_bare(const char *name)
{
    const char *begin = name, *at = name;
    int depth = 0; /* of brackets: in them stand arguments of templates, and the names of lambdas */
    while (*at) {
        const char *behind = behind_anonymous(at);
        if (!behind && depth == 0 && is_operator(name, at))
            behind = behind_operator(at);
        if (behind) {
            at = behind;
            continue;
        }
        if (depth == 0 && *at == '(')
            break;
        if (depth == 0 && *at == ' ')
            begin = at + 1; /* what stood before it is a type */
        depth += *at == '<' || *at == '{' || *at == '[' || *at == '(';
        depth -= *at == '>' || *at == '}' || *at == ']' || *at == ')';
        at++;
    }
    return strndup(begin, (size_t)(at - begin));
}
