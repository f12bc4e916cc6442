#include "contexts.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../src/base/compiler.h"

static void *tree;

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

EP_ANALYZER_KEPT_BEGIN /* in the tree */
bool contexts_add(uint64_t context)
{
    uint64_t *own = malloc(sizeof *own);
    uint64_t **node = own ? (*own = context, tsearch(own, &tree, compare)) : NULL;
    if (!node) {
        perror("contexts");
        exit(1);
    }
    bool is_new = *node == own;
    if (!is_new)
        free(own);
    return is_new;
}
EP_ANALYZER_KEPT_END
