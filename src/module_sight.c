#include "module_sight.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- seen ---- */

static bool is_build_id(const ElfW(Nhdr) * note, const char *name)
{
    return note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof "GNU" &&
           memcmp(name, "GNU", sizeof "GNU") == 0;
}

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
        if (is_build_id(note, name)) {
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

static bool is_inside(const struct dl_phdr_info *info, uintptr_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD &&
            address - (info->dlpi_addr + segment->p_vaddr) < segment->p_memsz)
            return true;
    }
    return false;
}

static void find_range(const struct dl_phdr_info *info, struct ep_loaded_module *module)
{
    module->bias = info->dlpi_addr;
    module->begin = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD)
            continue;
        if (page(begin) < module->begin)
            module->begin = page(begin);
        if (page(begin + segment->p_memsz + 0xFFF) > module->end)
            module->end = page(begin + segment->p_memsz + 0xFFF);
    }
}

static void find_build_id(const struct dl_phdr_info *info, struct ep_module_cell *cell)
{
    for (int i = 0; i < info->dlpi_phnum && !cell->build_id_bytes; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_NOTE)
            read_notes(cell, (const char *)(info->dlpi_addr + segment->p_vaddr), segment->p_memsz,
                       segment->p_align == 8 ? 8 : 4);
    }
}

static int look(struct dl_phdr_info *info, size_t bytes, void *data)
{
    struct ep_module_sight *sight = data;
    (void)bytes;
    if (!is_inside(info, sight->address))
        return 0;
    strncpy(sight->name, info->dlpi_name ? info->dlpi_name : "", sizeof sight->name - 1);
    ep_written_unseen(&sight->name); /* by the loader, of a library that it has opened late */
    find_range(info, &sight->module);
    find_build_id(info, &sight->cell);
    return 1;
}

/* The loader has no name for the program itself. */
static void find_path(struct ep_module_sight *sight)
{
    if (!*sight->name) {
        ssize_t bytes = readlink("/proc/self/exe", sight->path, sizeof sight->path - 1);
        sight->path[bytes > 0 ? bytes : 0] = '\0';
    } else if (!realpath(sight->name, sight->path))
        strcpy(sight->path, sight->name);
}

static void describe(struct ep_module_sight *sight)
{
    struct stat status;
    struct ep_module_cell *cell = &sight->cell;
    cell->begin = sight->module.begin;
    cell->bias = sight->module.bias;
    cell->pages = (uint32_t)((sight->module.end - sight->module.begin) >> 12);
    if (*sight->path && stat(sight->path, &status) == 0)
        cell->modified_ns =
            (uint64_t)status.st_mtim.tv_sec * 1000000000 + (uint64_t)status.st_mtim.tv_nsec;
}

/* ---- asked ---- */

/*
 * _dl_find_object() takes no lock, and may be called in a signal handler: a forked child may find
 * the lock that dl_iterate_phdr() takes held by a thread that is not there any more. The program
 * headers lie where the file's first page is mapped.
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

static bool find_object(uintptr_t address, struct dl_phdr_info *info)
{
    (void)address, (void)info;
    return false;
}

#endif

void ep_module_see(struct ep_module_sight *sight)
{
    struct dl_phdr_info info;
    bool is_seen = find_object(sight->address, &info) ? look(&info, sizeof info, sight) != 0
                                                      : dl_iterate_phdr(look, sight) != 0;
    if (is_seen) {
        find_path(sight);
        describe(sight);
    } else {
        sight->module.begin = page(sight->address);
        sight->module.end = sight->module.begin + page(0x1FFF);
    }
}

/* ---- still there ---- */

struct search {
    uintptr_t begin;
    bool is_found;
};

static int look_again(struct dl_phdr_info *info, size_t bytes, void *data)
{
    struct search *search = data;
    (void)bytes;
    struct ep_loaded_module module = {.end = 0};
    find_range(info, &module);
    search->is_found = module.begin == search->begin;
    return search->is_found;
}

bool ep_module_is_loaded(uintptr_t begin)
{
    struct search search = {.begin = begin};
    dl_iterate_phdr(look_again, &search);
    return search.is_found;
}
