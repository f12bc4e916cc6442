#include "instrument/module.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the module of an address ---- */

static size_t aligned(size_t bytes, size_t to)
{
    return (bytes + to - 1) & ~(to - 1);
}

static void read_notes(struct ep_module_cell *cell, const char *at, size_t bytes, size_t to)
{
    while (bytes >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)at;
        const char *name = at + sizeof *note;
        size_t before = aligned(sizeof *note + note->n_namesz, to);
        size_t length = before + aligned(note->n_descsz, to);
        if (length > bytes)
            return;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof "GNU" &&
            memcmp(name, "GNU", sizeof "GNU") == 0) {
            cell->build_id_bytes =
                note->n_descsz < EP_BUILD_ID_BYTES ? note->n_descsz : EP_BUILD_ID_BYTES;
            memcpy(cell->build_id, at + before, cell->build_id_bytes);
            return;
        }
        at += length;
        bytes -= length;
    }
}

/* Where the page of an address begins. */
static uintptr_t page(uintptr_t address)
{
    return address & ~(uintptr_t)0xFFF;
}

/* The next segment of a type, after `last`, or the first one if that is NULL. NULL: none. */
static const ElfW(Phdr) *
    next_segment(const struct dl_phdr_info *info, const ElfW(Phdr) * last, uint32_t type)
{
    const ElfW(Phdr) *end = info->dlpi_phdr + info->dlpi_phnum;
    for (last = last ? last + 1 : info->dlpi_phdr; last < end; last++)
        if (last->p_type == type)
            return last;
    return NULL;
}

static bool is_inside(const struct dl_phdr_info *info, uintptr_t address)
{
    for (const ElfW(Phdr) *at = NULL; (at = next_segment(info, at, PT_LOAD)) != NULL;)
        if (address - (info->dlpi_addr + at->p_vaddr) < at->p_memsz)
            return true;
    return false;
}

static void find_range(const struct dl_phdr_info *info, struct ep_loaded_module *module)
{
    module->bias = info->dlpi_addr;
    module->begin = UINTPTR_MAX;
    for (const ElfW(Phdr) *at = NULL; (at = next_segment(info, at, PT_LOAD)) != NULL;) {
        uintptr_t begin = info->dlpi_addr + at->p_vaddr;
        if (page(begin) < module->begin)
            module->begin = page(begin);
        if (page(begin + at->p_memsz + 0xFFF) > module->end)
            module->end = page(begin + at->p_memsz + 0xFFF);
    }
}

static int look(struct dl_phdr_info *info, size_t bytes, void *data)
{
    struct ep_module_sight *sight = data;
    (void)bytes;
    if (!is_inside(info, sight->address))
        return 0;
    strncpy(sight->name, info->dlpi_name ? info->dlpi_name : "", sizeof sight->name - 1);
    ep_written_unseen(&sight->name); /* by the loader, for a library that it opened late */
    find_range(info, &sight->module);
    for (const ElfW(Phdr) *at = NULL;
         !sight->cell.build_id_bytes && (at = next_segment(info, at, PT_NOTE)) != NULL;)
        read_notes(&sight->cell, (const char *)(info->dlpi_addr + at->p_vaddr), at->p_memsz,
                   at->p_align == 8 ? 8 : 4);
    return 1;
}

/* The loader has no name for the program itself. */
static void describe(struct ep_module_sight *sight)
{
    struct stat status;
    struct ep_module_cell *cell = &sight->cell;
    if (!*sight->name) {
        ssize_t bytes = readlink("/proc/self/exe", sight->path, sizeof sight->path - 1);
        sight->path[bytes > 0 ? bytes : 0] = '\0';
    } else if (!realpath(sight->name, sight->path))
        strcpy(sight->path, sight->name);
    cell->begin = sight->module.begin;
    cell->bias = sight->module.bias;
    cell->pages = (uint32_t)((sight->module.end - sight->module.begin) >> 12);
    if (*sight->path && stat(sight->path, &status) == 0)
        cell->modified_ns =
            (uint64_t)status.st_mtim.tv_sec * 1000000000 + (uint64_t)status.st_mtim.tv_nsec;
}

/*
 * _dl_find_object() takes no lock and may be called in a signal handler. In a forked child, the
 * lock of dl_iterate_phdr() may be held by a thread that does not exist. The program headers lie
 * where the first page of the file is mapped.
 */
#ifdef DLFO_STRUCT_HAS_EH_DBASE

static bool find_object(uintptr_t address, struct dl_phdr_info *info)
{
    struct dl_find_object object;
    *info = (struct dl_phdr_info){.dlpi_phnum = 0};
    if (_dl_find_object((void *)address, &object) != 0)
        return true;
    ep_written_unseen(&object);
    const ElfW(Ehdr) *header = object.dlfo_map_start;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return false;
    info->dlpi_addr = object.dlfo_link_map->l_addr;
    info->dlpi_name = object.dlfo_link_map->l_name;
    info->dlpi_phdr = (const ElfW(Phdr) *)((const char *)header + header->e_phoff);
    info->dlpi_phnum = header->e_phnum;
    return true;
}

#else
#define find_object(address, info) ((void)(info), false)
#endif

void ep_module_see(struct ep_module_sight *sight)
{
    struct dl_phdr_info info;
    bool is_seen = find_object(sight->address, &info) ? look(&info, sizeof info, sight) != 0
                                                      : dl_iterate_phdr(look, sight) != 0;
    if (is_seen) {
        describe(sight);
    } else {
        sight->module.begin = page(sight->address);
        sight->module.end = sight->module.begin + page(0x1FFF);
    }
}

/* ---- still loaded ---- */

static int begins_at(struct dl_phdr_info *info, size_t bytes, void *begin)
{
    struct ep_loaded_module module = {.end = 0};
    (void)bytes;
    find_range(info, &module);
    return module.begin == *(const uintptr_t *)begin;
}

bool ep_module_is_loaded(uintptr_t begin)
{
    return dl_iterate_phdr(begins_at, &begin) != 0;
}

/* ---- loaded at the program's start ---- */

struct start_search {
    uintptr_t address;  /* whose module is searched for, */
    const char *needed; /* or, if not NULL: the modules that need this one are searched for */
    int index;          /* of the visited module; 0 is the program */
    int depth;          /* of the chain of modules that need each other, which may be a cycle */
    bool is_of_start;
    char name[NAME_MAX + 1]; /* found: the module of the address, */
    char file[NAME_MAX + 1]; /* and its file */
};

enum { MOST_DEPTH = 16 };

static const ElfW(Dyn) * dynamic_of(const struct dl_phdr_info *info)
{
    const ElfW(Phdr) *segment = next_segment(info, NULL, PT_DYNAMIC);
    return segment ? (const void *)(uintptr_t)(info->dlpi_addr + segment->p_vaddr) : NULL;
}

/* The first entry with a tag, from `at` on; NULL: none. */
static const ElfW(Dyn) * entry_of(const ElfW(Dyn) * at, int64_t tag)
{
    while (at->d_tag != DT_NULL && at->d_tag != tag)
        at++;
    return at->d_tag == tag ? at : NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The text that an entry names, without the folder, which a linker also writes if it was given the
 * path of a library. NULL: there are no texts. The loader relocates the address of the table,
 * except in a read-only module (vdso). */
static const char *text_of(const struct dl_phdr_info *info, const ElfW(Dyn) * dynamic,
                           const ElfW(Dyn) * entry)
{
    const ElfW(Dyn) *table = entry_of(dynamic, DT_STRTAB);
    uintptr_t at = table ? table->d_un.d_ptr : 0;
    if (table && at < info->dlpi_addr)
        at += info->dlpi_addr;
    return at ? base_name((const char *)at + entry->d_un.d_val) : NULL;
}

/* The name by which others need it: DT_SONAME, otherwise the name of its file. */
static const char *name_of(const struct dl_phdr_info *info, const ElfW(Dyn) * dynamic)
{
    const ElfW(Dyn) *entry = entry_of(dynamic, DT_SONAME);
    const char *name = entry ? text_of(info, dynamic, entry) : NULL;
    return name ? name : base_name(info->dlpi_name);
}

static bool needs(const struct dl_phdr_info *info, const ElfW(Dyn) * dynamic, const char *name)
{
    const ElfW(Dyn) *entry = entry_of(dynamic, DT_NEEDED);
    for (; entry; entry = entry_of(entry + 1, DT_NEEDED)) {
        const char *text = text_of(info, dynamic, entry);
        if (text && strcmp(text, name) == 0)
            return true;
    }
    return false;
}

static int look_for_start(struct dl_phdr_info *info, size_t bytes, void *context)
{
    struct start_search *search = context;
    const ElfW(Dyn) *dynamic = dynamic_of(info);
    bool is_program = search->index++ == 0;
    (void)bytes;
    if (search->needed ? !dynamic || !needs(info, dynamic, search->needed)
                       : !is_inside(info, search->address))
        return 0;
    const ElfW(Dyn) *flags = dynamic ? entry_of(dynamic, DT_FLAGS_1) : NULL;
    /* linked with -z nodelete, a module is never unloaded either */
    bool is_kept = flags && flags->d_un.d_val & DF_1_NODELETE;
    if (is_program || !dynamic || (!search->needed && is_kept)) {
        search->is_of_start = true;
    } else if (!search->needed) {
        strncat(search->name, name_of(info, dynamic), NAME_MAX);
        strncat(search->file, base_name(info->dlpi_name), NAME_MAX);
        return 1;
    } else if (search->depth < MOST_DEPTH) {
        struct start_search next = {.needed = name_of(info, dynamic), .depth = search->depth + 1};
        dl_iterate_phdr(look_for_start, &next);
        search->is_of_start = next.is_of_start;
    }
    return search->is_of_start;
}

bool ep_module_is_of_start(uintptr_t address)
{
    struct start_search own = {.address = address};
    dl_iterate_phdr(look_for_start, &own);
    const char *preloaded = getenv("LD_PRELOAD");
    if (own.is_of_start || !*own.name || !*own.file || (preloaded && strstr(preloaded, own.file)))
        return true;
    struct start_search others = {.needed = own.name};
    dl_iterate_phdr(look_for_start, &others);
    return others.is_of_start;
}
