#include "demangle.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The C++ ABI, 3.4; this program is C, so its header cannot be included. */
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
