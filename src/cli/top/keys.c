#include "cli/top/top.h"

#include <string.h>

/* The key of a character is the character. */
enum key {
    KEY_BACKSPACE = 8,
    KEY_ENTER = 13,
    KEY_CLEAR = 21, /* ^U */
    KEY_ESCAPE = 27,
    KEY_DELETE = 127, /* most terminals send it for backspace */
    KEY_UP = 256,
    KEY_DOWN,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_HOME,
    KEY_END,
    KEY_UNKNOWN
};

/* ---- from bytes to keys ---- */

/* The key of a sequence after its ESC, as xterm and its successors send it (ECMA-48, 5.4: CSI, or
 * SS3 if the keypad is on). */
static int key_of(const char *sequence, size_t count)
{
    static const struct {
        const char *sequence;
        int key;
    } keys[] = {{"[A", KEY_UP},       {"[B", KEY_DOWN},       {"[C", KEY_RIGHT}, {"[D", KEY_LEFT},
                {"OA", KEY_UP},       {"OB", KEY_DOWN},       {"OC", KEY_RIGHT}, {"OD", KEY_LEFT},
                {"[5~", KEY_PAGE_UP}, {"[6~", KEY_PAGE_DOWN}, {"[H", KEY_HOME},  {"[F", KEY_END},
                {"[1~", KEY_HOME},    {"[4~", KEY_END},       {"OH", KEY_HOME},  {"OF", KEY_END}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strlen(keys[i].sequence) == count && memcmp(keys[i].sequence, sequence, count) == 0)
            return keys[i].key;
    return KEY_UNKNOWN;
}

/* The length of the sequence after an ESC; 0: it is the key Escape. */
static size_t sequence_length(const char *bytes, size_t count)
{
    if (count == 0 || (bytes[0] != '[' && bytes[0] != 'O'))
        return 0;
    size_t length = 1;
    while (length < count && bytes[0] == '[' && bytes[length] >= 0x20 && bytes[length] < 0x40)
        length++; /* parameters */
    return length < count ? length + 1 : length;
}

static int next_key(const char **bytes, size_t *count)
{
    int key = (unsigned char)**bytes;
    ++*bytes;
    --*count;
    size_t length = key == KEY_ESCAPE ? sequence_length(*bytes, *count) : 0;
    if (length)
        key = key_of(*bytes, length);
    *bytes += length;
    *count -= length;
    return key == '\n' ? KEY_ENTER : key;
}

/* ---- the filter ---- */

static void drop_last_character(char *text)
{
    size_t bytes = strlen(text);
    while (bytes > 0 && ((unsigned char)text[bytes - 1] & 0xC0) == 0x80)
        bytes--;
    text[bytes ? bytes - 1 : 0] = '\0';
}

static void add(struct ep_top_view *view, int key)
{
    size_t bytes = strlen(view->filter);
    if (key < ' ' || key >= KEY_UP || bytes + 1 >= sizeof view->filter)
        return;
    view->filter[bytes] = (char)key;
    view->filter[bytes + 1] = '\0';
}

static enum ep_top_wish type(struct ep_top_view *view, int key)
{
    switch (key) {
    case KEY_ENTER:
        view->is_typing = false;
        break;
    case KEY_ESCAPE:
        view->is_typing = false;
        strcpy(view->filter, view->former);
        break;
    case KEY_BACKSPACE:
    case KEY_DELETE:
        drop_last_character(view->filter);
        break;
    case KEY_CLEAR:
        view->filter[0] = '\0';
        break;
    default:
        add(view, key);
    }
    view->first = 0;
    return EP_TOP_WISH_DRAW;
}

/* ---- the other keys ---- */

static enum ep_top_wish sort_by(struct ep_top_view *view, enum ep_top_column column)
{
    view->sort = column;
    view->first = 0;
    return EP_TOP_WISH_DRAW;
}

static enum ep_top_wish scroll(struct ep_top_view *view, int key)
{
    size_t page = view->room > 1 ? view->room - 1 : 1;
    size_t step = key == KEY_PAGE_UP || key == KEY_PAGE_DOWN ? page : 1;
    if (key == KEY_HOME)
        view->first = 0;
    else if (key == KEY_END)
        view->first = SIZE_MAX / 2; /* ep_top_lines_view_fit() limits it */
    else if (key == KEY_UP || key == KEY_PAGE_UP)
        view->first -= view->first < step ? view->first : step;
    else
        view->first += step;
    return EP_TOP_WISH_DRAW;
}

static enum ep_top_wish command(struct ep_top_view *view, int key)
{
    switch (key) {
    case 'q':
    case 'Q':
        return EP_TOP_WISH_QUIT;
    case 'p':
    case ' ':
        view->is_paused = !view->is_paused;
        return EP_TOP_WISH_DRAW;
    case '/':
        view->is_typing = true;
        strcpy(view->former, view->filter);
        return EP_TOP_WISH_DRAW;
    case 'b':
        view->by_path = !view->by_path;
        view->first = 0;
        return EP_TOP_WISH_DRAW;
    case '>':
    case KEY_RIGHT:
        return sort_by(view, (view->sort + 1) % EP_TOP_COLUMNS);
    case '<':
    case KEY_LEFT:
        return sort_by(view, (view->sort + EP_TOP_COLUMNS - 1) % EP_TOP_COLUMNS);
    case KEY_UP:
    case KEY_DOWN:
    case KEY_PAGE_UP:
    case KEY_PAGE_DOWN:
    case KEY_HOME:
    case KEY_END:
        return scroll(view, key);
    default:
        return EP_TOP_WISH_NOTHING;
    }
}

enum ep_top_wish ep_top_keys_take(struct ep_top_view *view, const char *bytes, size_t count)
{
    enum ep_top_wish wish = EP_TOP_WISH_NOTHING;
    while (count > 0 && wish != EP_TOP_WISH_QUIT) {
        int key = next_key(&bytes, &count);
        enum ep_top_wish next = view->is_typing ? type(view, key) : command(view, key);
        wish = next == EP_TOP_WISH_NOTHING ? wish : next;
    }
    return wish;
}
