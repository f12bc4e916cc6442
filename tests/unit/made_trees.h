/*
 * made_trees.h - call trees as programs have them
 */
#ifndef MADE_TREES_H
#define MADE_TREES_H

#include "made_tree.h"

enum { US = 1000, MS = 1000000 };

/* A small server: two sites of one name, one call that is open, one that was rejected. */
static inline void make_server(struct made_tree *tree)
{
    made_scope(tree, 0, "main", 0, 2 * MS)->open = 1;
    made_scope(tree, 1, "serve", 1, 31 * MS);
    made_scope(tree, 2, "handle_request", 2000, 40 * MS);
    made_scope(tree, 3, "render", 1990, 210 * MS);
    made_scope(tree, 4, "escape", 51740, 90 * MS);
    made_scope(tree, 4, "lookup", 4100, 12 * MS)->line = 77;
    made_scope(tree, 3, "query", 2010, 180 * MS)->errors = 1;
    made_scope(tree, 4, "lookup", 2010, 35 * MS);
    made_scope(tree, 3, "parse_headers", 2000, 22 * MS);
    made_scope(tree, 3, "log", 2000, 700 * US);
    made_scope(tree, 4, "format_time", 2000, 300 * US);
    made_scope(tree, 3, "free_request", 2000, 90 * US);
    made_scope(tree, 2, "accept", 2000, 9 * MS);
    made_scope(tree, 1, "read_configuration", 1, 3200 * US);
    made_scope(tree, 2, "parse_line", 412, 1100 * US);
    made_trouble(tree, "unbalanced", 3);
    made_trouble(tree, "out_of_cells", 1);
}

/* As many shapes as fit: a fan, a chain without time of its own, recursion, long names. */
static inline void make_shapes(struct made_tree *tree)
{
    static const char *const fan[] = {"f00", "f01", "f02", "f03", "f04", "f05", "f06", "f07",
                                      "f08", "f09", "f10", "f11", "f12", "f13", "f14", "f15",
                                      "f16", "f17", "f18", "f19", "f20", "f21", "f22", "f23"};
    made_scope(tree, 0, "main", 1, 20 * MS);
    for (uint32_t depth = 1; depth <= 5000; depth++)
        made_scope(tree, depth, "descend", 1, 0);
    made_scope(tree, 5001, "bottom", 1, 400 * MS);
    made_scope(tree, 1, "fan", 1, 5 * MS);
    for (size_t i = 0; i < sizeof fan / sizeof fan[0]; i++)
        made_scope(tree, 2, fan[i], 1, (24 - i) * MS);
    made_scope(tree, 1,
               "std::vector<std::pair<int, std::string>>::emplace_back(int&&, char const*&)", 9,
               50 * MS);
    made_scope(tree, 2, "\xE6\x96\x87\xE5\xAD\x97\xE5\x88\x97\xE3\x82\x92\xE8\xAA\xAD\xE3\x82\x80",
               9, 20 * MS);
    for (uint32_t depth = 1; depth <= 30; depth++)
        made_scope(tree, depth, "recurse_into", 1, 6 * MS);
}

/* Two threads under one name are two, each with a tree and tops of its own. */
static inline void make_thread_trees(struct made_tree *tree)
{
    static const char first[] = "worker", second[] = "worker", hostile[] = "\033]0;owned\007";
    tree->thread = "main";
    made_scope(tree, 0, "main", 1, 5 * MS);
    made_scope(tree, 1, "wait", 3, 300 * MS);
    tree->thread = first;
    made_scope(tree, 0, "work", 70, 90 * MS);
    made_scope(tree, 1, "fetch", 70, 10 * MS);
    tree->thread = second;
    made_scope(tree, 0, "work", 80, 110 * MS);
    tree->thread = hostile;
    made_scope(tree, 0, "work", 1, 1 * MS);
}

/* Instances beside scopes, a fan of two that is cut to one line each. */
static inline void make_both(struct made_tree *tree)
{
    made_instance(tree, even_instance(0, "func1", 1, UINT64_C(10018200000)));
    made_instance(tree, even_instance(1, "func2", 10, UINT64_C(501894000)));
    made_scope(tree, 0, "main", 1, 100 * MS);
    made_scope(tree, 1, "f", 3, 50 * MS);
    made_scope(tree, 1, "f", 4, 20 * MS)->line = 2;
    struct eprof_row *other = made_scope(tree, 0, "(other)", 1234, 10 * MS);
    other->file = "";
    other->line = 0;
    made_trouble(tree, "unbalanced", 1);
}

/* Names that are to harm the terminal, to pass for others, or to break the lines. */
static inline void make_hostile_tree(struct made_tree *tree)
{
    made_scope(tree, 0, "\033[2J\033[31mred\xC2\x9Bm", 1, 100 * US)->file = "a/\033[0m.c";
    made_scope(tree, 1, "\033[2J\033[31mred\xC2\x9Bm", 1, 90 * US)->line = 9;
    made_scope(tree, 1, "two\nlines\r", 1, 80 * US);
    made_scope(tree, 1, "\xE2\x80\xAEtxet desrever\xE2\x81\xA9\xD8\x9C", 1, 70 * US);
    made_scope(tree, 1, "no\xE2\x80\x8Bthing\xEF\xBB\xBF", 1, 60 * US);
    made_scope(tree, 1,
               "line\xE2\x80\xA8"
               "end",
               1, 50 * US);
    made_scope(tree, 1, "\xFF\xC3(\xED\xA0\x80 cut \xE2\x82", 1, 40 * US);
    made_scope(tree, 1, "e\xCC\x81t\xC3\xA9 \xE6\x96\x87\xE5\xAD\x97 \xF0\x9F\x98\x80", 1, 30 * US);
    made_scope(tree, 1, "say \"hi\"; 50%, \\o/", 1, 20 * US);
    made_scope(tree, 1, "", 1, 10 * US);
}

static inline void assert_golden_tree(void (*make_one)(struct made_tree *tree), const char *format,
                                      const char *file)
{
    struct made_tree tree = {.rows = NULL};
    make_one(&tree);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    assert_non_null(ep_report_find(format, strlen(format), &snapshot->options));
    char *text = reported(snapshot, format), *expected = golden(file);
    assert_string_equal(text, expected);
    free(expected);
    free(text);
    made_free(&tree);
}

#endif /* MADE_TREES_H */
