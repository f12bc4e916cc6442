/*
 * image_layout.h - the fields of each kind of cell
 *
 * It has the content of cell.h as a table, for code that damages images field by field.
 */
#ifndef IMAGE_LAYOUT_H
#define IMAGE_LAYOUT_H

#include "image/layout.h"

/* The kinds of the header come first, in its order. */
enum layout_kind {
    LAYOUT_IDENTITY,
    LAYOUT_CONTROL,
    LAYOUT_SOURCE,
    LAYOUT_PROBE,
    LAYOUT_ROOT,
    LAYOUT_DIAGNOSTICS,
    LAYOUT_TREE,
    LAYOUT_SCALE,
    LAYOUT_LOCK,
    LAYOUT_SUM,
    LAYOUT_FUNCTION_PROBE,
    LAYOUT_NOTE,
    LAYOUT_SAMPLED_PROBE,
    LAYOUT_PROCESSES, /* not at the index of its kind */
    LAYOUT_BALANCE,
    LAYOUT_GROUPS,
    LAYOUT_THREAD,
    LAYOUT_MORE,
    LAYOUT_PAIR,
    LAYOUT_NODE,
    LAYOUT_SAMPLING,
    LAYOUT_FRAME,
    LAYOUT_MODULE,
    LAYOUT_SITE,
    LAYOUT_INSTANCE,
    LAYOUT_DIRECTORY,
    LAYOUT_FAR,
    LAYOUT_OCTAVE,
    LAYOUT_TEXT,
    LAYOUT_KINDS
};

enum layout_meaning {
    LAYOUT_NUMBER,
    LAYOUT_SEES, /* a reference to a shared cell, or to the next cell of a list */
    LAYOUT_OWNS  /* a reference to a cell to which no other one refers */
};

/* `count` fields in a row: an array. */
struct layout_field {
    uint16_t offset;
    uint8_t bytes;
    uint8_t count;
    enum layout_meaning meaning;
};

struct layout {
    uint32_t cells;
    int next_offset; /* of the reference to the next cell; -1: in no list */
    const struct layout_field *fields;
    uint32_t field_count;
};

extern const struct layout layouts[LAYOUT_KINDS];

#endif /* IMAGE_LAYOUT_H */
