/*
 * A recursive-descent parser with a scope in each function: for each text, the calls and outermost
 * calls of each path are those of a plain model, also if it leaves its functions early at an error.
 *
 * The clock is one of the library's own, so that a budget in percent has an effect. Only counts are
 * compared.
 */
#include "random.h"
#include "sanitizer.h"
#include "tree_text.h"

enum { EXPRESSIONS = TAKES_VERY_LONG ? 500 : 5000, LOOK_EACH = 250, MOST_BYTES = 4000 };

/* ---- the model: a tree of nodes, and a stack; a function that is open folds into its node ---- */

enum function { EXPRESSION, TERM, FACTOR, NUMBER, CALL, ARGUMENTS, SPACE, FUNCTIONS };

static const char *const names[FUNCTIONS] = {"expression", "term",      "factor", "number",
                                             "call",       "arguments", "space"};

enum { NODES = 4096, DEPTH = 4096 };

static struct {
    int parent, function;
    uint64_t calls, outermost;
} nodes[NODES];

static int node_count, stack[DEPTH], depth, open_node[FUNCTIONS];

static void model_begin(void)
{
    node_count = 1; /* the root */
    depth = 0;
    memset(nodes, 0, sizeof nodes);
    memset(open_node, 0, sizeof open_node);
}

static int model_child(int parent, int function)
{
    int node = 1;
    while (node < node_count && (nodes[node].parent != parent || nodes[node].function != function))
        node++;
    if (node == NODES)
        abort();
    nodes[node].parent = parent;
    nodes[node].function = function;
    node_count += node == node_count;
    return node;
}

/* Returns whether the call is outermost. */
static bool model_enter(int function)
{
    bool is_outermost = !open_node[function];
    int node = is_outermost ? model_child(stack[depth], function) : open_node[function];
    nodes[node].calls++;
    nodes[node].outermost += is_outermost;
    open_node[function] = node;
    if (++depth == DEPTH)
        abort();
    stack[depth] = node;
    return is_outermost;
}

static void model_leave(int function, bool is_outermost)
{
    depth--;
    if (is_outermost)
        open_node[function] = 0;
}

static size_t model_path(int node, char *path)
{
    size_t bytes = 0;
    if (nodes[node].parent) {
        bytes = model_path(nodes[node].parent, path);
        path[bytes++] = ';';
    }
    strcpy(path + bytes, names[nodes[node].function]);
    return bytes + strlen(path + bytes);
}

static const char *model_text(void)
{
    static char *lines[NODES];
    for (int node = 1; node < node_count; node++) {
        char path[FUNCTIONS * 16];
        model_path(node, path);
        struct eprof_row row = {
            .path = path, .calls = nodes[node].calls, .outermost = nodes[node].outermost};
        lines[node - 1] = tree_line(&row);
    }
    return tree_join(lines, (size_t)node_count - 1);
}

/* ------------------------------------------------------------------ the parser -- */

static const char *next; /* of the expression */

#define PARSER(name, function)                                                                     \
    static bool read_##name(void);                                                                 \
    static __attribute__((noinline)) bool parse_##name(void)                                       \
    {                                                                                              \
        bool is_outermost = model_enter(function), is_good;                                        \
        {                                                                                          \
            EPROF_SCOPE(#name);                                                                    \
            is_good = read_##name();                                                               \
        }                                                                                          \
        model_leave(function, is_outermost);                                                       \
        return is_good;                                                                            \
    }                                                                                              \
    static bool read_##name(void)

static bool parse_expression(void);

PARSER(space, SPACE)
{
    while (*next == ' ')
        next++;
    return true;
}

PARSER(number, NUMBER)
{
    const char *begin = next;
    while (*next >= '0' && *next <= '9')
        next++;
    return next != begin;
}

PARSER(arguments, ARGUMENTS)
{
    if (!parse_expression())
        return false;
    if (*next != ',')
        return true;
    next++;
    return parse_arguments();
}

PARSER(call, CALL)
{
    next++;
    if (*next++ != '(' || !parse_arguments())
        return false;
    return *next++ == ')';
}

PARSER(factor, FACTOR)
{
    parse_space();
    if (*next == '-') {
        next++;
        return parse_factor();
    }
    if (*next == 'f')
        return parse_call();
    if (*next != '(')
        return parse_number() && parse_space();
    next++;
    return parse_expression() && *next++ == ')';
}

PARSER(term, TERM)
{
    while (parse_factor()) {
        if (*next != '*' && *next != '/')
            return true;
        next++;
    }
    return false;
}

PARSER(expression, EXPRESSION)
{
    while (parse_term()) {
        if (*next != '+' && *next != '-')
            return true;
        next++;
    }
    return false;
}

/* ----------------------------------------------------------- random expressions -- */

static char text[MOST_BYTES + 64];
static size_t bytes;

static void put(const char *part)
{
    size_t length = strlen(part);
    memcpy(text + bytes, part, length + 1);
    bytes += length;
}

static void make_expression(int deepest);

static void make_factor(int deepest)
{
    uint64_t dice = random_next() % 10;
    if (random_next() % 4 == 0)
        put(" ");
    if (dice == 0) {
        put("-");
        make_factor(deepest);
    } else if (deepest <= 0 || bytes > MOST_BYTES / 2 || dice < 6) {
        put(dice < 3 ? "7" : "1234");
    } else if (dice < 8) {
        put("(");
        make_expression(deepest - 1);
        put(")");
    } else {
        put("f(");
        for (uint64_t left = random_next() % 3; left; left--) {
            make_expression(deepest - 1);
            put(",");
        }
        make_expression(deepest - 1);
        put(")");
    }
}

static void make_expression(int deepest)
{
    static const char *const operators[] = {"+", "-", "*", "/"};
    make_factor(deepest);
    while (random_next() % 3 == 0 && bytes < MOST_BYTES) {
        put(operators[random_next() % 4]);
        make_factor(deepest);
    }
}

/* One in four is damaged. */
static void make_text(void)
{
    bytes = 0;
    make_expression((int)(random_next() % 40));
    if (random_next() % 4 == 0)
        text[random_next() % bytes] = "(),+ x"[random_next() % 6];
}

/* The paths differ by the function that the parser begins with. */
static bool parse_text(void)
{
    static bool (*const parsers[])(void) = {parse_expression, parse_term, parse_factor,
                                            parse_arguments};
    next = text;
    return parsers[random_next() % 4]() && !*next;
}

/* -------------------------------------------------------------------- the test -- */

static int begin(void **state)
{
    (void)state;
    setenv("TREE_TEXT", "counts", 1);
    eprof_init();
    model_begin();
    return 0;
}

TEST(parser_has_the_counts_of_a_model_at_each_path)
{
    uint64_t good = 0;
    for (int i = 1; i <= EXPRESSIONS; i++) {
        make_text();
        good += parse_text();
        if (i % LOOK_EACH != 0)
            continue;
        char *library = strdup(tree_text());
        if (strcmp(library, model_text()) != 0)
            fail_msg("after %d expressions:\n%sinstead of\n%s", i, library, model_text());
        free(library);
    }
    assert_diagnostics("");
    print_message("%d expressions, %" PRIu64 " without an error, %d paths\n", EXPRESSIONS, good,
                  node_count - 1);
}

TEST_EACH(begin, NULL)
