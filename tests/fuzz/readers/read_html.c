/* Uses gumbo, which parses as the HTML Living Standard requires of browsers: the page must have the
 * elements and the attributes of its twin, and its text, except for the labels. */
#include <gumbo.h>
#include <wchar.h>

#include "../require.h"
#include "readers.h"
#include "shown.h"

/* Characters that must not be in the text of a page, since people would not see them. */
#define ELEMENT "\x01"
#define ATTRIBUTE "\x02"
#define END "\x03"

static void write_node(FILE *out, const GumboNode *node);

static void write_children(FILE *out, const GumboVector *children)
{
    for (unsigned i = 0; i < children->length; i++)
        write_node(out, children->data[i]);
}

static void write_element(FILE *out, const GumboElement *element)
{
    const GumboStringPiece *tag = &element->original_tag; /* including elements of SVG and others */
    fprintf(out, ELEMENT "%s %u", gumbo_normalized_tagname(element->tag),
            element->tag == GUMBO_TAG_UNKNOWN ? (unsigned)tag->length : 0);
    for (unsigned i = 0; i < element->attributes.length; i++) {
        const GumboAttribute *attribute = element->attributes.data[i];
        fprintf(out, ATTRIBUTE "%s=%s", attribute->name, attribute->value);
    }
    write_children(out, &element->children);
    fputs(END, out);
}

static void write_node(FILE *out, const GumboNode *node)
{
    switch (node->type) {
    case GUMBO_NODE_DOCUMENT:
        write_children(out, &node->v.document.children);
        break;
    case GUMBO_NODE_ELEMENT:
    case GUMBO_NODE_TEMPLATE:
        write_element(out, &node->v.element);
        break;
    case GUMBO_NODE_COMMENT:
        fprintf(out, ELEMENT "!%s" END, node->v.text.text);
        break;
    default:
        fputs(node->v.text.text, out);
    }
}

/* The page as a parser sees it; the caller frees it. */
static char *parsed(const char *page, size_t bytes)
{
    char *text;
    size_t text_bytes;
    FILE *out = open_memstream(&text, &text_bytes);
    GumboOutput *output = gumbo_parse_with_options(&kGumboDefaultOptions, page, bytes);
    require(out && output, "there is memory for a page");
    write_node(out, output->document);
    gumbo_destroy_output(&kGumboDefaultOptions, output);
    fclose(out);
    return text;
}

/* Replaces noncharacters, which the standard tells a parser to keep, but gumbo does not: it returns
 * U+FFFD for them. Works in place. */
static char *as_gumbo_reads(char *text)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    char *to = text;
    for (const char *from = text; *from;) {
        mbstate_t state = {0};
        wchar_t point;
        size_t bytes = mbrtowc(&point, from, strlen(from), &state);
        require(bytes > 0 && bytes <= 4, "what is shown is UTF-8");
        bool is_none = (point & 0xFFFE) == 0xFFFE || (point >= 0xFDD0 && point <= 0xFDEF);
        size_t kept = is_none ? strlen(replacement) : bytes;
        memmove(to, is_none ? replacement : from, kept);
        to += kept;
        from += bytes;
    }
    *to = '\0';
    return text;
}

void read_html(const struct report *report)
{
    char *page = parsed(report->text, report->bytes);
    char *twin = parsed(report->twin, strlen(report->twin));
    require(is_text(as_gumbo_reads(labels_fill_in(report->labels, twin, shown_to_people)), page),
            "a page is its twin but for the labels");
    free(page);
    free(twin);
}
