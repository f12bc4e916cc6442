#include "cli/symbols/symbols.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/layout.h"

/* ---- from linker names to source names ---- */

/* The C++ ABI, 3.4; this program is C, so its header cannot be included. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier): named there */
char *__cxa_demangle(const char *mangled, char *output, size_t *length, int *status);

/* The suffixes of gcc (tree-inline, ipa-cp, ipa-sra, ipa-split, lto) and clang (ThinLTO, internal
 * linkage). */
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

size_t ep_symbols_demangle_stem(const char *linkage)
{
    for (const char *dot = strchr(linkage, '.'); dot; dot = strchr(dot + 1, '.'))
        if (dot != linkage && is_suffix(dot + 1))
            return (size_t)(dot - linkage);
    return strlen(linkage);
}

char *ep_symbols_demangle(const char *stem)
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

/* Whether the word `operator` is here, and not only a part of a word. */
static bool is_operator(const char *name, const char *at)
{
    static const char word[] = "operator";
    size_t length = sizeof word - 1;
    return strncmp(at, word, length) == 0 && !is_of_word(at[length]) &&
           (at == name || !is_of_word(at[-1]));
}

/* Where the parameters of an operator begin, after its name. */
static const char *after_operator(const char *at)
{
    at += strlen("operator");
    if (strncmp(at, "()", 2) == 0)
        at += 2;
    return at + strcspn(at, "(");
}

/* The end of "(anonymous namespace)", which is no list of parameters; NULL: `at` is not at its
 * beginning. */
static const char *after_anonymous(const char *at)
{
    static const char words[] = "(anonymous namespace)";
    return strncmp(at, words, sizeof words - 1) == 0 ? at + sizeof words - 1 : NULL;
}

char *ep_symbols_demangle_bare(const char *name)
{
    const char *begin = name, *at = name;
    int depth = 0; /* open brackets: they enclose template arguments and names of lambdas */
    while (*at) {
        const char *after = after_anonymous(at);
        if (!after && depth == 0 && is_operator(name, at))
            after = after_operator(at);
        if (after) {
            at = after;
            continue;
        }
        if (depth == 0 && *at == '(')
            break;
        if (depth == 0 && *at == ' ')
            begin = at + 1; /* the part before it is a type */
        depth += *at == '<' || *at == '{' || *at == '[' || *at == '(';
        depth -= *at == '>' || *at == '}' || *at == ']' || *at == ')';
        at++;
    }
    return strndup(begin, (size_t)(at - begin));
}

/* ---- symbol tables: .symtab, else .dynsym ---- */

static bool is_function(const GElf_Sym *symbol, GElf_Word section)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    return (type == STT_FUNC || type == STT_GNU_IFUNC) && section != SHN_UNDEF;
}

/* A global name is used by other files; a weak one may be an alias that nobody uses. */
static unsigned rank_of(const GElf_Sym *symbol)
{
    switch (GELF_ST_BIND(symbol->st_info)) {
    case STB_GLOBAL:
        return 2;
    case STB_WEAK:
        return 1;
    default:
        return 0;
    }
}

static int compare_size(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* Sorts by address, and names of one address from the worst to the best. A better name has a higher
 * rank; else fewer underscores at its beginning, as internal names have; else it is shorter; else
 * first in the alphabet. */
static int compare(const void *left, const void *right)
{
    const struct ep_range *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    int order = compare_size(strspn(b->name, "_"), strspn(a->name, "_"));
    if (!order)
        order = compare_size(strlen(b->name), strlen(a->name));
    return order ? order : strcmp(b->name, a->name);
}

static int table_read(struct ep_ranges *table, Dwfl_Module *module)
{
    *table = (struct ep_ranges){.at = NULL};
    int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count; i++) { /* entry 0 is no symbol */
        GElf_Sym symbol;
        GElf_Addr address;
        GElf_Word section;
        const char *name =
            dwfl_module_getsym_info(module, i, &symbol, &address, &section, NULL, NULL);
        if (!name || !*name || !is_function(&symbol, section))
            continue;
        if (ep_debug_ranges_add(table, (struct ep_range){.begin = address,
                                                         .end = address + symbol.st_size,
                                                         .name = name,
                                                         .rank = rank_of(&symbol)}) != 0) {
            ep_debug_ranges_free(table);
            return -1;
        }
    }
    ep_debug_ranges_sort(table, compare);
    return 0;
}

/* ---- the file, and what was stripped from it ---- */

/* The default of libdwfl; the empty entry is the file's own directory. */
#define USUAL_DEBUG_PATH ":.debug:/usr/lib/debug"

static const char has_changed[] = "has changed since the profile was taken";

static const char *reason(int error)
{
    static char text[256];
    if (error == ENOENT || error == ENOTDIR)
        return "is not there any more";
    snprintf(text, sizeof text, "cannot be read: %s", strerror(error));
    return text;
}

/* Does not wait for the writer of a pipe, nor acquire a terminal. */
static int open_regular(const char *path, struct stat *status, const char **why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        *why = reason(errno);
        return -1;
    }
    if (fstat(fd, status) == 0 && S_ISREG(status->st_mode))
        return fd;
    *why = "is no file";
    close(fd);
    return -1;
}

static uint64_t modified_ns(const struct stat *status)
{
    return (uint64_t)status->st_mtim.tv_sec * 1000000000 + (uint64_t)status->st_mtim.tv_nsec;
}

/* An image holds only the first bytes of a longer build id. */
static bool is_build_id(const char *wanted, const unsigned char *id, size_t bytes)
{
    char text[2 * EP_BUILD_ID_BYTES + 1] = "";
    size_t kept = bytes < EP_BUILD_ID_BYTES ? bytes : EP_BUILD_ID_BYTES;
    for (size_t i = 0; i < kept; i++)
        snprintf(text + 2 * i, 3, "%02x", id[i]);
    return strcasecmp(wanted, text) == 0;
}

static bool is_unchanged(Elf *elf, const struct stat *status, const struct ep_symbol_source *source)
{
    const void *id;
    if (*source->build_id) {
        ssize_t bytes = dwelf_elf_gnu_build_id(elf, &id);
        return bytes > 0 && is_build_id(source->build_id, id, (size_t)bytes);
    }
    return source->modified_ns == 0 || source->modified_ns == modified_ns(status);
}

static const char *fault_of(struct ep_symbols *symbols, const struct stat *status,
                            const struct ep_symbol_source *source)
{
    GElf_Addr bias;
    GElf_Ehdr header;
    Elf *elf = dwfl_module_getelf(symbols->module, &bias);
    if (!elf || !gelf_getehdr(elf, &header))
        return "cannot be understood";
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return "is neither a program nor a library";
    return is_unchanged(elf, status, source) ? NULL : has_changed;
}

/* libdwfl does not look up build ids in a relative directory. NULL: no memory. */
static char *debug_path_of(const char *directory)
{
    char *path;
    if (!directory)
        return strdup(USUAL_DEBUG_PATH);
    char *absolute = realpath(directory, NULL);
    int length = asprintf(&path, "%s:" USUAL_DEBUG_PATH, absolute ? absolute : directory);
    free(absolute);
    return length < 0 ? NULL : path;
}

static int begin_session(struct ep_symbols *symbols, const char *debug_directory)
{
    static Dwfl_Callbacks callbacks; /* libdwfl keeps the pointer, and one to the path */
    static char *path;
    symbols->debug_path = path = debug_path_of(debug_directory);
    callbacks = (Dwfl_Callbacks){.find_debuginfo = dwfl_standard_find_debuginfo,
                                 .section_address = dwfl_offline_section_address,
                                 .debuginfo_path = &path};
    symbols->session = path ? dwfl_begin(&callbacks) : NULL;
    if (symbols->session)
        return 0;
    free(path);
    return -1;
}

static void close_file(struct ep_symbols *symbols)
{
    dwfl_end(symbols->session);
    free(symbols->debug_path);
}

static int open_file(struct ep_symbols *symbols, const struct ep_symbol_source *source,
                     const char **why)
{
    struct stat status;
    int fd = open_regular(source->path, &status, why);
    if (fd < 0)
        return -1;
    if (begin_session(symbols, source->debug_directory) != 0) {
        *why = reason(ENOMEM);
        close(fd);
        return -1;
    }
    dwfl_report_begin(symbols->session);
    symbols->module = dwfl_report_elf(symbols->session, source->path, source->path, fd, 0, true);
    dwfl_report_end(symbols->session, NULL, NULL);
    if (!symbols->module)
        close(fd); /* else it belongs to the session */
    *why = symbols->module ? fault_of(symbols, &status, source) : "is no ELF file";
    if (!*why)
        return 0;
    close_file(symbols);
    return -1;
}

/* ---- functions by their addresses ---- */

int ep_symbols_open(struct ep_symbols *symbols, const struct ep_symbol_source *source,
                    const char **why)
{
    if (open_file(symbols, source, why) != 0)
        return -1;
    if (ep_debug_units_open(&symbols->debug, symbols->module) == 0) {
        if (table_read(&symbols->table, symbols->module) == 0)
            return 0;
        ep_debug_units_close(&symbols->debug);
    }
    close_file(symbols);
    *why = "is too large for the memory that there is";
    return -1;
}

void ep_symbols_close(struct ep_symbols *symbols)
{
    ep_debug_ranges_free(&symbols->table);
    ep_debug_units_close(&symbols->debug);
    close_file(symbols);
}

struct ep_symbol ep_symbols_find(struct ep_symbols *symbols, uint64_t address)
{
    struct ep_symbol symbol = ep_debug_find(&symbols->debug, address);
    size_t count = ep_debug_ranges_up_to(&symbols->table, address);
    const struct ep_range *found = count ? &symbols->table.at[count - 1] : NULL;
    /* The linkage name of the debug information is preferred: it is the function's own, the symbol
     * may be that of a copy. Functions with internal linkage have the symbol only. */
    if (found && !symbol.linkage && (address == found->begin || address < found->end))
        symbol.linkage = found->name;
    if (!symbol.file || symbol.line < 0)
        symbol.line = 0;
    return symbol;
}

char *ep_symbols_symbol_name(const struct ep_symbol *symbol)
{
    char *stem = NULL, *name = NULL;
    if (symbol->linkage)
        stem = strndup(symbol->linkage, ep_symbols_demangle_stem(symbol->linkage));
    if (stem)
        name = ep_symbols_demangle(stem);
    if (!name && symbol->name)
        name = strdup(symbol->name);
    if (!name)
        return stem;
    free(stem);
    return name;
}
