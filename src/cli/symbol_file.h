/*
 * symbol_file.h - the file of a program or library, and what was stripped from it
 *
 * Addresses are those of the file itself, as its program headers have them, wherever the loader
 * put it.
 */
#ifndef EP_CLI_SYMBOL_FILE_H
#define EP_CLI_SYMBOL_FILE_H

#include <elfutils/libdwfl.h>
#include <stdint.h>

/* Which file is meant: the one that was at that path when it was recorded from. */
struct ep_symbol_source {
    const char *path;
    const char *build_id;        /* hexadecimal, of at most 20 bytes; "": it has none */
    uint64_t modified_ns;        /* 0: not known */
    const char *debug_directory; /* to be looked at before the usual ones; NULL: none */
};

struct ep_symbol_file {
    Dwfl *session;
    Dwfl_Module *module; /* at address 0, so that its addresses are the file's */
    char *debug_path;
};

/* 0; or -1, and *why says what is wrong with the file: "is not there any more". It is of the
 * next call's, too. */
int ep_symbol_file_open(struct ep_symbol_file *file, const struct ep_symbol_source *source,
                        const char **why);
void ep_symbol_file_close(struct ep_symbol_file *file);

#endif /* EP_CLI_SYMBOL_FILE_H */
